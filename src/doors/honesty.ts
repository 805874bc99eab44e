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
  /** An SQLite file that keeps the sample until the next time. */
  readonly state: string;
  /** So many pages are looked at; 20 unless said otherwise. */
  readonly pages?: number;
  /** The only format that is looked for. */
  readonly dialect?: string;
  /** What the choice of pages goes by, where no sample was taken yet. One that nobody can guess unless given. */
  readonly seed?: string;
  readonly signal?: AbortSignal;
  readonly onStatus?: (line: string) => void;
}

const PAGES = 20;

/**
 * Whether the feed of a site tells the truth about its pages. The first call takes a sample of pages, each later one compares it with what the feed
 * told since, and takes another one.
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
