import { createHash } from 'node:crypto';
import { othersFirst } from '../../../log/others-first.ts';
import type { Change } from '../../../model/change.ts';
import { lineOfEarlier } from '../../../tlog/entry-of-change.ts';

/** The changes that a hub had before its provable log began, which the first entry commits to. */
export interface EarlierChanges {
  /** Of the newest one; 0 where there was none. */
  readonly seq: number;
  readonly count: number;
  /** Over the lines of all of them ({@link lineOfEarlier}), as hex. */
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
