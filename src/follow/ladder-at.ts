import { freeSourceId } from '../dialects/source-id.ts';
import { sourceIdOf } from '../model/source.ts';
import type { FollowState } from './follow-state.ts';
import type { LadderState } from './ladder.ts';

/** The ladder with the known rhythm of a feed, which is kept whatever happens to the ladder. */
export interface FollowLadder extends LadderState {
  /** Between the latest polls that found something, at most 20. */
  readonly changeGapsMs?: readonly number[];
  /** The newest of them. */
  readonly lastChangeMs?: number;
}

const WRITER = 'ladder';
const NOTHING = { changes: [], seenIds: [], checksums: [], items: [], pending: [], settledIds: [] };

/** The stored choice of a follower between the feed of a site and its pages; undefined if it has not begun. */
export async function ladderAt(url: URL, state: FollowState): Promise<FollowLadder | undefined> {
  const stored = await state.find(entryOf(url));
  return stored?.dialect === WRITER ? decodeLadder(stored.memory) : undefined;
}

export async function keepLadder(url: URL, ladder: FollowLadder, state: FollowState): Promise<void> {
  const entry = entryOf(url);
  const source = (await state.find(entry))?.source ?? (await freeSourceId(`${sourceIdOf(url)}_ladder`, state));
  await state.commit({ state: { source, entry, dialect: WRITER, memory: ladder }, ...NOTHING });
}

/** A separate entry beside those of feeds and pages at the same URL. */
function entryOf(url: URL): string {
  return `${url.href}#ladder`;
}

/** What we ourselves have written. */
function decodeLadder(memory: unknown): FollowLadder | undefined {
  return memory as FollowLadder | undefined;
}
