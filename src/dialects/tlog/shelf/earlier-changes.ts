import { createHash } from 'node:crypto';
import { othersFirst } from '../../../log/others-first.ts';
import type { Change } from '../../../model/change.ts';
import { lineOfEarlier } from '../../../tlog/entry-of-change.ts';

/** The changes of a hub from before its provable log began. The first entry commits to them. */
export interface EarlierChanges {
  /** The seq of the newest one; 0 if there was none. */
  readonly seq: number;
  readonly count: number;
  /** SHA-256 over the lines of all of them ({@link lineOfEarlier}), as hex. */
  readonly hash: string;
}

const CHANGES_AT_ONCE = 100;

/** Reads a whole log, in pieces. */
export async function earlierChanges(changes: AsyncIterable<Change>): Promise<EarlierChanges> {
  const hash = createHash('sha256');
  let [seq, count] = [0, 0];
  for await (const change of changes) {
    hash.update(lineOfEarlier(change));
    seq = change.seq;
    count += 1;
    if (count % CHANGES_AT_ONCE === 0) await othersFirst();
  }
  return { seq, count, hash: hash.digest('hex') };
}
