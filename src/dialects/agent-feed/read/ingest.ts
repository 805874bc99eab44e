import { type DecodedAgentFeed, SPEC_VERSION } from '../../../codecs/agent-feed/wire.ts';
import { createSurfaceTable } from '../../../surface/surface-table.ts';
import { applyEntries } from './apply-entries.ts';
import { createKeyring } from './keyring.ts';
import { otherOwner } from './other-owner.ts';
import { begun, curbed, mayPoll, nextPollMs, steadied, unfinished, unpaused } from './poll-times.ts';
import { type FeedReading, malformed, type ReadFeed, readFeed } from './read-feed.ts';
import type { IngestOptions } from './reader.ts';
import type { ReaderEvent } from './reader-event.ts';
import type { ReaderParts } from './reader-parts.ts';
import type { FeedMemory, ReaderCommit } from './reader-state.ts';
import { newMemory, unasked, type Visited } from './report.ts';
import { type Identity, resolveDid } from './resolve-did.ts';
import { compareSnapshot } from './snapshot.ts';
import { createTelling } from './tell-events.ts';
import { verifyEntries } from './verify-entries.ts';
import { type Stopped, tellPause, type Visit } from './visit.ts';

const MAX_STATUS_CHARACTERS = 100;
const MAX_URL_CHARACTERS = 2000;

/** One poll of one feed by the procedure of agent-feed §2, if a poll is due. */
export async function ingestFeed(
  parts: ReaderParts,
  feedUrl: URL,
  { refresh = false, signal, emit }: IngestOptions & { readonly emit: (event: ReaderEvent) => void },
): Promise<Visited> {
  const { state, now } = parts;
  const nowMs = now();
  const stored = (await state.find(feedUrl.href)) ?? newMemory(feedUrl);
  const found = parts.tellsAgain ? { ...stored, told: {} } : stored;
  const waits = parts.remembersPauses ? unpaused(found.poll) : curbed(found.poll);
  const poll = steadied(waits, nowMs);
  // If the clock went back, nobody can say how old an identity is.
  const { did } = poll === waits ? found : {};
  const known = poll === found.poll ? found : { ...found, poll, did };
  const telling = createTelling({ origin: feedUrl.origin, nowMs, told: known.told, emit });
  const visit = { ...parts, feedUrl, nowMs, memory: known, telling, signal, isAsked: refresh };
  if (!mayPoll(poll, nowMs, refresh)) {
    const before = telling.told();
    if (nowMs < (poll.pausedUntilMs ?? 0)) tellPause(visit, poll.pausedUntilMs);
    const told = telling.told();
    return unasked(known === found && told === before ? known : await keep(parts, { ...known, told }));
  }

  await keep(parts, { ...known, poll: unfinished(poll, nowMs) });
  const identity = await resolveDid(visit);
  if (identity.is === 'stopped') return await stop(visit, known, identity);
  const memory = { ...known, did: identity.did };
  const reading = await readFeed(visit, identity);
  if (reading.is === 'stopped') return await stop(visit, memory, reading);
  const judged = judge(visit, memory, reading);
  if ('is' in judged) return await stop(visit, memory, judged);

  const isReadable = judged.isTrusted && judged.feedStatus === 'active' && judged.suspended === undefined;
  const nextMs = nextPollMs(reading.headers, nowMs);
  const next = { ...judged, poll: { ...begun({ ...poll, problem: undefined }, nowMs), nextMs } };
  if (reading.is === 'read' && isReadable) {
    const other = await otherOwner(visit, known, { reading, identity });
    if (other !== undefined) return await stop(visit, known, other);
    return await applyFeed(visit, next, { reading, identity });
  }
  const skipped = reading.is === 'read' ? reading.feed.entries.length : (next.feed?.entries ?? 0);
  return { ...(await settle(visit, next)), skipped, reading: reading.is === 'read' ? 'other' : 'same' };
}

/** Ends a poll that learned nothing about the feed. Only the poll times and the problem change. */
async function stop(visit: Visit, memory: FeedMemory, stopped: Stopped): Promise<Visited> {
  const { nowMs } = visit;
  const { problem, pausedUntilMs, isUnasked = false } = stopped;
  const poll = { ...begun({ ...memory.poll, problem }, nowMs), pausedUntilMs };
  return { ...(await settle(visit, { ...memory, poll })), polled: !isUnasked };
}

