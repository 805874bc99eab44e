import { hash } from 'node:crypto';
import { stableId } from '../../codecs/atom/stable-id.ts';
import type { Change } from '../../model/change.ts';

/** What one check found new in one collection: the changes of one commit. */
export interface FeedRun {
  /** Of its entry: the same changes of a collection always give the same one (T-RS-6). */
  readonly entryId: string;
  readonly describes: string;
  readonly time: string;
  readonly isFirst: boolean;
  readonly changes: readonly Change[];
}

/** The runs of a source, in the order of the log. */
export async function* feedRuns(changes: AsyncIterable<Change>, source: string): AsyncGenerator<FeedRun, void> {
  let run: Change[] = [];
  for await (const change of changes) {
    if (change.source !== source) continue;
    if (run.length > 0 && run[0]?.time !== change.time) {
      yield runOf(run);
      run = [];
    }
    run.push(change);
  }
  if (run.length > 0) yield runOf(run);
}

/** What the entry is called that tells of these changes of a collection. */
export function entryIdOf(describes: string, keys: Iterable<string>): string {
  const digest = hash('sha256', JSON.stringify([...new Set(keys)].sort()), 'hex');
  return stableId('harvest', describes, digest);
}

function runOf(changes: readonly Change[]): FeedRun {
  const { time = '', provenance = {} } = changes[0] ?? {};
  const describes = String(provenance.collection ?? '');
  const keys = changes.map(({ provenance: { originId = '' } }) => originId);
  return { entryId: entryIdOf(describes, keys), describes, time, isFirst: provenance.isFirst === true, changes };
}
