import { hash } from 'node:crypto';
import { stableId } from '../../../codecs/atom/stable-id.ts';
import type { Change, Provenance } from '../../../model/change.ts';

/** What one check found new in one collection: the changes of one commit. */
export interface FeedRun {
  /** The id of its entry: the same changes of a collection always give the same id (T-RS-6). */
  readonly entryId: string;
  readonly describes: string;
  readonly time: string;
  readonly isFirst: boolean;
  /** The seq of its last change. */
  readonly lastSeq: number;
  readonly changes: readonly Change[];
}

/** The runs of a source, in log order. */
export async function* feedRuns(changes: AsyncIterable<Change>, source: string): AsyncGenerator<FeedRun, void> {
  let run: OpenRun | undefined;
  for await (const change of changes) {
    if (change.source !== source) continue;
    if (run !== undefined && run.first.time !== change.time) {
      yield runOf(run);
      run = undefined;
    }
    run ??= { first: change, keys: new Set(), changes: [] };
    run.keys.add(change.provenance.originId ?? '');
    run.changes.push(slim(change, run.changes.at(-1) ?? change));
  }
  if (run !== undefined) yield runOf(run);
}

/** The id of the entry for these changes of a collection. */
export function runEntryIdOf(describes: string, keys: Iterable<string>): string {
  const digest = hash('sha256', JSON.stringify([...new Set(keys)].sort()), 'hex');
  return stableId('harvest', describes, digest);
}

interface OpenRun {
  readonly first: Change;
  readonly keys: Set<string>;
  readonly changes: Change[];
}

const OWN: Provenance = {};
const FOREIGN: Provenance = { isForeign: true };

/**
 * Saves memory, because a run may have hundreds of thousands of changes: values equal to those of the change before are shared, and
 * only the displayed provenance is kept.
 */
function slim(change: Change, before: Change): Change {
  const { source, kind, claimedTime, provenance } = change;
  const whose = provenance.isForeign === true ? FOREIGN : OWN;
  return {
    ...change,
    source: before.source === source ? before.source : source,
    kind: before.kind === kind ? before.kind : kind,
    time: before.time,
    ...(claimedTime !== undefined && claimedTime === before.claimedTime && { claimedTime: before.claimedTime }),
    provenance: provenance.claimed === undefined ? whose : { ...whose, claimed: provenance.claimed },
  };
}

function runOf({ first, keys, changes }: OpenRun): FeedRun {
  const { time, provenance } = first;
  const describes = String(provenance.collection ?? '');
  return {
    entryId: runEntryIdOf(describes, keys),
    describes,
    time,
    isFirst: provenance.isFirst === true,
    lastSeq: changes.at(-1)?.seq ?? 0,
    changes,
  };
}
