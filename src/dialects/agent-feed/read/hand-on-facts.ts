import { hash } from 'node:crypto';
import { parseTime } from '../../../codecs/primitives/time.ts';
import type { ChangeDraft } from '../../../model/change.ts';
import { createSurfaceChanges } from '../../../surface/surface-changes.ts';
import type { FeedChange } from '../../feed-change.ts';
import type { Batch } from '../../reader.ts';
import type { IngestReport } from './reader.ts';
import type { AppliedFact, ReaderState } from './reader-state.ts';
import type { KnownSurface } from './surface-memory.ts';

export interface FactsTarget extends Pick<Batch, 'entry' | 'id'> {
  readonly state: Pick<ReaderState, 'factsOf'>;
  readonly known: KnownSurface | undefined;
  /** For a feed read for the first time: older facts, by their own claim, are skipped. */
  readonly sinceMs?: number | undefined;
}

const FACTS_AT_ONCE = 1000;

/**
 * Hands on the facts that the reader has applied and nobody has received yet. Each batch carries the new position.
 *
 * When a feed ends or moves, its endpoints are deleted once, and nothing more is handed on. When an operator trusts it again and it
 * is active, the endpoints come back as they are then.
 */
export async function* handOnFacts(report: IngestReport, target: FactsTarget): AsyncGenerator<Batch, void> {
  const { known } = target;
  if (known !== undefined && known.feedUrl !== report.feedUrl) yield* end(known, 'migrated', target);
  const here = surfaceAt(report, known);
  if (!report.trust) yield* end(here, report.feedStatus === 'migrated' ? 'migrated' : 'terminated', target);
  else if (report.suspended !== undefined) return;
  else if (here.ended === undefined) yield* tell(here, target);
  else if (report.feedStatus === 'active' && report.problem === undefined) yield* revive(here, target);
}

/** What was already handed on of the feed that counts now. */
function surfaceAt({ feedUrl, migratedFrom }: IngestReport, known: KnownSurface | undefined): KnownSurface {
  if (known?.feedUrl === feedUrl) return known;
  // An operator led back from the new feed to the old one: its endpoints were handed on before, and then deleted.
  const isBack = known !== undefined && !migratedFrom.includes(known.feedUrl);
  const turns = known === undefined ? {} : { turns: turnsOf(known) + (known.ended === undefined ? 1 : 0) };
  return { feedUrl, seq: 0, ...turns, ...(isBack && { ended: 'migrated' }) };
}

async function* end(surface: KnownSurface, how: 'terminated' | 'migrated', target: FactsTarget) {
  const { feedUrl, seq, ended } = surface;
  if (ended !== undefined) return;
  const table = tableOf(feedUrl, target);
  for await (const { facts } of pagesOf(feedUrl, target)) {
    for (const applied of facts) if (applied.seq <= seq) table.recall(applied);
  }
  const turns = turnsOf(surface) + 1;
  yield batchOf({ feedUrl, seq, ended: how, turns }, named(table.end(how), feedUrl, `${how} ${turns}`), target);
}

async function* revive(surface: KnownSurface, target: FactsTarget) {
  const { feedUrl, seq } = surface;
  const table = tableOf(feedUrl, target);
  let last = seq;
  for await (const { facts, lastSeq } of pagesOf(feedUrl, target)) {
    for (const applied of facts) table.recall(applied);
    last = lastSeq;
  }
  const turns = turnsOf(surface) + 1;
  yield batchOf({ feedUrl, seq: last, turns }, named(table.revive(), feedUrl, `revived ${turns}`), target);
}

async function* tell(surface: KnownSurface, target: FactsTarget) {
  const { feedUrl, seq } = surface;
  const [next] = await target.state.factsOf(feedUrl, seq, 1);
  if (next === undefined) return;
  const sinceMs = target.known === undefined ? target.sinceMs : undefined;
  const table = tableOf(feedUrl, target);
  let told: KnownSurface | undefined;
  for await (const { facts, lastSeq } of pagesOf(feedUrl, target)) {
    for (const applied of facts) if (applied.seq <= seq) table.recall(applied);
    const changes = facts
      .filter((applied) => applied.seq > seq)
      .flatMap((applied) => named(table.tell(applied), feedUrl, `fact ${applied.entryId}`))
      .filter(({ time }) => sinceMs === undefined || (parseTime(time ?? '') ?? sinceMs) >= sinceMs);
    told = lastSeq > seq ? { ...surface, seq: lastSeq } : undefined;
    // A page without changes yields no batch here, so a first reading that breaks off before any change starts again.
    if (told !== undefined && changes.length > 0) yield batchOf(told, changes, target);
    if (changes.length > 0) told = undefined;
  }
  if (told !== undefined) yield batchOf(told, [], target);
}

function turnsOf({ turns = 0 }: KnownSurface): number {
  return turns;
}

function tableOf(feedUrl: string, { id }: FactsTarget) {
  return createSurfaceChanges({ source: id, feedUrl });
}

/** Each change gets a separate id: one fact may move an endpoint, and an endpoint may be deleted more than once. */
function named(drafts: readonly ChangeDraft[], feedUrl: string, occasion: string): FeedChange[] {
  return drafts.map((draft, index) => {
    const { source: _, claimedTime, risk: __, riskReasons: ___, provenance = {}, ...change } = draft;
    const parts = JSON.stringify([feedUrl, occasion, index, change.action, change.url, change.anchor]);
    return {
      id: hash('sha256', parts, 'hex').slice(0, 32),
      ...change,
      ...(claimedTime !== undefined && { time: claimedTime }),
      itemId: String(provenance.endpointId ?? ''),
      provenance: { ...provenance, by: 'agent-feed' },
    };
  });
}

interface FactsPage {
  readonly facts: readonly AppliedFact[];
  readonly lastSeq: number;
}

async function* pagesOf(feedUrl: string, { state }: FactsTarget): AsyncGenerator<FactsPage> {
  let after = 0;
  while (true) {
    const facts = await state.factsOf(feedUrl, after, FACTS_AT_ONCE);
    const last = facts.at(-1);
    if (last === undefined) return;
    after = last.seq;
    yield { facts, lastSeq: after };
  }
}

function batchOf(memory: KnownSurface, changes: readonly FeedChange[], { entry, id }: FactsTarget): Batch {
  return { entry, id, changes, memory };
}
