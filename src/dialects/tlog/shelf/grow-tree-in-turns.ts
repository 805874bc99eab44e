import type { Sha256 } from '../../../codecs/tlog/crypto-functions.ts';
import { othersFirst } from '../../../log/others-first.ts';
import { type GrownTree, growTree, type TreeEdge } from '../../../tlog/grow-tree.ts';

/** How many entries are hashed before other work gets a turn. */
const ENTRIES_AT_ONCE = 64;

/**
 * The same as {@link growTree}, but other work gets a turn in between. A partial tile may be returned more than once: the last one
 * counts.
 */
export async function growTreeInTurns(
  before: TreeEdge,
  added: readonly Uint8Array[],
  sha256: Sha256,
): Promise<GrownTree> {
  let grown = growTree(before, added.slice(0, ENTRIES_AT_ONCE), sha256);
  const tiles = [...grown.tiles];
  for (let at = ENTRIES_AT_ONCE; at < added.length; at += ENTRIES_AT_ONCE) {
    await othersFirst();
    grown = growTree(grown.edge, added.slice(at, at + ENTRIES_AT_ONCE), sha256);
    tiles.push(...grown.tiles);
  }
  return { ...grown, tiles };
}
