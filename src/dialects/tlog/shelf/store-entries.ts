import { decodeEntry } from '../../../codecs/tlog/decode-entry.ts';
import { decodeEntryBundle } from '../../../codecs/tlog/entry-bundle.ts';
import { TILE_WIDTH } from '../../../codecs/tlog/tile-path.ts';
import { logOf } from './store-tiles.ts';
import type { LoggedPlace, TlogStore } from './tlog-store.ts';

export interface StoreEntriesParts {
  readonly store: TlogStore;
  readonly gunzip: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

/** The bytes of all stored entries of a bundle, full or not; undefined if it cannot be read. */
export async function storedBundle(
  log: number,
  index: number,
  { store, gunzip }: StoreEntriesParts,
): Promise<readonly Uint8Array[] | undefined> {
  const { size = 0 } = logOf(store, log) ?? {};
  if (index === Math.floor(size / TILE_WIDTH)) return store.openEntries(log);
  const packed = store.bundle(log, index);
  if (packed === undefined) return undefined;
  const entries = decodeEntryBundle(await gunzip(packed), TILE_WIDTH);
  return entries.ok ? entries.value : undefined;
}

/** The bytes of one entry; undefined if the log has no entry with that index. */
export async function storedEntry(
  { log, entry }: Pick<LoggedPlace, 'log' | 'entry'>,
  parts: StoreEntriesParts,
): Promise<Uint8Array | undefined> {
  return (await storedBundle(log, Math.floor(entry / TILE_WIDTH), parts))?.[entry % TILE_WIDTH];
}

/**
 * Finds the entry of a change by its id. `seqOf` knows the changes that the hub still has. Others are found by bisection in the
 * entries, whose ids rise with `seq`. Undefined if the change is older than the provable log, or does not exist.
 */
export async function placeOfId(
  id: string,
  parts: StoreEntriesParts & { readonly seqOf: (id: string) => Promise<number | undefined> },
): Promise<(LoggedPlace & { readonly seq: number }) | undefined> {
  const { store, seqOf } = parts;
  const known = await seqOf(id);
  if (known !== undefined) return placed(store, known);
  let [low, high] = [1, store.logs().at(-1)?.seq ?? 0];
  while (low <= high) {
    const seq = Math.floor((low + high) / 2);
    const place = store.place(seq);
    const found = place === undefined ? undefined : await idOfEntry(place, parts);
    if (found === id) return placed(store, seq);
    // A change without an entry is older than the log.
    if (found === undefined || found < id) low = seq + 1;
    else high = seq - 1;
  }
  return undefined;
}

function placed(store: TlogStore, seq: number): (LoggedPlace & { readonly seq: number }) | undefined {
  const place = store.place(seq);
  return place && { ...place, seq };
}

async function idOfEntry(place: LoggedPlace, parts: StoreEntriesParts): Promise<string | undefined> {
  const bytes = await storedEntry(place, parts);
  const decoded = bytes && decodeEntry(bytes);
  return decoded?.ok && decoded.value.entry.type === 'change' ? decoded.value.entry.id : undefined;
}
