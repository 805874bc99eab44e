import { accept, type Result, refuse } from '../primitives/result.ts';
import { FORM } from './issue.ts';

const GZIP = [0x1f, 0x8b];
const NOTHING = new Uint8Array(0);

/**
 * Decodes bytes that may be cut inside a character. Invalid bytes are refused.
 *
 * The platform decoder could keep the cut character, but then returns strings that are several times slower to read.
 */
export class Utf8Pieces {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #magic: number[] = [];
  #rest: Uint8Array = NOTHING;

  decode(piece: Uint8Array): Result<string> {
    if (this.#magic.length < GZIP.length) this.#magic.push(...piece.subarray(0, GZIP.length));
    const bytes = this.#rest.length === 0 ? piece : joined(this.#rest, piece);
    // One byte cannot distinguish gzip from a control character.
    const end = bytes.length === 1 && bytes[0] === GZIP[0] ? 0 : wholeLength(bytes);
    this.#rest = end === bytes.length ? NOTHING : bytes.slice(end);
    return this.#decodeWhole(bytes.subarray(0, end));
  }

  /** Fails if a character is incomplete. */
  end(): Result<string> {
    return this.#decodeWhole(this.#rest);
  }

  #decodeWhole(bytes: Uint8Array): Result<string> {
    try {
      return accept(this.#decoder.decode(bytes));
    } catch {
      const isGzip = GZIP.every((byte, at) => this.#magic[at] === byte);
      return refuse(FORM, isGzip ? 'It is compressed with gzip, which is not undone here.' : 'It is not UTF-8.');
    }
  }
}

/** The number of bytes up to the last complete character. */
function wholeLength(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back += 1) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) return length;
    if (byte >= 0xc0) return lengthOf(byte) > back ? length - back : length;
  }
  return length;
}

function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
