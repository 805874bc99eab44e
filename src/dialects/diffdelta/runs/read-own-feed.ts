import { isCursor } from '../../../codecs/diffdelta/cursor.ts';
import { hashOfText } from '../../../codecs/diffdelta/encode.ts';
import { readObject } from '../../../codecs/diffdelta/read-object.ts';
import { BUCKETS, type DiffDeltaFeed } from '../../../codecs/diffdelta/wire.ts';
import { isRecord } from '../../../codecs/primitives/json-record.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';

/**
 * Reads a feed that we wrote. Undefined for anything else, and for one of ours that was altered. Its hash covers every other byte,
 * but anybody can make one, so the fields that the next feed is made from are checked, too.
 */
export function readOwnFeed(bytes: Uint8Array): DiffDeltaFeed | undefined {
  const text = utf8Text(bytes);
  const hash = hashOfText(text);
  if (hash === undefined || !hasHash(text, hash)) return undefined;
  const read = readObject(text);
  return read.ok && isOwnFeed(read.value) ? read.value : undefined;
}

/** Whether these are the bytes that our index names by their hash. Then we wrote them, and they need not be parsed. */
export function isListedFeed(bytes: Uint8Array, hash: string): boolean {
  const text = utf8Text(bytes);
  return hasHash(text, hash) && hashOfText(text) === hash;
}

function utf8Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

function hasHash(text: string, hash: string): boolean {
  return text.startsWith(`{"hash":"${hash}",`);
}

function isOwnFeed(value: object): value is DiffDeltaFeed {
  const { buckets, sources, cursor, generated_at: at } = value as Partial<Record<keyof DiffDeltaFeed, unknown>>;
  if (!isRecord(buckets) || !isRecord(sources) || !isCursor(cursor)) return false;
  if (typeof at !== 'string' || parseTime(at) === undefined) return false;
  const items = BUCKETS.flatMap((bucket) => buckets[bucket]);
  return items.every(isOwnItem) && Object.values(sources).every(isRecord);
}

/** A bucket that is missing or not a list shows up as an invalid item. */
function isOwnItem(item: unknown): boolean {
  if (!isRecord(item) || !isRecord(item.provenance)) return false;
  const { source, id, published_at, provenance } = item;
  return [source, id, published_at, provenance.content_hash, provenance.fetched_at].every(
    (text) => typeof text === 'string',
  );
}