/** Judges what the feed says about itself, its version before its status. None of that is signed (T-AF-2). */
function judge(visit: Visit, memory: FeedMemory, reading: FeedReading): FeedMemory | Stopped {
  const { telling, feedUrl } = visit;
  const { origin } = feedUrl;
  if (reading.is === 'unchanged') {
    // The document is the same, so only an operator's decision can be newer.
    return judgeStatus(visit, memory, memory.feedStatus ?? '');
  }
  const { feed, document } = reading;
  const { specVersion = '' } = feed;
  if (!/^\d{1,20}$/.test(specVersion) || feed.contradictions.includes('spec-version')) {
    return malformed(visit, 'It has no af:spec-version that is one whole number.');
  }
  if (Number(specVersion) > SPEC_VERSION) {
    telling.tell({ event: 'unsupported-spec-version', origin, specVersion });
    const suspended = `The feed is of spec-version ${specVersion}, which this reader does not know.`;
    // It is not known what a later version means by its status.
    return { ...memory, specVersion, feedStatus: undefined, suspended, feed: undefined };
  }
  const status = statusOf(feed);
  if (status === undefined) return malformed(visit, 'It has no af:feed-status.');
  for (const element of feed.unknownElements) telling.tell({ event: 'unknown-element', origin, element });
  const migratedTo = status === 'migrated' ? targetOf(feed) : undefined;
  const known = { ...memory, specVersion, suspended: undefined, migratedTo, feed: document };
  return judgeStatus(visit, known, status);
}

function judgeStatus({ telling, feedUrl }: Visit, memory: FeedMemory, feedStatus: string): FeedMemory {
  const { origin } = feedUrl;
  if (feedStatus === 'active') {
    const isNews = memory.feedStatus !== 'active';
    if (!memory.isTrusted) telling.tell({ event: 'active-but-untrusted', origin }, { isNews });
    return { ...memory, feedStatus };
  }
  if (feedStatus !== 'migrated' && memory.isTrusted) telling.tell({ event: 'terminated', origin, feedStatus });
  return { ...memory, feedStatus, isTrusted: false };
}

/** If several statuses contradict each other, one of them is not `active`, and that is enough. */
function statusOf({ feedStatus, contradictions }: DecodedAgentFeed): string | undefined {
  if (contradictions.includes('feed-status')) return 'terminated';
  return feedStatus?.slice(0, MAX_STATUS_CHARACTERS);
}

function targetOf({ migratedTo, contradictions }: DecodedAgentFeed): string | undefined {
  if (contradictions.includes('migrated-to')) return undefined;
  return migratedTo?.slice(0, MAX_URL_CHARACTERS);
}

interface Evidence {
  readonly reading: ReadFeed;
  readonly identity: Identity;
}

async function applyFeed(visit: Visit, memory: FeedMemory, { reading, identity }: Evidence): Promise<Visited> {
  const { state, feedUrl, telling } = visit;
  const { origin, href } = feedUrl;
  const table = createSurfaceTable(new URL(origin), memory.endpoints);
  const chunks = verifyEntries(reading.feed.entries, {
    keyOf: createKeyring(identity.document),
    seenAmong: (ids) => state.seenAmong(href, ids),
    cores: visit.cores,
  });
  const { seen, facts, applied, skipped, known, lastSeen } = await applyEntries(visit, chunks, table);
  const absent = memory.applied - known;
  if (absent > 0) telling.tell({ event: 'entries-absent', origin, count: absent });
  const endpoints = facts.length === 0 ? memory.endpoints : table.records();
  const next = {
    ...memory,
    endpoints,
    applied: memory.applied + applied,
    lastSeen: lastSeen ?? memory.lastSeen,
    told: telling.told(),
  };
  // Verified entries are committed before anything else is requested.
  await keep(visit, next, { seen, facts });
  const cardPausedUntilMs = visit.readsCard === false ? undefined : await compareSnapshot(visit, endpoints);
  const poll = { ...next.poll, cardPausedUntilMs };
  return { ...(await settle(visit, { ...next, poll }, next)), applied, skipped, reading: 'other' };
}

/** Ends a poll. `kept` is what the state has already. */
async function settle(visit: Visit, memory: FeedMemory, kept?: FeedMemory): Promise<Visited> {
  const { telling } = visit;
  telling.finish();
  const told = telling.told();
  const isKept = kept?.told === told && kept.poll.cardPausedUntilMs === memory.poll.cardPausedUntilMs;
  const settled = { ...memory, told };
  if (!isKept) await keep(visit, settled);
  return { ...unasked(settled), polled: true };
}

async function keep(
  { state }: ReaderParts,
  memory: FeedMemory,
  records: Pick<ReaderCommit, 'seen' | 'facts'> = { seen: [], facts: [] },
): Promise<FeedMemory> {
  await state.commit({ memory, ...records });
  return memory;
}
