import { hash } from 'node:crypto';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';

/** A service that is notified when a site changed. */
export type AnnounceTarget =
  /** A WebSub hub, which is notified of the feeds. */
  | { readonly kind: 'websub'; readonly url: URL }
  /** An IndexNow endpoint, which is notified of the pages. */
  | { readonly kind: 'indexnow'; readonly url: URL; readonly key: string }
  /** A Tidings hub that watches the site, which is notified of the pages. */
  | { readonly kind: 'hub'; readonly url: URL };

/** The targets that a user configures. */
export interface AnnounceTargets {
  /** Hubs of WebSub. */
  readonly websub?: readonly string[];
  /** The endpoint of IndexNow: `https://api.indexnow.org/indexnow`. */
  readonly indexnow?: string;
  /** 8 to 128 letters, digits and `-`. `/<key>.txt` of the site holds it. */
  readonly key?: string;
  /** The URLs of Tidings hubs. */
  readonly hubs?: readonly string[];
}

const KEY = /^[A-Za-z0-9-]{8,128}$/;
const MOST_TARGETS = 50;

/** Each target once. Throws a SettingRefusedError for an invalid one. */
export function announceTargetsOf({ websub = [], indexnow, key, hubs = [] }: AnnounceTargets): AnnounceTarget[] {
  const targets: AnnounceTarget[] = [
    ...websub.map((url) => ({ kind: 'websub' as const, url: webUrl('websub', url) })),
    ...(indexnow === undefined ? [] : [indexNowTarget(indexnow, key)]),
    ...hubs.map((url) => ({ kind: 'hub' as const, url: below(webUrl('hub', url), 'hub') })),
  ];
  if (indexnow === undefined && key !== undefined) {
    throw new SettingRefusedError('key', key, 'It is for IndexNow: give the endpoint with --indexnow, too.');
  }
  if (targets.length === 0) {
    throw new SettingRefusedError('websub', '(not given)', 'Say who is to be told: --websub, --indexnow or --hub.');
  }
  const once = [...new Map(targets.map((target) => [targetKey(target), target])).values()];
  if (once.length <= MOST_TARGETS) return once;
  throw new SettingRefusedError('websub', `${once.length} targets`, `No more than ${MOST_TARGETS} are told at once.`);
}

/** The name of a target in a file that may be published: only somebody who knows its URL can recognize it. */
export function targetKey({ kind, url }: AnnounceTarget): string {
  return `${kind}:${hash('sha256', url.href)}`;
}

function indexNowTarget(endpoint: string, key: string | undefined): AnnounceTarget {
  if (key === undefined || !KEY.test(key)) {
    throw new SettingRefusedError(
      'key',
      key ?? '(not given)',
      'Give the key for IndexNow: 8 to 128 of A–Z a–z 0–9 and -.',
    );
  }
  return { kind: 'indexnow', url: below(webUrl('indexnow', endpoint), 'indexnow'), key };
}

/** A URL without a path means the usual path on that host. */
function below(url: URL, path: string): URL {
  return url.pathname === '/' && url.search === '' ? new URL(path, url) : url;
}

function webUrl(name: string, text: string): URL {
  const url = canParseUrl(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.hash === '') return url;
  throw new SettingRefusedError(name, text, 'Give an http(s) URL, without a user name or a fragment.');
}
