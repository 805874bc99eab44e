import { concatBytes, isSameBytes } from '../../../codecs/primitives/bytes.ts';
import { openCheckpoint } from '../../../codecs/tlog/open-checkpoint.ts';
import { TILE_WIDTH } from '../../../codecs/tlog/tile-path.ts';
import { decodeVerifierKey, encodeVerifierKey } from '../../../codecs/tlog/verifier-key.ts';
import { verifySignature } from '../../../surface/ed25519.ts';
import { EMPTY_EDGE, growTree, type TreeEdge } from '../../../tlog/grow-tree.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import type { FsckFinding } from '../fsck/fsck-finding.ts';
import { fsckTable } from './fsck-parts.ts';
import { verifierKeyOf } from './tlog-key.ts';
import type { TlogRecord, TlogStore } from './tlog-store.ts';

/** Grows the tree of a log again from its entries, bundle by bundle, and compares it with what is stored. */
export class FsckTree {
  readonly #record: TlogRecord;
  readonly #store: TlogStore;
  #edge: TreeEdge | undefined = EMPTY_EDGE;
  #root: Uint8Array | undefined;
  #signed: { readonly size: number; readonly root: Uint8Array } | undefined;

  constructor(record: TlogRecord, store: TlogStore) {
    this.#record = record;
    this.#store = store;
  }

  /** Checks the key and the checkpoint. */
  *checkSigner(): Generator<FsckFinding, void, undefined> {
    const { origin, vkey, seed, checkpoint, size } = this.#record;
    const where = fsckTable(this.#record);
    const key = decodeVerifierKey(vkey, sha256);
    if (!key.ok || key.value.name !== origin) {
      yield { what: key.ok ? `Its key is named ${key.value.name}, not ${origin}.` : key.issues[0].message, where };
      return;
    }
    if (seed.length !== 32 || encodeVerifierKey(verifierKeyOf({ origin, seed })) !== vkey)
      yield { what: 'The secret key is not that of the verifier key.', where };
    if (checkpoint === undefined) {
      if (size > 0) yield { what: 'It has no checkpoint. The next start of the hub signs its head.', where };
      return;
    }
    const isSigned = ({
      publicKey,
      message,
      signature,
    }: {
      publicKey: Uint8Array;
      message: Uint8Array;
      signature: Uint8Array;
    }) => verifySignature(publicKey, message, signature);
    const opened = openCheckpoint(Buffer.from(checkpoint), { origin, logKeys: [key.value], verifySignature: isSigned });
    if (!opened.ok) {
      yield { what: `The checkpoint does not count: ${opened.issues[0].message}`, where };
      return;
    }
    const { treeSize, rootHash } = opened.value.checkpoint;
    if (treeSize > size) yield { what: `${treeSize} entries are signed, and the log has ${size}.`, where };
    this.#signed = { size: treeSize, root: rootHash };
  }

  /** Called if a bundle cannot be read: then nothing can be said about the tree after it. */
  lose(): void {
    this.#edge = undefined;
  }

  /** Takes the entries of the next bundle. */
  *add(entries: readonly Uint8Array[]): Generator<FsckFinding, void, undefined> {
    const edge = this.#edge;
    if (edge === undefined) return;
    const signed = this.#signed;
    if (signed !== undefined && signed.size > edge.size && signed.size <= edge.size + entries.length) {
      const { root } = growTree(edge, entries.slice(0, signed.size - edge.size), sha256);
      if (!isSameBytes(root, signed.root))
        yield {
          what: 'The entries give another root hash than the one that is signed.',
          where: fsckTable(this.#record),
        };
    }
    const grown = growTree(edge, entries, sha256);
    this.#edge = grown.edge;
    this.#root = grown.root;
    for (const { level, index, width, bytes } of grown.tiles) {
      if (level === 'entries' || width < TILE_WIDTH) continue;
      const stored = this.#store.tile(this.#record.log, level, index);
      const where = fsckTable(this.#record, 'tiles');
      if (stored === undefined) yield { what: `Tile ${index} of level ${level} is missing.`, where };
      else if (!isSameBytes(stored, bytes))
        yield { what: `Tile ${index} of level ${level} is not what the entries give.`, where };
    }
  }

  /** Checks the head, and the tiles that are not full. */
  *finish(): Generator<FsckFinding, void, undefined> {
    const { log, root } = this.#record;
    if (this.#edge === undefined) return;
    if (this.#root !== undefined && !isSameBytes(this.#root, root))
      yield { what: 'The entries give another root hash than the head has.', where: fsckTable(this.#record) };
    for (const [level, hashes] of this.#edge.open.entries()) {
      if (level === 0 || isSameBytes(this.#store.openTile(log, level), concatBytes(...hashes))) continue;
      yield {
        what: `The open tile of level ${level} is not what the entries give.`,
        where: fsckTable(this.#record, 'open_tiles'),
      };
    }
  }
}
