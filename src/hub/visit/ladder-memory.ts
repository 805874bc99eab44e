import type { LadderState } from '../../follow/ladder.ts';
import type { SourceHealth } from '../store/hub-store.ts';
import type { SourceFeedState } from '../store/source-feed-state.ts';

/** The entry under which a source stores its ladder, beside the memory of the readers of its feeds. */
const ENTRY = 'tidings:ladder';
const WRITER = 'ladder';

/**
 * The ladder of a source. Its health holds it as of the last stored check. A turn is committed before anything is reported after it, so that a crash in
 * between neither reports twice nor forgets.
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

/** Only our own code writes it. */
function decodeLadder(memory: unknown): LadderState | undefined {
  return memory as LadderState | undefined;
}
