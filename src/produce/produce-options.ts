import { strictHttpUrl } from '../codecs/atom/http-url.ts';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { MAX_BYTES, MAX_ENTRIES } from '../codecs/resourcesync/encode.ts';
import type { CollectionSetting } from '../dialects/resourcesync/lists/collection.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { RiskWeights } from '../extract/risk/risk-rules.ts';
import type { Extensions } from './make-hints.ts';

/** The dialects that a publish writes. */
export const FORMATS = ['aicf', 'diffdelta', 'resourcesync', 'atom', 'agent-feed'] as const;
export type Format = (typeof FORMATS)[number];

export interface ProduceOptions {
  readonly site: string;
  /** All of them unless said otherwise. An agent-feed that is there comes along in any case. */
  readonly formats?: readonly Format[];
  readonly allowDeletes?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly cleanUrls?: boolean;
  readonly rotateBytes?: number;
  readonly ttlSeconds?: number;
  readonly license?: string;
  readonly about?: string;
  /** What the site is called and who writes it, for people. */
  readonly title?: string;
  readonly author?: string;
  /** Parts of the site that people may follow by themselves. Without them the site is one. */
  readonly collections?: readonly CollectionSetting[];
  /** Of each ResourceSync document: so many entries and bytes, at most 50,000 and 50 MB. */
  readonly listEntries?: number;
  readonly listBytes?: number;
  /** A sitemap with truthful times, beside the site's own. */
  readonly sitemap?: boolean;
  /** Packages of all pages and of what changed, as ResourceSync's dumps. Only of a built site. */
  readonly dumps?: boolean;
  /** So much a package unpacks to. */
  readonly dumpBytes?: number;
  /** So many entries `changes.atom` holds before older ones move to an archive. */
  readonly atomEntries?: number;
  /** The hub of WebSub that pushes `changes.atom`. */
  readonly websub?: string;
  /** Those of AICF §11 that are on. */
  readonly extensions?: Extensions;
  /** Other weights than the usual ones for the rules that score the risk of a page. */
  readonly riskRules?: RiskWeights;
  /** Stops the run; what is written by then is completed by the next one. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Throws a {@link SettingRefusedError} for what cannot be done, before anything is read or written. */
export function ensureSettings(options: ProduceOptions): void {
  const { formats = FORMATS, ttlSeconds, rotateBytes, about } = options;
  if (formats.length === 0 || !formats.every((format) => FORMATS.includes(format))) {
    throw new SettingRefusedError('formats', formats.join(','), `Give one or more of: ${FORMATS.join(', ')}.`);
  }
  if (ttlSeconds !== undefined && !(Number.isSafeInteger(ttlSeconds) && ttlSeconds >= 0)) {
    throw new SettingRefusedError('ttl', ttlSeconds, 'Give a whole number of seconds, 0 or more.');
  }
  if (rotateBytes !== undefined && !(Number.isSafeInteger(rotateBytes) && rotateBytes > 0)) {
    throw new SettingRefusedError('rotate-bytes', rotateBytes, 'Give a whole number of bytes, 1 or more.');
  }
  if (about !== undefined && !canParseUrl(about)) {
    throw new SettingRefusedError('about', about, 'Give the absolute URL of a page that describes the feed.');
  }
  ensureListSettings(options);
}

function ensureListSettings({ listEntries, listBytes, atomEntries, websub }: ProduceOptions): void {
  const counts = [
    { setting: 'list-entries', count: listEntries, most: MAX_ENTRIES },
    { setting: 'list-bytes', count: listBytes, most: MAX_BYTES },
    { setting: 'atom-entries', count: atomEntries, most: Number.MAX_SAFE_INTEGER },
  ];
  for (const { setting, count = 1, most } of counts) {
    if (Number.isSafeInteger(count) && count >= 1 && count <= most) continue;
    throw new SettingRefusedError(setting, count, `Give a whole number from 1 to ${most}.`);
  }
  if (websub !== undefined && strictHttpUrl(websub) === undefined) {
    throw new SettingRefusedError('websub', websub, 'Give the http(s) URL of a hub that pushes the feed.');
  }
}
