import type { LadderState } from '../../follow/ladder.ts';
import type { SourceHealth } from '../store/hub-store.ts';
import type { SourceFeedState } from '../store/source-feed-state.ts';

/** Under which a source remembers where it stands, beside what the readers of its feeds remember. */
const ENTRY = 'tidings:ladder';
const WRITER = 'ladder';

/**
 * Where a source stands. Its health says so, as of the last check that was written down; a turn is committed before anything is told behind it, so
 * that a crash in between neither tells twice nor forgets.
 */
export async function ladderOf(
  state: SourceFeedState,
  { ladder }: Pick<SourceHealth, 'ladder'>,
): Promise<LadderState | undefined> {
  const stored = await state.find(ENTRY);
  const turned = stored?.dialect === WRITER ? decodeLadder(stored.memory) : undefined;
  if (turned === undefined || ladder === undefined) return ladder ?? turned;
  return turned.turns > ladder.turns ? turned : ladder;
}

export async function commitTurn(state: SourceFeedState, source: string, ladder: LadderState): Promise<void> {
  await state.commit({
    state: { source, entry: ENTRY, dialect: WRITER, memory: ladder },
    ...{ changes: [], seenIds: [], checksums: [], items: [], pending: [], settledIds: [] },
  });
}

/** What we ourselves have written. */
function decodeLadder(memory: unknown): LadderState | undefined {
  return memory as LadderState | undefined;
}
