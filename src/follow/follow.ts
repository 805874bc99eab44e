import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import type { Diagnostic } from '../dialects/diagnostic.ts';
import type { Since } from '../dialects/reader.ts';
import { HostPausedError } from '../errors/crawl-error.ts';
import { FeedUnreadableError } from '../errors/feed-error.ts';
import { AddressRefusedError, FetchAbortedError } from '../errors/fetch-error.ts';
import { FollowIncompleteError } from '../errors/follow-error.ts';
import { followRefusedError } from '../errors/refusals.ts';
import { namedAddressRefusedError } from '../errors/source-trouble.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { Asker } from '../fetch/asker.ts';
import { askingFor } from '../fetch/asking-for.ts';
import { createPauses, type Pauses } from '../fetch/pauses.ts';
import { backOffMs, pollIntervalMs } from '../fetch/poll-interval.ts';
import { createSemaphore, type Semaphore } from '../fetch/semaphore.ts';
import { sourceIdOf } from '../model/source.ts';
import type { FollowRules } from './follow-rules.ts';
import type { FollowedEvent, FollowStatus } from './followed-event.ts';
import type { PollOutcome } from './hand-on.ts';
import { mergeStreams } from './merge-streams.ts';
import { poll } from './poll.ts';
import type { Reading } from './reading.ts';
import { parseSince } from './since.ts';
import { type EventTaker, takenEvents } from './taken-events.ts';

export interface FollowRequest {
  readonly urls: readonly string[];
  /** Poll each source once, then end. */
  readonly once: boolean;
  readonly content: boolean;
  /** An id, an RFC 3339 time or a date: where to begin in a source of which nothing is stored. */
  readonly since?: string | undefined;
  /** The shortest pause between two polls of a source. */
  readonly minIntervalMs: number;
  /** The only dialect to look for. */
  readonly dialect?: string | undefined;
  /** For a service with several feeds: the only feeds to read. */
  readonly sources?: readonly string[] | undefined;
  /** Which pages and sections, and which parts of them, are delivered. */
  readonly rules?: FollowRules | undefined;
  /** A person has allowed many deletions. */
  readonly allowDeletes?: boolean | undefined;
  /** The key for a service. All URLs must be of its origin, so that no other origin receives the key. */
  readonly apiKey?: string | undefined;
}

export interface FollowPorts extends Omit<Reading, 'report' | 'dueAt' | 'pauses' | 'rules'> {
  /** Resolves after this time, or at once if the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
  readonly onStatus: (status: FollowStatus) => void;
  /** Compares a source with its provable log before it is read. An exception ends that poll as if the source could not be read. */
  readonly audit?: ((url: URL, signal: AbortSignal) => Promise<void>) | undefined;
  /** Processes each event before it is delivered, if events count as taken only then. */
  readonly take?: EventTaker | undefined;
}

interface Followed {
  readonly url: URL;
  intervalMs: number;
  failures: number;
  dueAt: number;
}

interface Following {
  readonly request: FollowRequest;
  readonly ports: FollowPorts;
  readonly reading: Reading;
  readonly since: Since;
  readonly slots: Semaphore;
  /** With `once`: the errors that are thrown at the end, after everything has been read. */
  readonly errors: TidingsError[];
}

/** How many sources are read at once: a thousand responses at the same time would delay each other. */
const POLLS_AT_ONCE = 32;

/**
 * The FOLLOW flow: discover → read → deliver, for every source at its own interval. Sources of one host are read one after another, those of
 * different hosts in parallel, up to 32 at a time.
 *
 * With `once`, ends with an error if a source could not be read completely, after everything readable was delivered. Without it, failures are
 * reported and the source is polled again later, until the signal is aborted.
 */
export async function* followSources(request: FollowRequest, ports: FollowPorts): AsyncGenerator<FollowedEvent, void> {
  const since = parseSince(request.since, ports.now());
  const sources = [...new Set(request.urls)].map(
    (url): Followed => ({ url: parseUrl(url), intervalMs: 0, failures: 0, dueAt: ports.now() }),
  );
  if (sources.length === 0) throw followRefusedError('There is nothing to follow: name at least one URL.');
  ensureKey(request.apiKey, sources);
  const stopping = new AbortController();
  const signalOf = createSignals(stopping.signal);
  const errors: TidingsError[] = [];
  const shared = { ...ports, rules: request.rules, report: toldOnce(ports.onDiagnostic), dueAt: new Map() };
  const slots = createSemaphore(POLLS_AT_ONCE);

  const stop = () => stopping.abort(ports.signal.reason);
  if (ports.signal.aborted) stop();
  ports.signal.addEventListener('abort', stop);
  try {
    const streams = byHost(sources).map((group) => {
      const signal = signalOf();
      const reading: Reading = { ...shared, signal };
      return followInTurn(group, { request, ports: { ...ports, signal }, reading, since, slots, errors });
    });
    yield* mergeStreams(streams, stopping);
  } finally {
    ports.signal.removeEventListener('abort', stop);
  }
  const [first, ...others]: readonly TidingsError[] = errors;
  if (first !== undefined) throw others.length === 0 ? first : new FollowIncompleteError(errors);
}

/** Creates signals that are aborted with this one, which needs only one listener for all of them. */
function createSignals(signal: AbortSignal): () => AbortSignal {
  const all: AbortController[] = [];
  const abort = () => {
    for (const each of all) each.abort(signal.reason);
  };
  signal.addEventListener('abort', abort, { once: true });
  return () => {
    const controller = new AbortController();
    all.push(controller);
    if (signal.aborted) controller.abort(signal.reason);
    return controller.signal;
  };
}

