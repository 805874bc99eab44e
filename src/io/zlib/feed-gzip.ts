import { promisify } from 'node:util';
import { brotliCompress, constants, deflateRaw } from 'node:zlib';

/**
 * A growing file as one gzip member whose bytes follow from the file's alone.
 *
 * The plain bytes are split at every 64 KiB. A whole segment is compressed once, with the 32 KiB before it as its dictionary and a flush at its end, so that
 * the results can follow each other in one deflate stream; the rest after the last one is compressed again for each version and ends the stream.
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc1951, https://www.rfc-editor.org/rfc/rfc1952
 */

export const SEGMENT_BYTES = 64 * 1024;
/** How far back deflate can refer. */
export const WINDOW_BYTES = 32 * 1024;
/** No name, no time, any system: the same for every version. */
export const GZIP_HEADER: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
const BROTLI_QUALITY = 5;

const deflate = promisify(deflateRaw);
const brotliBytes = promisify(brotliCompress);

/** A whole segment; `window` is what comes before it, at most 32 KiB. */
export async function deflateSegment(window: Uint8Array, segment: Uint8Array): Promise<Uint8Array> {
  return deflate(segment, { ...dictionary(window), finishFlush: constants.Z_SYNC_FLUSH });
}

/** The rest after the last segment, which may be empty, and the end of the stream. */
export async function deflateRest(window: Uint8Array, rest: Uint8Array): Promise<Uint8Array> {
  return deflate(rest, dictionary(window));
}

/** CRC-32 and length of the plain bytes. */
export function gzipTrailer(crc: number, bytes: number): Uint8Array {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc >>> 0, 0);
  trailer.writeUInt32LE(bytes % 2 ** 32, 4);
  return trailer;
}

export async function brotli(bytes: Uint8Array): Promise<Uint8Array> {
  return brotliBytes(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

function dictionary(window: Uint8Array) {
  return window.length === 0 ? {} : { dictionary: window };
}
