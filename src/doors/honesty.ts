import { DIALECTS } from '../dialects/registry.ts';
import { checkHonesty } from '../follow/honesty/check-honesty.ts';
import type { HonestyReport } from '../follow/honesty/honesty-report.ts';
import { randomNonce } from '../io/node/random-token.ts';
import { wait } from '../io/node/timer-wait.ts';
import { openSqliteFollowState } from '../io/sqlite/follow-state.ts';
import { gunzip } from '../io/zlib/gunzip.ts';
import { type HttpOptions, openPolite } from './open-http.ts';
import { publicPageUrl } from './public-page-url.ts';

export { type HonestyReport, hasFindings } from '../follow/honesty/honesty-report.ts';

export interface HonestyOptions extends HttpOptions {
  /** An SQLite file that keeps the sample until the next call. */
  readonly state: string;
  /** The number of pages to sample. Default: 20. */
  readonly pages?: number;
  /** The only format to look for. */
  readonly dialect?: string;
  /** The seed for the choice of pages, if no sample was taken yet. Default: a random one that nobody can guess. */
  readonly seed?: string;
  readonly signal?: AbortSignal;
  readonly onStatus?: (line: string) => void;
}

const PAGES = 20;

/**
 * Checks whether the feed of a site tells the truth about its pages. The first call takes a sample of pages. Each later call compares the sample with what the
 * feed reported since, and takes another one.
 *
 * @example
 * const { toldNotSeen, seenNotTold } = await honesty('https://docs.example/', { state: 'honesty.db' });
 */
export async function honesty(url: string, options: HonestyOptions): Promise<HonestyReport> {
  const { state: file, pages: size = PAGES, dialect, seed, signal, onStatus } = options;
  const address = publicPageUrl(url);
  await using state = await openSqliteFollowState({ file });
  await using ways = await openPolite(options);
  const { http, client, pages } = ways;
  return await checkHonesty(
    { url: address, size, dialect },
    {
      http,
      client,
      pages,
      gunzip,
      dialects: DIALECTS,
      state,
      storage: (kind) => state.storage(kind),
      claims: (after) => state.changes(after),
      newSeed: () => seed ?? randomNonce(),
      now: Date.now,
      wait,
      signal: signal ?? new AbortController().signal,
      report: () => {},
      onStatus: (line) => onStatus?.(line),
    },
  );
}