async function* followInTurn(sources: readonly Followed[], following: Following): AsyncGenerator<FollowedEvent, void> {
  const { request, ports, reading, since, slots, errors } = following;
  for (const source of inTurn(sources, request.once)) {
    await waitFor(source, ports);
    const leave = await slots.take();
    try {
      if (ports.signal.aborted) return;
      ports.onStatus({ url: source.url.href, phase: 'polling' });
      await ports.audit?.(source.url, ports.signal);
      const { content, dialect, sources: wanted, apiKey, allowDeletes = false } = request;
      const options = { url: source.url, content, since, dialect, sources: wanted, apiKey, allowDeletes };
      const events = poll(options, { ...readingFor(source, reading), pauses: pausesOf(source, ports) });
      const taking = { take: ports.take, once: request.once, pauseMs: request.minIntervalMs };
      const outcome = yield* takenEvents(events, { ...ports, ...taking });
      moveOn(source, outcome, following);
    } catch (thrown) {
      if (thrown instanceof FetchAbortedError || (ports.signal.aborted && thrown === ports.signal.reason)) return;
      const error = blamed(thrown, source);
      if (!(error instanceof TidingsError)) throw error;
      if (request.once) errors.push(error);
      else fallBack(source, error, following);
    } finally {
      leave();
    }
  }
}

/** What other hosts say to a source that leads to them does not bind other sources. */
function readingFor({ url }: Followed, reading: Reading): Reading {
  const asker: Asker = { name: `follow:${url.href}`, isOwn: (host) => host === url.host };
  const { http, pages } = reading;
  return { ...reading, http: askingFor(asker, http), pages: { read: (request) => pages.read({ asker, ...request }) } };
}

/** Grouped by default id: sources that could be the same one are never read at the same time. */
function byHost(sources: readonly Followed[]): Followed[][] {
  const groups = new Map<string, Followed[]>();
  for (const source of sources) {
    const id = sourceIdOf(source.url);
    groups.set(id, [...(groups.get(id) ?? []), source]);
  }
  return [...groups.values()];
}

/** With `once`: each source. Otherwise forever, whichever is due first. */
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

function pausesOf({ url: { href: url } }: Followed, ports: FollowPorts): Pauses {
  const onPause = (pauseMs: number) =>
    ports.onStatus(pauseMs > 0 ? { url, phase: 'paused', nextPollInMs: pauseMs } : { url, phase: 'polling' });
  return createPauses({ ...ports, onPause });
}

/** The feed was read well; events that wait for their pages do not delay it. */
function moveOn(source: Followed, outcome: PollOutcome, { request, ports, errors }: Following): void {
  const { freshMs, withheld, incomplete } = outcome;
  source.failures = 0;
  source.intervalMs = pollIntervalMs(freshMs, request.minIntervalMs);
  source.dueAt = ports.now() + source.intervalMs;
  for (const [code, error] of [
    ['withheld', withheld],
    ['poll-failed', incomplete],
  ] as const) {
    if (error === undefined) continue;
    if (request.once) errors.push(error);
    else ports.onDiagnostic({ level: 'warn', code, message: withNextPoll(error, source.intervalMs) });
  }
}

/** The user can only fix the URL that the user gave; where it leads is up to the publisher. */
function blamed(error: unknown, { url }: Followed): unknown {
  if (!(error instanceof AddressRefusedError) || error.url.hostname === url.hostname) return error;
  return namedAddressRefusedError(url.href, { url: error.url, address: error.address, cause: error });
}

/** Temporary errors are retried; errors that only the user can fix are thrown. */
function fallBack(source: Followed, error: TidingsError, { request, ports }: Following): void {
  if (error.recovery === 'fix-config' || error.recovery === 'stop') throw error;
  source.failures += 1;
  source.intervalMs ||= pollIntervalMs(undefined, request.minIntervalMs);
  const isPause = error instanceof FeedUnreadableError || error instanceof HostPausedError;
  const retryAfterMs = isPause ? error.retryAfterMs : undefined;
  const pauseMs = backOffMs(source.intervalMs, source.failures, retryAfterMs);
  source.dueAt = ports.now() + pauseMs;
  ports.onDiagnostic({ level: 'error', code: 'poll-failed', message: withNextPoll(error, pauseMs) });
}

function withNextPoll({ message }: TidingsError, pauseMs: number): string {
  return `${message} Next poll in ${Math.ceil(pauseMs / 1000)} s.`;
}

const SAID_ONCE = ['media-type', 'source-status', 'site-note'];

/** Reports a diagnostic once while it stays the same from poll to poll. */
function toldOnce(report: (diagnostic: Diagnostic) => void): (diagnostic: Diagnostic) => void {
  const told = new Set<string>();
  return (diagnostic) => {
    if (SAID_ONCE.includes(diagnostic.code)) {
      if (told.has(diagnostic.message)) return;
      told.add(diagnostic.message);
    }
    report(diagnostic);
  };
}

/** A key is never shown, and never sent to another origin. */
function ensureKey(apiKey: string | undefined, sources: readonly Followed[]): void {
  if (apiKey === undefined) return;
  if (!/^[\x21-\x7e]{1,512}$/.test(apiKey)) {
    throw followRefusedError('The API key cannot be sent: it is empty, too long, or has characters no key has.');
  }
  const origins = new Set(sources.map(({ url }) => url.origin));
  if (origins.size === 1) return;
  throw followRefusedError(
    `An API key is for one service, and these are ${origins.size}: ${[...origins].join(', ')}. Follow them separately.`,
  );
}

function parseUrl(text: string): URL {
  const url = canParseUrl(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw followRefusedError(`"${text}" cannot be followed: it is not an absolute http(s) URL.`);
  }
  url.hash = '';
  return url;
}
