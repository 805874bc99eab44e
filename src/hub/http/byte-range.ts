/** From `start` up to, but not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const ONE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * The range that `Range` asks for, of a document of `size` bytes.
 *
 * Undefined: answer as if the header were missing. This holds for other units, for malformed values, and for several ranges at once, which a server need not
 * support (RFC 9110 §14.2).
 */
export function byteRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = ONE_RANGE.exec(header);
  if (match === null) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') return last === '' ? undefined : suffix(Number(last), size);

  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) };
}

/** The last `length` bytes. An empty document has no parts, so it is served whole. */
function suffix(length: number, size: number): ByteRange | 'unsatisfiable' | undefined {
  if (length === 0) return 'unsatisfiable';
  return size === 0 ? undefined : { start: Math.max(0, size - length), end: size };
}
