import type { FollowState, KnownSurface } from '../../../follow/follow-state.ts';
import type { ChangeDraft } from '../../../model/change.ts';
import { sourceIdOf } from '../../../model/source.ts';
import { createSurfaceChanges } from '../../../surface/surface-changes.ts';
import type { IngestReport } from './reader.ts';
import type { AppliedFact, ReaderState } from './reader-state.ts';

export interface FactsTarget {
  /** As the source is configured. */
  readonly url: URL;
  readonly readerState: Pick<ReaderState, 'factsOf'>;
  /** Its `commit` is where changes go. */
  readonly state: FollowState;
}

const FACTS_AT_ONCE = 1000;

/**
 * Hands on what the reader has applied and the log does not have yet. How far that is moves on in the same step as the log.
 *
 * When a feed ends or moves, the endpoints that were told go, once, and nothing more is told of it. When an operator trusts it
 * again and it is active, they come back as they are then.
 */
export async function handOnFacts(report: IngestReport, target: FactsTarget): Promise<void> {
  const known = (await target.state.find(target.url.href))?.agentFeed;
  if (known !== undefined && known.feedUrl !== report.feedUrl) await end(known, 'migrated', target);
  const here = surfaceAt(report, known);
  if (!report.trust) await end(here, report.feedStatus === 'migrated' ? 'migrated' : 'terminated', target);
  else if (report.suspended !== undefined) return;
  else if (here.ended === undefined) await tell(here, target);
  else if (report.feedStatus === 'active' && report.problem === undefined) await revive(here, target);
}

/** What was told of the feed that counts now. */
function surfaceAt({ feedUrl, migratedFrom }: IngestReport, known: KnownSurface | undefined): KnownSurface {
  if (known?.feedUrl === feedUrl) return known;
  // From where it had moved to, an operator led back: all that there was has been told, and told to be gone.
  const isBack = known !== undefined && !migratedFrom.includes(known.feedUrl);
  return { feedUrl, seq: 0, ...(isBack && { ended: 'migrated' }) };
}

async function end({ feedUrl, seq, ended }: KnownSurface, how: 'terminated' | 'migrated', target: FactsTarget) {
  if (ended !== undefined) return;
  const surface = createSurfaceChanges({ source: sourceIdOf(target.url), feedUrl });
  for await (const { facts } of pagesOf(feedUrl, target)) {
    for (const applied of facts) if (applied.seq <= seq) surface.recall(applied);
  }
  await commit({ feedUrl, seq, ended: how }, surface.end(how), target);
}

async function revive({ feedUrl, seq }: KnownSurface, target: FactsTarget): Promise<void> {
  const surface = createSurfaceChanges({ source: sourceIdOf(target.url), feedUrl });
  let last = seq;
  for await (const { facts, lastSeq } of pagesOf(feedUrl, target)) {
    for (const applied of facts) surface.recall(applied);
    last = lastSeq;
  }
  await commit({ feedUrl, seq: last }, surface.revive(), target);
}

async function tell({ feedUrl, seq }: KnownSurface, target: FactsTarget): Promise<void> {
  const [next] = await target.readerState.factsOf(feedUrl, seq, 1);
  if (next === undefined) return;
  const surface = createSurfaceChanges({ source: sourceIdOf(target.url), feedUrl });
  for await (const { facts, lastSeq } of pagesOf(feedUrl, target)) {
    for (const applied of facts) if (applied.seq <= seq) surface.recall(applied);
    const changes = facts.filter((applied) => applied.seq > seq).flatMap((applied) => surface.tell(applied));
    if (lastSeq > seq) await commit({ feedUrl, seq: lastSeq }, changes, target);
  }
}

interface FactsPage {
  readonly facts: readonly AppliedFact[];
  readonly lastSeq: number;
}

async function* pagesOf(feedUrl: string, { readerState }: FactsTarget): AsyncGenerator<FactsPage> {
  let after = 0;
  while (true) {
    const facts = await readerState.factsOf(feedUrl, after, FACTS_AT_ONCE);
    const last = facts.at(-1);
    if (last === undefined) return;
    after = last.seq;
    yield { facts, lastSeq: after };
  }
}

async function commit(agentFeed: KnownSurface, changes: readonly ChangeDraft[], target: FactsTarget): Promise<void> {
  const { url, state } = target;
  const nothing = { checksums: [], items: [], pending: [], settledIds: [] };
  const seenIds = changes.flatMap(({ provenance }) => provenance?.originId ?? []);
  await state.commit({
    ...nothing,
    state: { source: sourceIdOf(url), entry: url.href, agentFeed },
    seenIds,
    changes,
  });
}
