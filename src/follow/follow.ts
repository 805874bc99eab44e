import { FeedUnreadableError } from '../errors/feed-error.ts';
import { FetchAbortedError } from '../errors/fetch-error.ts';
import { EventsWithheldError, FollowIncompleteError, FollowRefusedError } from '../errors/follow-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import type { FollowState } from './follow-state.ts';
import type { Diagnostic, FollowedEvent, FollowStatus } from './followed-event.ts';
import { poll } from './poll.ts';
import { backOffMs, pollIntervalMs } from './poll-interval.ts';
import type { Reading } from './read/reading.ts';

export interface FollowRequest {
  readonly urls: readonly string[];
  /** One poll of each source, then the end. */
  readonly once: boolean;
  readonly content: boolean;
  readonly since?: string | undefined;
  /** The shortest pause between two polls of a source. */
  readonly minIntervalMs: number;
}

export interface FollowPorts {
  readonly http: HttpClient;
  readonly state: FollowState;
  readonly now: () => number;
  /** Resolves after so long, or at once when the signal says so. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
  readonly onStatus: (status: FollowStatus) => void;
}

interface Followed {
  readonly url: URL;
  intervalMs: number;
  failures: number;
  dueAt: number;
}

/**
 * The FOLLOW flow: discover → read → hand on, for every source in its own rhythm.
 *
 * With `once`, ends with an error when a source could not be read to its end: after everything that could be read was
 * handed on. Without it, failures are reported and the source is polled again later, until the signal ends it.
 */
export async function* followSources(request: FollowRequest, ports: FollowPorts): AsyncGenerator<FollowedEvent, void> {
  const { now, signal, onStatus } = ports;
  const sources = [...new Set(request.urls)].map(
    (url): Followed => ({ url: parseUrl(url), intervalMs: 0, failures: 0, dueAt: now() }),
  );
  if (sources.length === 0) throw new FollowRefusedError('There is nothing to follow: name at least one URL.');
  const reading: Reading = { ...ports, report: toldOnce(ports.onDiagnostic) };
  const errors: TidingsError[] = [];

  for (const source of inTurn(sources, request.once)) {
    await waitFor(source, ports);
    if (signal.aborted) return;
    onStatus({ url: source.url.href, phase: 'polling' });
    try {
      const { freshMs } = yield* poll({ url: source.url, content: request.content, since: request.since }, reading);
      source.failures = 0;
      source.intervalMs = pollIntervalMs(freshMs, request.minIntervalMs);
      source.dueAt = now() + source.intervalMs;
    } catch (error) {
      if (error instanceof FetchAbortedError || (signal.aborted && error === signal.reason)) return;
      if (!(error instanceof TidingsError)) throw error;
      if (request.once) errors.push(error);
      else fallBack(source, error, request, ports);
    }
  }
  const [first, ...others] = errors;
  if (first !== undefined) throw others.length === 0 ? first : new FollowIncompleteError(errors);
}

/** Once: each source. Else for ever, whichever is due first. */
function* inTurn(sources: readonly Followed[], once: boolean): Generator<Followed, void> {
  if (once) return yield* sources;
  for (;;) yield* sources.toSorted((one, other) => one.dueAt - other.dueAt).slice(0, 1);
}

async function waitFor(
  { url, dueAt, failures }: Followed,
  { now, wait, signal, onStatus }: FollowPorts,
): Promise<void> {
  const waitMs = dueAt - now();
  if (waitMs <= 0) return;
  onStatus({ url: url.href, phase: failures > 0 ? 'failing' : 'waiting', nextPollInMs: waitMs });
  await wait(waitMs, signal);
}

/** Asking again helps against what passes; what only the user can mend is thrown. */
function fallBack(
  source: Followed,
  error: TidingsError,
  request: FollowRequest,
  { now, onDiagnostic }: FollowPorts,
): void {
  if (error.recovery === 'fix-config' || error.recovery === 'stop') throw error;
  source.failures += 1;
  source.intervalMs ||= pollIntervalMs(undefined, request.minIntervalMs);
  const retryAfterMs = error instanceof FeedUnreadableError ? error.retryAfterMs : undefined;
  const pauseMs = backOffMs(source.intervalMs, source.failures, retryAfterMs);
  source.dueAt = now() + pauseMs;
  const code = error instanceof EventsWithheldError ? 'withheld' : 'poll-failed';
  onDiagnostic({ level: 'error', code, message: `${error.message} Next poll in ${Math.ceil(pauseMs / 1000)} s.` });
}

/** What stays the same from poll to poll is said once. */
function toldOnce(report: (diagnostic: Diagnostic) => void): (diagnostic: Diagnostic) => void {
  const told = new Set<string>();
  return (diagnostic) => {
    if (diagnostic.code === 'media-type') {
      if (told.has(diagnostic.message)) return;
      told.add(diagnostic.message);
    }
    report(diagnostic);
  };
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new FollowRefusedError(`"${text}" cannot be followed: it is not an absolute http(s) URL.`);
  }
  url.hash = '';
  return url;
}
