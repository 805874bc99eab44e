import { decodeCheckpoint } from '../../../codecs/tlog/checkpoint.ts';
import { encodeReceipt } from '../../../codecs/tlog/receipt.ts';
import { decodeSignedNote } from '../../../codecs/tlog/signed-note.ts';
import { TileError } from '../../../errors/tile-error.ts';
import type { Change } from '../../../model/change.ts';
import { NOTE_CRYPTO } from '../../../surface/note-crypto.ts';
import { textsOf } from '../../../tlog/entry-of-change.ts';
import { ProvableLog } from '../../../tlog/provable-log.ts';
import type { ChangeReceipts } from '../../shelf.ts';
import { unpackSalts } from './packed-salts.ts';
import { placeOfId, type StoreEntriesParts, storedEntry } from './store-entries.ts';
import { logOf, storeTiles } from './store-tiles.ts';
import type { LoggedPlace } from './tlog-store.ts';

export interface HubReceiptsParts extends StoreEntriesParts {
  /** The log after that `seq`, in order. */
  readonly readChanges: (after: number) => AsyncIterable<Change>;
}

/** A change in the provable log. */
type PlacedChange = LoggedPlace & { readonly seq: number };

/** Receipts from the tables of a hub. One checkpoint proves many changes, so what was read for the last one is kept. */
export class HubReceipts implements ChangeReceipts {
  readonly #parts: HubReceiptsParts;
  #last: { readonly log: number; readonly checkpoint: string; readonly opened: ProvableLog } | undefined;

  constructor(parts: HubReceiptsParts) {
    this.#parts = parts;
  }

  checkpointOver(seq: number): string | undefined {
    const { store } = this.#parts;
    const record = logOf(store);
    if (record?.checkpoint === undefined || record.seq < seq) return undefined;
    const place = store.place(seq);
    // A change that is older than this log is in none of its entries, and no later checkpoint covers it.
    const isOlder = place === undefined || place.log !== record.log;
    return isOlder || place.entry < sizeOf(record.checkpoint) ? record.checkpoint : undefined;
  }

  async receiptOf(id: string, checkpoint: string): Promise<string | undefined> {
    const place = await this.placeOf(id);
    try {
      return place && (await this.receiptAt(id, place, checkpoint));
    } catch (error) {
      // A change is delivered even if part of the tree is damaged: fsck reports which part.
      if (error instanceof TileError) return undefined;
      throw error;
    }
  }

  /** Undefined if the change is older than the provable log, or does not exist. */
  async placeOf(id: string): Promise<PlacedChange | undefined> {
    return await placeOfId(id, { ...this.#parts, seqOf: async () => undefined });
  }

  /**
   * Includes the texts that still exist. By default it proves up to the newest checkpoint of the log with the change. Undefined if
   * that does not cover it.
   */
  async receiptAt(id: string, place: PlacedChange, checkpoint?: string): Promise<string | undefined> {
    const shown = logOf(this.#parts.store, place.log)?.checkpoint;
    const bytes = await storedEntry(place, this.#parts);
    const log = bytes && (await this.#opened(place.log, checkpoint ?? shown));
    if (log === undefined || bytes === undefined || place.entry >= log.tree.size) return undefined;
    const change = await changeAt(place.seq, this.#parts);
    const salts = unpackSalts(place.salts);
    const texts = change?.id === id && salts !== undefined ? textsOf({ ...change, salts }) : {};
    return encodeReceipt(await log.receiptOf({ index: place.entry, bytes }, texts));
  }

  /** The log as of one of its checkpoints; undefined if the checkpoint belongs to another log. */
  async #opened(log: number, checkpoint: string | undefined): Promise<ProvableLog | undefined> {
    if (checkpoint === undefined) return undefined;
    if (this.#last?.log === log && this.#last.checkpoint === checkpoint) return this.#last.opened;
    const tiles = storeTiles({ ...this.#parts, log });
    const opened = await ProvableLog.openAt(Buffer.from(checkpoint), tiles, NOTE_CRYPTO.verifySignature);
    if (opened === undefined || !opened.ok) return undefined;
    this.#last = { log, checkpoint, opened: opened.value };
    return opened.value;
  }
}

/** The size in a note of this hub. */
function sizeOf(checkpoint: string): number {
  const note = decodeSignedNote(Buffer.from(checkpoint));
  const decoded = note.ok ? decodeCheckpoint(note.value.text) : note;
  return decoded.ok ? decoded.value.treeSize : 0;
}

/** Undefined if retention removed the change from the log: its entry stays. */
async function changeAt(seq: number, { readChanges }: HubReceiptsParts): Promise<Change | undefined> {
  for await (const change of readChanges(seq - 1)) return change.seq === seq ? change : undefined;
  return undefined;
}
