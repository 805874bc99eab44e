import { AF_NAMESPACE, FEED_PATH } from '../../../codecs/agent-feed/wire.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import {
  agentFeedOtherOwnerError,
  agentFeedSuspendedError,
  agentFeedUnreadError,
  agentFeedUntrustedError,
} from '../../../errors/source-trouble.ts';
import { readBodyText } from '../../../fetch/read-text.ts';
import { sourceIdOf } from '../../../model/source.ts';
import { asAsked } from '../../as-asked.ts';
import { warn } from '../../diagnostic.ts';
import { orNothing } from '../../no-offer.ts';
import type { Batch, FeedOffer, FeedQuestion, FeedReader, OfferFacts, ReaderPorts, ReadingEnd } from '../../reader.ts';
import { refusal } from '../../refusal.ts';
import { ensureTime } from '../../since.ts';
import { createReader } from './create-reader.ts';
import { feedAt, refusalOf } from './feed-url.ts';
import { migrationAfter } from './follow-migration.ts';
import { handOnFacts } from './hand-on-facts.ts';
import { MemoryReaderState } from './memory-reader-state.ts';
import { OTHER_OWNER } from './other-owner.ts';
import type { IngestReport } from './reader.ts';
import { noteOf } from './reader-notes.ts';
import type { ReaderState } from './reader-state.ts';
import { READER_STORAGE } from './reader-storage.ts';
import { generateInTurn } from './reader-turns.ts';
import { decodeSurfaceMemory } from './surface-memory.ts';

const MAX_PROBE_BYTES = 16 * 1024 * 1024;

/**
 * The reader of agent-feeds: what an origin states about its API. It has a separate store, which may be ahead of what was handed
 * on. Ingested facts are handed on from that store, each once, even after a crash in between.
 */
export const AGENT_FEED_READER: FeedReader = {
  noun: 'an agent-feed',
  isOfEndpoints: true,
  verifies: true,
  recognizes: ({ pathname }) => pathname.endsWith(FEED_PATH),
  entriesAt: ({ href }) => [href],
  discover: (question, ports) => orNothing(() => findFeed(question, ports)),
};

async function findFeed(question: FeedQuestion, ports: ReaderPorts): Promise<FeedOffer> {
  const { url, isNamed } = question;
  const isFeed = isNamed || url.pathname.endsWith(FEED_PATH);
  const origin = isFeed ? url : new URL('/', url);
  const isSure = isNamed || (await ports.remembered.memoryOf(url.href)) !== undefined;
  if (!isSure) await ensureFeed(origin, ports);
  const feed = { entry: url.href, id: sourceIdOf(url) };
  return {
    read: () => asAsked(feed, readFeed(origin, question, ports)),
    describe: () => describe(origin, question, ports),
  };
}

/** Throws a {@link FeedUnreadableError} if an origin has nothing that looks like an agent-feed. */
async function ensureFeed(origin: URL, ports: ReaderPorts): Promise<void> {
  const { http, signal } = ports;
  const url = feedAt(origin);
  const refused = refusalOf(origin, {});
  if (refused !== undefined)
    throw new FeedUnreadableError(url.href, `was not asked for an agent-feed: ${refused}`, { status: 404 });
  const response = await http.get({ url, maxBodyBytes: MAX_PROBE_BYTES, signal });
  if (response.status !== 200) throw await refusal(response, url.href, ports);
  const text = await readBodyText(response, { maxBytes: MAX_PROBE_BYTES });
  if (!text.includes(AF_NAMESPACE)) throw new FeedUnreadableError(url.href, 'is no agent-feed.');
}

function readFeed(origin: URL, question: FeedQuestion, ports: ReaderPorts): AsyncGenerator<Batch, ReadingEnd> {
  const state = ports.storage(READER_STORAGE);
  return generateInTurn(state, origin, () => ingestAndHandOn(origin, { question, state }, ports));
}

interface Circumstances {
  readonly question: FeedQuestion;
  readonly state: ReaderState;
}

