import { accept, type Result } from '../codecs/primitives/result.ts';
import type { VerifySignature } from '../codecs/tlog/crypto-functions.ts';
import { decodeEntry } from '../codecs/tlog/decode-entry.ts';
import type { ChangeLogEntry } from '../codecs/tlog/entry.ts';
import type { SaltedTexts } from '../codecs/tlog/hashed-text.ts';
import { type OpenedCheckpoint, openCheckpoint } from '../codecs/tlog/open-checkpoint.ts';
import type { Receipt } from '../codecs/tlog/receipt.ts';
import { MAX_NOTE_BYTES } from '../codecs/tlog/signed-note.ts';
import { TILE_WIDTH } from '../codecs/tlog/tile-path.ts';
import { decodeVerifierKey, encodeVerifierKey, type VerifierKey } from '../codecs/tlog/verifier-key.ts';
import { noReceiptError } from '../errors/receipt-error.ts';
import { sha256 } from './sha256.ts';
import type { TileSource } from './tile-source.ts';
import { TreeReader } from './tree-reader.ts';

/** The entry of a change, with its index. */
export interface FoundChange {
  readonly index: number;
  readonly bytes: Uint8Array;
  readonly entry: ChangeLogEntry;
}

const MAX_KEY_BYTES = 2000;

/** A log whose entries can be proven, in the state of its own checkpoint. */
export class ProvableLog {
  readonly tree: TreeReader;
  readonly #note: string;
  readonly #key: VerifierKey;

  private constructor(
    tiles: TileSource,
    { checkpoint }: OpenedCheckpoint,
    { note, key }: { note: string; key: VerifierKey },
  ) {
    this.tree = new TreeReader(tiles, checkpoint);
    this.#note = note;
    this.#key = key;
  }

  /** Verified by the key that the place itself names: a verifier of a receipt has a trusted one. Undefined if there is no log. */
  static async open(tiles: TileSource, verifySignature: VerifySignature): Promise<ProvableLog | undefined> {
    const note = await tiles.read('checkpoint', MAX_NOTE_BYTES);
    const opened = note && (await ProvableLog.openAt(note, tiles, verifySignature));
    if (opened?.ok === false)
      throw noReceiptError(tiles.name, `its checkpoint is refused: ${opened.issues[0].message}`);
    return opened?.value;
  }

  /** The log in the state of an earlier signed checkpoint. Refused if the checkpoint is not of this log. */
  static async openAt(
    note: Uint8Array,
    tiles: TileSource,
    verifySignature: VerifySignature,
  ): Promise<Result<ProvableLog> | undefined> {
    const vkey = await tiles.read('vkey', MAX_KEY_BYTES);
    if (vkey === undefined) return undefined;
    const key = decodeVerifierKey(new TextDecoder().decode(vkey).trim(), sha256);
    if (!key.ok) throw noReceiptError(tiles.name, `its vkey cannot be read: ${key.issues[0].message}`);
    const opened = openCheckpoint(note, { origin: key.value.name, logKeys: [key.value], verifySignature });
    if (!opened.ok) return opened;
    return accept(new ProvableLog(tiles, opened.value, { note: new TextDecoder().decode(note), key: key.value }));
  }

  /** The receipt of an entry below the size of the checkpoint. */
  async receiptOf({ index, bytes }: Pick<FoundChange, 'index' | 'bytes'>, texts: SaltedTexts): Promise<Receipt> {
    return {
      entry: new TextDecoder().decode(bytes),
      texts,
      index,
      proof: await this.tree.inclusionProof(index),
      checkpoint: this.#note,
      vkey: encodeVerifierKey(this.#key),
    };
  }

  /** Finds the entry of a change by its id. Ids rise from entry to entry, so few bundles are read. */
  async findChange(id: string): Promise<FoundChange | undefined> {
    let [low, high] = [0, Math.ceil(this.tree.size / TILE_WIDTH)];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      // A bundle may contain only checks: then the following ones decide.
      let at = middle;
      let changes = await this.#changesOf(at);
      while (changes.length === 0 && at + 1 < high) {
        at += 1;
        changes = await this.#changesOf(at);
      }
      const [first] = changes;
      const last = changes.at(-1);
      if (first === undefined || last === undefined || id < first.entry.id) high = middle;
      else if (id > last.entry.id) low = at + 1;
      else return changes.find(({ entry }) => entry.id === id);
    }
    return undefined;
  }

  /** The newest change that matches. Reads backwards until it finds one. */
  async newestChange(fits: (entry: ChangeLogEntry) => boolean): Promise<FoundChange | undefined> {
    for (let bundle = Math.ceil(this.tree.size / TILE_WIDTH) - 1; bundle >= 0; bundle -= 1) {
      const found = (await this.#changesOf(bundle)).findLast(({ entry }) => fits(entry));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #changesOf(bundle: number): Promise<readonly FoundChange[]> {
    const from = bundle * TILE_WIDTH;
    const changes: FoundChange[] = [];
    for await (const { index, bytes } of this.tree.entries(from, Math.min(from + TILE_WIDTH, this.tree.size))) {
      const decoded = decodeEntry(bytes);
      if (decoded.ok && decoded.value.entry.type === 'change')
        changes.push({ index, bytes, entry: decoded.value.entry });
    }
    return changes;
  }
}
