import { deflateRawSync, gunzipSync, inflateRawSync } from 'node:zlib';

/** https://www.rfc-editor.org/rfc/rfc1952#section-2.3.1 */
const GZIP_MAGIC = 0x1f;
/** Neither XML nor JSON begins like this. */
const DEFLATE_MARK = 0x02;
/** Smaller ones gain less than they cost. */
const PACKED_ABOVE_CHARACTERS = 200;

/**
 * Texts that are short and much alike: each is packed by itself, with what all of them have in common known beforehand.
 *
 * What was ever packed needs the very same `common` text again: another one is another format.
 */
export class PackedText {
  readonly #dictionary: Buffer;

  constructor(common: string) {
    this.#dictionary = Buffer.from(common);
  }

  pack(text: string): Uint8Array {
    if (text.length <= PACKED_ABOVE_CHARACTERS) return Buffer.from(text);
    const packed = deflateRawSync(text, { level: 9, dictionary: this.#dictionary });
    return Buffer.concat([Buffer.of(DEFLATE_MARK), packed]);
  }

  /** Also accepts plain text, and gzip from earlier versions. Throws if it is damaged. */
  unpack(body: Uint8Array): string {
    if (body[0] === GZIP_MAGIC) return gunzipSync(body).toString();
    if (body[0] !== DEFLATE_MARK) return Buffer.from(body).toString();
    return inflateRawSync(body.subarray(1), { dictionary: this.#dictionary }).toString();
  }
}
