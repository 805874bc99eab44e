import { decodeCheckpoint } from '../../../codecs/tlog/checkpoint.ts';
import { openCheckpoint } from '../../../codecs/tlog/open-checkpoint.ts';
import { decodeSignedNote } from '../../../codecs/tlog/signed-note.ts';
import { makeVerifierKey } from '../../../codecs/tlog/verifier-key.ts';
import type { TreeHead } from '../../../codecs/tlog/verify-proof.ts';
import { StateCorruptError } from '../../../errors/state-corrupt-error.ts';
import { stateContradictionError } from '../../../errors/state-refusals.ts';
import { readIfThere } from '../../../log/read-if-there.ts';
import type { Place } from '../../../model/folder.ts';
import { verifySignature } from '../../../surface/ed25519.ts';
import { isWholeEdge, rootOfEdge } from '../../../tlog/grow-tree.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import type { ProjectionPlaces } from '../../projection.ts';
import { CHECKPOINT, sitePath } from './log-paths.ts';
import { decodeTreeFile, TREE_FILE, type TreeFile } from './tree-file.ts';

/** The copy of the log in one place. */
export interface LogCopy {
  /** Its files, by their paths below the prefix. */
  readonly place: Place;
  /** The name that messages use for it. */
  readonly name: string;
  readonly origin: string;
  readonly head: TreeHead;
  /** Absent if it is lost, or belongs to another head. */
  readonly tree?: TreeFile;
  /** The signed note; absent for the state, which holds what is yet to be signed. */
  readonly note?: Uint8Array;
}

/** The copies of those places that have one. */
export interface LogCopies {
  readonly state?: LogCopy;
  readonly out?: LogCopy;
  readonly previous?: LogCopy;
}

/** `publicKey` is the key of the log. Without it, signatures are not verified. */
export async function findCopies(
  { out, state, previous }: Pick<ProjectionPlaces, 'out' | 'state' | 'previous'>,
  publicKey: Uint8Array | undefined,
): Promise<LogCopies> {
  const ours = await stateCopy(state);
  // Often the same file, so its content is already known.
  const here = await signedCopy(prefixOf(out), publicKey, { isTreeKnown: ours !== undefined });
  const live = previous && (await signedCopy(prefixOf(previous), publicKey));
  return { ...(ours && { state: ours }), ...(here && { out: here }), ...(live && { previous: live }) };
}

/** The files of the log of a site. */
export function prefixOf(place: Place): Place {
  return { name: `${place.name}/${sitePath('')}`.replace(/\/$/, ''), read: (path) => place.read(sitePath(path)) };
}

async function stateCopy(place: Place): Promise<LogCopy | undefined> {
  const bytes = await place.read(TREE_FILE);
  if (bytes === undefined) return undefined;
  const name = `${place.name}/${TREE_FILE}`;
  const tree = decodeTreeFile(bytes);
  if (tree === undefined || !isWholeEdge(tree.edge, sha256)) {
    const remedy = 'Restore it from a backup, or remove it: then it is made again from the entries of the log.';
    throw new StateCorruptError(name, 'it does not tell where the provable log stands.', remedy);
  }
  const head = { treeSize: tree.edge.size, rootHash: rootOfEdge(tree.edge, sha256) };
  return { place, name, origin: tree.origin, head, tree };
}

async function signedCopy(
  place: Place,
  publicKey: Uint8Array | undefined,
  { isTreeKnown = false } = {},
): Promise<LogCopy | undefined> {
  const note = await readIfThere(place, CHECKPOINT);
  if (note === undefined) return undefined;
  const name = `${place.name}/${CHECKPOINT}`;
  const { origin, ...head } = checkpointIn(note, name, publicKey);
  const tree = isTreeKnown ? undefined : decodeTreeFile(await readIfThere(place, TREE_FILE));
  const isOfHead =
    tree !== undefined &&
    tree.edge.size === head.treeSize &&
    isWholeEdge(tree.edge, sha256) &&
    Buffer.compare(rootOfEdge(tree.edge, sha256), head.rootHash) === 0;
  return { place, name, origin, head, note, ...(isOfHead && { tree }) };
}

function checkpointIn(note: Uint8Array, name: string, publicKey: Uint8Array | undefined) {
  const remedy = 'Restore it from the last deployment or a backup, then run again.';
  const decoded = decodeSignedNote(note);
  if (!decoded.ok) throw new StateCorruptError(name, decoded.issues[0].message, remedy);
  const checkpoint = decodeCheckpoint(decoded.value.text);
  if (!checkpoint.ok) throw new StateCorruptError(name, checkpoint.issues[0].message, remedy);
  if (publicKey === undefined) return checkpoint.value;
  const { origin } = checkpoint.value;
  const logKeys = [makeVerifierKey({ name: origin, use: 'log', publicKey }, sha256)];
  const opened = openCheckpoint(note, { origin, logKeys, verifySignature: isSigned });
  if (opened.ok) return opened.value.checkpoint;
  throw stateContradictionError(
    [name, 'the key of --log-key'],
    opened.issues[0].message,
    'Give the key that the log was begun with: it goes on under no other.',
  );
}

/** Takes its arguments in the form that the codecs use. */
export function isSigned(check: {
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}): boolean {
  return verifySignature(check.publicKey, check.message, check.signature);
}
