import type { CheckReport } from '../../check/check-report.ts';
import { checksBusyError, siteUnwatchedError } from '../../errors/refusals.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import type { SourceConfig } from '../config/source-config.ts';
import type { Watch } from '../watch/watch-port.ts';

/** The result of a check of a watched site, or why there is none. */
export interface SiteCheck {
  readonly url: string;
  readonly checkedAtMs: number;
  readonly report?: CheckReport;
  readonly failure?: string;
}

/** Checks only watched sites: a caller cannot send the hub anywhere else. */
export interface WatchedSiteChecks {
  /** Throws a TidingsError for an address of no source, and where too many are checked at a time. */
  check(url: string): Promise<SiteCheck>;
  /** What can be checked, in order of the sources. */
  sites(): readonly CheckableSite[];
}

export interface CheckableSite {
  readonly source: string;
  readonly title: string;
  readonly url: string;
}

export interface SiteCheckParts {
  readonly watch: Pick<Watch, 'sources'>;
  /** One whole check. Throws where nothing can be read. */
  readonly checkSite: (url: URL, signal: AbortSignal) => Promise<CheckReport>;
  readonly now: () => number;
  /** Aborted after this time. */
  readonly deadline: (ms: number) => AbortSignal;
}

const KEPT_MS = 10 * 60_000;
/** A site that could not be checked may be back soon. */
const FAILED_MS = 60_000;
const MOST_KEPT = 100;
const MOST_AT_ONCE = 2;
const DEADLINE_MS = 60_000;

/** Results are kept in memory for some minutes, and concurrent callers share one check, so that a site is not asked more often. */
export function createSiteChecks({ watch, checkSite, now, deadline }: SiteCheckParts): WatchedSiteChecks {
  const kept = new Map<string, SiteCheck>();
  const running = new Map<string, Promise<SiteCheck>>();

  const run = async (url: string): Promise<SiteCheck> => {
    const checked = await checkSite(new URL(url), deadline(DEADLINE_MS)).then(
      (report) => ({ url, report }),
      (error: unknown) => {
        if (!(error instanceof TidingsError)) throw error;
        return { url, failure: error.message };
      },
    );
    const found = { ...checked, checkedAtMs: now() };
    kept.delete(url);
    kept.set(url, found);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
    }
    return found;
  };
  return {
    async check(address) {
      const url = watchedAddress(runningOf(watch), address);
      if (url === undefined) throw siteUnwatchedError(address.slice(0, 200));
      const known = kept.get(url);
      if (known !== undefined && isFresh(known, now())) return known;
      const current = running.get(url);
      if (current !== undefined) return await current;
      if (running.size >= MOST_AT_ONCE) throw checksBusyError(MOST_AT_ONCE);
      const begun = run(url).finally(() => running.delete(url));
      running.set(url, begun);
      return await begun;
    },
    sites: () =>
      runningOf(watch).flatMap(({ config }) => {
        const [url] = ownAddresses(config);
        return url === undefined ? [] : { source: config.id, title: config.title ?? config.id, url };
      }),
  };
}

/** Who pauses a source wants its site left alone. */
function runningOf(watch: SiteCheckParts['watch']): ReturnType<Watch['sources']> {
  return watch.sources().filter(({ paused }) => paused === undefined);
}

function isFresh({ checkedAtMs, failure }: SiteCheck, nowMs: number): boolean {
  const age = nowMs - checkedAtMs;
  return age >= 0 && age < (failure === undefined ? KEPT_MS : FAILED_MS);
}

/** The address of a source that is meant: the very one, or the root of its host. */
function watchedAddress(sources: ReturnType<Watch['sources']>, address: string): string | undefined {
  for (const { config } of sources) {
    for (const own of ownAddresses(config)) {
      if (own === address) return own;
      if (new URL('/', own).href === address) return address;
    }
  }
  return undefined;
}

/** The addresses that are shown to everybody. */
function ownAddresses(config: SourceConfig): readonly string[] {
  if (config.kind === 'folder') return [];
  const urls = config.kind === 'page' ? config.urls : [config.url];
  return urls.map((url) => new URL(url).href);
}
