import { FetchAbortedError, RedirectRefusedError } from '../errors/fetch-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { HttpClient, HttpResponse } from '../fetch/http-client.ts';
import { readBytes } from '../fetch/read-text.ts';
import { registrableDomain } from './domain-name.ts';
import { isExactly } from './verification-token.ts';

/** What was found at the URL of the file. */
export interface FileReport {
  readonly url: string;
  readonly outcome: 'match' | 'no-such-line' | 'wrong-status' | 'redirect-refused' | 'failed' | 'not-awaited';
  /** Every requested URL, in order. */
  readonly asked: readonly string[];
  readonly status?: number;
  /** What happened, if it is not a match. */
  readonly reason?: string;
}

export interface FileSearch {
  readonly url: string;
  readonly value: string;
  readonly signal: AbortSignal;
  readonly onMatch: () => void;
}

const MAX_FILE_BYTES = 64 * 1024;
const DEADLINE_MS = 10_000;
/** AIWebIndex 2.0 §5.2. */
const MAX_REDIRECTS = 3;

/** Reads the file as §5.2 says: only over https, through at most three redirects, none of which leaves the registrable domain. */
export async function searchFile(http: HttpClient, search: FileSearch): Promise<FileReport> {
  const asked: string[] = [];
  try {
    const response = await http.get({
      url: new URL(search.url),
      headers: { accept: 'text/plain, */*;q=0.5', 'cache-control': 'no-cache' },
      maxBodyBytes: MAX_FILE_BYTES,
      deadlineMs: DEADLINE_MS,
      signal: search.signal,
      async beforeHop(hop) {
        assertMayFollow(hop, new URL(search.url), asked.length);
        asked.push(hop.href);
      },
    });
    const seen = await judge(response, search.value);
    if (seen.outcome === 'match') search.onMatch();
    return { url: search.url, asked, status: response.status, ...seen };
  } catch (error) {
    return { url: search.url, asked, ...explain(error) };
  }
}

/** Thrown before a hop, so that no request is sent to it. */
class HopRefused extends Error {}

function assertMayFollow(hop: URL, start: URL, redirects: number): void {
  if (redirects > MAX_REDIRECTS) throw new HopRefused(`It redirects more than ${MAX_REDIRECTS} times.`);
  if (hop.protocol !== 'https:') throw new HopRefused(`It leads to ${hop.href}, which is not https.`);
  const owner = registrableDomain(start.hostname);
  if (owner === undefined || registrableDomain(hop.hostname) !== owner) {
    throw new HopRefused(`It leads to ${hop.host}, which is not part of ${owner}.`);
  }
}

type Seen = Pick<FileReport, 'outcome' | 'reason'>;

async function judge(response: HttpResponse, value: string): Promise<Seen> {
  if (response.status !== 200) {
    await response.discard();
    return { outcome: 'wrong-status', reason: `It answered with status ${response.status}, not 200.` };
  }
  // The bytes around the line may be in any encoding; the line itself is ASCII.
  const text = new TextDecoder().decode(await readBytes(response, { maxBytes: MAX_FILE_BYTES }));
  if (text.split(/\r\n|[\r\n]/).some((line) => isExactly(line.trim(), value))) return { outcome: 'match' };
  return { outcome: 'no-such-line', reason: 'None of its lines is the one that was issued.' };
}

function explain(error: unknown): Seen {
  if (error instanceof HopRefused) return { outcome: 'redirect-refused', reason: error.message };
  if (error instanceof RedirectRefusedError) return { outcome: 'redirect-refused', reason: error.message };
  if (error instanceof FetchAbortedError) return { outcome: 'not-awaited' };
  if (error instanceof TidingsError) return { outcome: 'failed', reason: error.message };
  throw error;
}
