import { previewBusyError } from '../../errors/refusals.ts';
import { createReadingRules } from '../../extract/rules/reading-rules.ts';
import type { GivenRules } from '../../model/given-rules.ts';
import { RULES_SHAPE } from '../config/decode-rules.ts';
import { webUrl } from '../config/setting-addresses.ts';
import { fieldsOf, flag, refused } from '../config/setting-decoders.ts';
import { sourceAddress } from '../config/source-address.ts';
import type { SourceConfig } from '../config/source-config.ts';
import type { Watch } from '../watch/watch-port.ts';
import { type GlancePorts, glanceAtSite, nothingSeen, type SiteGlance } from './glance-at-site.ts';
import { proposedSource } from './proposed-source.ts';
import { type SourcePreview, sourcePreview } from './source-preview.ts';

export interface PreviewRequest extends GivenRules {
  readonly url: string;
  /** Even if it was read a moment ago. */
  readonly again?: boolean;
}

/** Looks at what may become a source. */
export interface Previewer {
  /** Throws a TidingsError for an address that is none of the public web, and where too many are made at a time. */
  preview(request: PreviewRequest, signal: AbortSignal): Promise<SourcePreview>;
}

export interface PreviewerParts {
  readonly watch: Pick<Watch, 'sources'>;
  /** As the API takes a source. */
  decodeSource(value: unknown, at: string): SourceConfig;
  /** The ways out to a site. */
  waysTo(url: URL): Omit<GlancePorts, 'signal' | 'isOnePage'>;
  readonly allowPrivate: boolean;
  /** The pause after each page. */
  readonly cooldownMs: number;
  now(): number;
  /** Aborted after this time. */
  deadline(ms: number): AbortSignal;
}

const MOST_AT_ONCE = 4;
const DEADLINE_MS = 30_000;
/** In which a look ends that looks at its signal. */
const GRACE_MS = 2000;
/** How long rules can be tried on what was read once. */
const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 8;

/** Throws a {@link SettingRefusedError} that names the key. */
export function decodePreviewRequest(value: unknown): PreviewRequest {
  const { url, ...rest } = fieldsOf({ url: webUrl, ...RULES_SHAPE, again: flag }, value, '');
  if (url === undefined) throw refused('url', undefined, 'Give the address of the site.');
  // Each rule makes sense; all of them together may still be too many.
  createReadingRules(rest);
  return { url, ...rest };
}

/** Results are kept in memory for a few minutes, so that a rule can be tried without another request to the site. */
export function createPreviewer(parts: PreviewerParts): Previewer {
  const { watch, decodeSource, now, deadline, ...rest } = parts;
  const kept = new Map<string, SiteGlance>();
  let running = 0;

  const lookAt = async (url: URL, isOnePage: boolean, signal: AbortSignal): Promise<SiteGlance> => {
    if (running >= MOST_AT_ONCE) throw previewBusyError(MOST_AT_ONCE);
    running += 1;
    const limit = AbortSignal.any([signal, deadline(DEADLINE_MS)]);
    const look = glanceAtSite(url, { ...parts.waysTo(url), signal: limit, isOnePage }).finally(() => {
      running -= 1;
    });
    return await Promise.race([look, abandonedAt(deadline(DEADLINE_MS + GRACE_MS), url, now)]);
  };
  const keep = (look: SiteGlance) => {
    kept.delete(look.url);
    if (look.failure === undefined) kept.set(look.url, look);
    for (const [url, { readAtMs }] of kept) if (kept.size > MOST_KEPT || now() - readAtMs > KEPT_MS) kept.delete(url);
    return look;
  };
  return {
    async preview({ url, again = false, ...rules }, signal) {
      const source = proposedSource(new URL(url), {
        ids: watch.sources().map(({ config }) => config.id),
        decode: decodeSource,
      });
      const place = new URL(sourceAddress({ config: source }));
      const known = kept.get(place.href);
      const isFresh = known !== undefined && !again && now() - known.readAtMs <= KEPT_MS;
      const look = isFresh ? known : keep(await lookAt(place, source.kind === 'page', signal));
      const same = watch.sources().find((one) => sourceAddress(one) === place.href);
      return await sourcePreview({ source, look, rules, watchedAs: same?.config.id, ...rest });
    },
  };
}

/** Resolves even if a callee ignores the signal. */
function abandonedAt(signal: AbortSignal, url: URL, now: () => number): Promise<SiteGlance> {
  return new Promise((resolve) => {
    const abandon = () => resolve(nothingSeen(url, now()));
    if (signal.aborted) abandon();
    else signal.addEventListener('abort', abandon, { once: true });
  });
}
