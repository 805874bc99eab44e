import {
  agentFeedSuspendedError,
  agentFeedUnreadError,
  agentFeedUntrustedError,
} from '../../../errors/source-trouble.ts';
import type { FeedReading, FeedVisit } from '../../../hub/visit/feed-readers.ts';
import { createReader } from './create-reader.ts';
import { migrationOf } from './follow-migration.ts';
import { handOnFacts } from './hand-on-facts.ts';
import { MemoryReaderState } from './memory-reader-state.ts';
import type { IngestReport } from './reader.ts';
import { noteOf } from './reader-notes.ts';
import type { ReaderState } from './reader-state.ts';
import { inTurn } from './reader-turns.ts';
import { talkative, withoutCard } from './reader-ways.ts';

/**
 * What an origin states in its agent-feed. The reader keeps its own state, which may be ahead of the log: facts that were
 * ingested are handed on from there, each once, also behind a crash in between.
 */
export async function readAgentFeed(visit: FeedVisit): Promise<FeedReading> {
  const { url, readerState, ports, note, isAsked = false, source } = visit;
  if (readerState === undefined) throw new Error('An agent-feed is read with the state of its reader.');
  const { http, now, signal } = ports;
  return await inTurn(readerState, url, async () => {
    const state = talkative(readerState);
    const reader = createReader({ http: withoutCard(http), state, now });
    const before = await documentsOf(await reader.report(url), state);
    const report = await reader.ingest(url, { refresh: isAsked, signal });
    signal.throwIfAborted();
    const isSame = before === (await documentsOf(report, state));
    noteEvents(report, note);
    await handOnFacts(report, { ...visit, readerState });
    const remedy = `tidings source retrust ${source ?? '<id>'}`;
    await ensureUsable(report, { state: readerState, nowMs: now(), remedy });
    const { nextPollMs, polled } = report;
    return {
      ...(nextPollMs !== undefined && { freshMs: Math.max(0, nextPollMs - now()), isBound: true }),
      ...(!polled && { isUnasked: true }),
      isSame,
    };
  });
}

export async function tryAgentFeed({ url, ports, note }: Omit<FeedVisit, 'state'>): Promise<string> {
  const { http, now, signal } = ports;
  const state = new MemoryReaderState();
  const reader = createReader({ http: withoutCard(http), state, now });
  const report = await reader.ingest(url, { signal });
  signal.throwIfAborted();
  noteEvents(report, note);
  await ensureUsable(report, { state, nowMs: now(), remedy: 'give the address of a feed that is active' });
  const { applied, endpoints } = report;
  const entries = `${applied} verified ${applied === 1 ? 'entry' : 'entries'}`;
  return `an agent-feed with ${entries} about ${endpoints.length} ${endpoints.length === 1 ? 'endpoint' : 'endpoints'}`;
}

/** Which documents of the feeds on the way were read to the end, under which keys. */
async function documentsOf({ migratedFrom, feedUrl }: IngestReport, state: ReaderState): Promise<string> {
  const documents: unknown[] = [];
  for (const href of [...migratedFrom, feedUrl]) {
    const { hash, keysHash } = (await state.find(href))?.feed ?? {};
    documents.push([href, hash, keysHash]);
  }
  return JSON.stringify(documents);
}

function noteEvents({ events }: IngestReport, note: FeedVisit['note']): void {
  for (const event of events) {
    const words = noteOf(event);
    if (words !== undefined) note(words);
  }
}

interface Circumstances {
  readonly state: ReaderState;
  readonly nowMs: number;
  /** What an operator can do for a feed that is not trusted. */
  readonly remedy: string;
}

/** That a feed is not trusted comes before everything else that is wrong with it. */
async function ensureUsable(report: IngestReport, { state, nowMs, remedy }: Circumstances): Promise<void> {
  const { feedUrl, trust, feedStatus, suspended, problem, nextPollMs, migratedFrom } = report;
  const retryAfterMs = nextPollMs && Math.max(0, nextPollMs - nowMs);
  if (!trust) {
    const memory = await state.find(feedUrl);
    const path = [...migratedFrom, feedUrl].map((href) => new URL(href));
    // Where it leads to is followed, only it was not to be had.
    const isOnTheWay = problem !== undefined && memory && migrationOf(memory, path, {}).is === 'followed';
    const { migratedTo } = memory ?? {};
    const facts = { status: feedStatus, migratedTo, remedy, retryAfterMs };
    if (!isOnTheWay) throw agentFeedUntrustedError(feedUrl, facts);
  }
  if (suspended !== undefined) {
    throw agentFeedSuspendedError(feedUrl, { reason: suspended, problem, retryAfterMs });
  }
  if (problem === undefined) return;
  throw agentFeedUnreadError(feedUrl, problem, retryAfterMs);
}
