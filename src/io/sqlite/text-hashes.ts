/** The length of a SHA-256 hash. */
export const HASH_BYTES = 32;

const HASH = /[0-9a-f]{64}/g;
/** Replaces a hash, followed by a character that says which. Texts that contain it keep their hashes. */
const MARK = '\u0000';
const MARKED = /\0(.)/gsu;
/** A character of one byte says which. */
const MOST_HASHES = 0x7f;

/** A text without the hashes in hex that are not in `known`, and those as bytes: no packing makes them smaller than that. */
export function takeHashes(text: string, known: string): { readonly plain: string; readonly hashes: Uint8Array } {
  const taken = new Map<string, number>();
  if (text.includes(MARK)) return { plain: text, hashes: new Uint8Array() };
  const plain = text.replace(HASH, (hash) => {
    if (!taken.has(hash) && (taken.size === MOST_HASHES || known.includes(hash))) return hash;
    const place = taken.get(hash) ?? taken.size;
    taken.set(hash, place);
    return MARK + String.fromCharCode(place);
  });
  return { plain, hashes: Buffer.from([...taken.keys()].join(''), 'hex') };
}

export function withHashes(plain: string, hashes: Uint8Array): string {
  if (hashes.length === 0) return plain;
  const hex = Buffer.from(hashes).toString('hex');
  return plain.replace(MARKED, (_, place: string) => {
    const start = place.charCodeAt(0) * 2 * HASH_BYTES;
    return hex.slice(start, start + 2 * HASH_BYTES);
  });
}