async function* ingestAndHandOn(
  origin: URL,
  { question, state }: Circumstances,
  ports: ReaderPorts,
): AsyncGenerator<Batch, ReadingEnd> {
  const { url, isAsked = false, since = {}, remedies = {}, allowDeletes = false } = question;
  const { http, now, signal } = ports;
  const known = decodeSurfaceMemory(await ports.remembered.memoryOf(url.href));
  if (known === undefined) ensureTime(since, url.href);
  const { remembersPauses = false } = ports;
  const policy = { stopsForOtherOwner: !allowDeletes };
  const reader = createReader({ http, state, now, policy, tellsAgain: true, readsCard: false, remembersPauses });
  const before = await documentsOf(await reader.report(origin), state);
  const report = await reader.ingest(origin, { refresh: isAsked, signal });
  signal.throwIfAborted();
  const isSame = before === (await documentsOf(report, state));
  reportEvents(report, ports);
  yield* handOnFacts(report, { entry: url.href, id: sourceIdOf(url), state, known, sinceMs: since.timeMs });
  if (report.problem?.startsWith(OTHER_OWNER)) throw agentFeedOtherOwnerError(report.feedUrl, remedies.deletes);
  await ensureUsable(report, { state, nowMs: now(), remedy: remedies.trust });
  const { nextPollMs, polled } = report;
  return {
    ...(nextPollMs !== undefined && { freshMs: Math.max(0, nextPollMs - now()), isBound: true }),
    ...(!polled && { isUnasked: true }),
    isSame,
  };
}

async function describe(origin: URL, { remedies = {} }: FeedQuestion, ports: ReaderPorts): Promise<OfferFacts> {
  const { http, now, signal } = ports;
  const state = new MemoryReaderState();
  const reader = createReader({ http, state, now, readsCard: false });
  const report = await reader.ingest(origin, { signal });
  signal.throwIfAborted();
  reportEvents(report, ports);
  await ensureUsable(report, { state, nowMs: now(), remedy: remedies.trust });
  const { applied, endpoints } = report;
  const entries = `${applied} verified ${applied === 1 ? 'entry' : 'entries'}`;
  const about = `${endpoints.length} ${endpoints.length === 1 ? 'endpoint' : 'endpoints'}`;
  return { url: report.feedUrl, words: `an agent-feed with ${entries} about ${about}` };
}

/** Identifies the documents of all feeds on the path that were read completely, and the keys they were read with. */
async function documentsOf({ migratedFrom, feedUrl }: IngestReport, state: ReaderState): Promise<string> {
  const documents: unknown[] = [];
  for (const href of [...migratedFrom, feedUrl]) {
    const { hash, keysHash } = (await state.find(href))?.feed ?? {};
    documents.push([href, hash, keysHash]);
  }
  return JSON.stringify(documents);
}

function reportEvents({ events }: IngestReport, ports: ReaderPorts): void {
  for (const event of events) {
    const words = noteOf(event);
    if (words !== undefined) warn(ports, 'note', words);
  }
}

interface UseConditions {
  readonly state: ReaderState;
  readonly nowMs: number;
  /** What a person can do about a feed that is not trusted. */
  readonly remedy: string | undefined;
}

/** Lost trust is reported before any other problem of the feed. */
async function ensureUsable(report: IngestReport, { state, nowMs, remedy }: UseConditions): Promise<void> {
  const { feedUrl, trust, feedStatus, suspended, problem, nextPollMs, migratedFrom } = report;
  const retryAfterMs = nextPollMs && Math.max(0, nextPollMs - nowMs);
  if (!trust) {
    const memory = await state.find(feedUrl);
    const path = [...migratedFrom, feedUrl].map((href) => new URL(href));
    // The migration is followed, but the new feed could not be read.
    const isOnTheWay = problem !== undefined && memory && migrationAfter(memory, path, {}).is === 'followed';
    const { migratedTo } = memory ?? {};
    const facts = { status: feedStatus, migratedTo, remedy: remedy ?? NO_REMEDY, retryAfterMs };
    if (!isOnTheWay) throw agentFeedUntrustedError(feedUrl, facts);
  }
  if (suspended !== undefined) {
    throw agentFeedSuspendedError(feedUrl, { reason: suspended, problem, retryAfterMs });
  }
  if (problem === undefined) return;
  throw agentFeedUnreadError(feedUrl, problem, retryAfterMs);
}

const NO_REMEDY = 'begin anew with another state';
