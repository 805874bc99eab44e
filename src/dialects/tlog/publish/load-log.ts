import { GrowingTree } from '../../../codecs/tlog/growing-tree.ts';
import { leafHash } from '../../../codecs/tlog/tree-hash.ts';
import type { TreeHead } from '../../../codecs/tlog/verify-proof.ts';
import { StateCorruptError } from '../../../errors/state-corrupt-error.ts';
import { stateContradictionError } from '../../../errors/state-refusals.ts';
import type { Change } from '../../../model/change.ts';
import { EMPTY_EDGE, earlierEdge, type GrownTree, growTree, rootOfEdge } from '../../../tlog/grow-tree.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import { chainLines, NO_LINES } from './chain-lines.ts';
import { indexEntries } from './index-entries.ts';
import type { LogCopies, LogCopy } from './log-copies.ts';
import { readAllEntries } from './read-bundles.ts';
import type { TreeFile } from './tree-file.ts';

/** The log from the place that knows most of it. */
export interface LoadedLog {
  readonly tree: TreeFile;
  /** How many entries the checkpoint in the output folder covers; 0 if there is none. */
  readonly servedSize: number;
  /** All tiles and bundles; set if some may be missing in the output or the state folder. */
  readonly whole?: GrownTree;
}

/**
 * Finds the state that a publish continues from, in every place that may have it. A log only grows, so of two honest copies one is
 * the beginning of the other. Other copies contradict each other, and nothing may continue from them. Undefined if no place has a
 * log.
 */
export async function loadLog(copies: LogCopies, changes: readonly Change[]): Promise<LoadedLog | undefined> {
  const { state, out, previous } = copies;
  const all = [state, out, previous].flatMap((copy) => (copy === undefined ? [] : [copy]));
  // Of the longest copies, the first one that has its index.
  const [longest, ...others] = all.toSorted(
    (one, other) => other.head.treeSize - one.head.treeSize || Number(!one.tree) - Number(!other.tree),
  );
  if (longest === undefined) return undefined;
  const servedSize = out?.head.treeSize ?? 0;
  const isWhole = [state, out].every((copy) => copy?.head.treeSize === longest.head.treeSize);
  const isNear = others.every((copy) => longest.tree && earlierEdge(longest.tree.edge, copy.head.treeSize));
  if (isWhole && isNear && longest.tree !== undefined) {
    for (const copy of others) ensureBeginning(copy, longest, rootAtEdge(longest.tree, copy.head.treeSize));
    return { tree: ensureLogged(longest.tree, longest, changes), servedSize };
  }
  const entries = await readAllEntries(longest.place, longest.head.treeSize, knownEntries(longest.tree));
  const whole = growTree(EMPTY_EDGE, entries, sha256);
  ensureGives(whole, longest);
  for (const copy of others) ensureBeginning(copy, longest, rootAt(entries, copy.head));
  const tree = longest.tree ?? treeOf(longest, entries, { whole, changes, copies });
  return { tree: ensureLogged(tree, longest, changes), servedSize, whole };
}

/** The last entries, as tree.json has them. */
export function knownEntries(tree: TreeFile | undefined): readonly Uint8Array[] {
  return tree === undefined ? [] : [...tree.filled, ...tree.edge.entries];
}

function rootAtEdge(tree: TreeFile, size: number): Uint8Array {
  return rootOfEdge(earlierEdge(tree.edge, size) ?? EMPTY_EDGE, sha256);
}

function rootAt(entries: readonly Uint8Array[], { treeSize }: TreeHead): Uint8Array {
  const tree = new GrowingTree(sha256);
  for (const entry of entries.slice(0, treeSize)) tree.append(leafHash(entry, sha256));
  return tree.root();
}

function ensureGives({ root }: GrownTree, { name, head }: LogCopy): void {
  if (Buffer.compare(root, head.rootHash) === 0) return;
  const remedy = 'Put the files of the log back as they were published, or name the live site with --previous.';
  throw new StateCorruptError(name, 'the entries of the log do not give its root hash.', remedy);
}

function ensureBeginning(copy: LogCopy, longest: LogCopy, root: Uint8Array): void {
  const isSame = copy.origin === longest.origin && Buffer.compare(root, copy.head.rootHash) === 0;
  if (isSame) return;
  throw stateContradictionError(
    [copy.name, longest.name],
    copy.origin === longest.origin
      ? 'neither provable log is the beginning of the other.'
      : `one is the log ${copy.origin}, the other ${longest.origin}.`,
    'Keep the one that your followers have seen (the live one) and remove the other.',
  );
}

/** Compares the log with log.ndjson, which it is made from. */
function ensureLogged(tree: TreeFile, { name }: LogCopy, changes: readonly Change[]): TreeFile {
  const last = changes[tree.changes - 1]?.id;
  if (tree.changes <= changes.length && (tree.changes === 0 || last === tree.last)) return tree;
  throw stateContradictionError(
    [name, 'log.ndjson'],
    `the provable log has ${tree.changes} changes to the one with the id ${tree.last ?? '(none)'}, log.ndjson has others.`,
    'Give the --state that it was made with, or --previous with the live site.',
  );
}

/** Rebuilds a lost tree.json from the entries. Of the partial tiles, only those of the head are known. */
function treeOf(
  { origin, name }: LogCopy,
  entries: readonly Uint8Array[],
  known: { readonly whole: GrownTree; readonly changes: readonly Change[]; readonly copies: LogCopies },
): TreeFile {
  const { changes, last = known.changes[changes - 1]?.id, files } = indexEntries(entries, name);
  const { whole, copies } = known;
  const publicKey = copies.state?.tree?.publicKey ?? new Uint8Array();
  const partials = copies.out?.tree?.partials ?? copies.previous?.tree?.partials ?? [];
  const chain = chainLines(NO_LINES, known.changes.slice(0, changes));
  return {
    origin,
    publicKey,
    edge: whole.edge,
    filled: [],
    changes,
    ...(last !== undefined && { last }),
    chain,
    partials,
    files,
  };
}
