/**
 * ZIP, as the packages of ResourceSync use it: files that are stored or deflated, and a directory of them at the end.
 *
 *     PK\3\4 … name data    PK\3\4 … name data    PK\1\2 … name    PK\1\2 … name    PK\5\6 …
 *     a file                a file                the directory                     where the directory is
 *
 * Both the header before a file and the directory describe it. Programs trust one or the other. So an archive where the two differ, or
 * that has bytes which neither describes, is refused: it could show different files to different readers. ZIP64 is not supported.
 *
 * Spec: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */

/** Bytes that can be read in parts: a file on disk, or data in memory. */
export interface ByteSource {
  readonly size: number;
  /** Returns exactly `length` bytes. Fails if they no longer exist. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A file or a folder according to the directory. */
export interface ZipEntry {
  /**
   * Safe to join to a folder: relative, `/` between names, nothing that leads elsewhere. The name of a folder ends with a slash.
   */
  readonly name: string;
  readonly isFolder: boolean;
  readonly isDeflated: boolean;
  /** The unpacked size. */
  readonly bytes: number;
  readonly packedBytes: number;
  readonly crc32: number;
  readonly flags: number;
  /** Where its own header begins, and where the next one or the directory begins. */
  readonly start: number;
  readonly end: number;
}

/** What raw deflate data unpacks to, and how many of its bytes were used. */
export interface Inflated {
  readonly bytes: Uint8Array;
  readonly used: number;
}

/** Undefined as soon as it would exceed `maxBytes`. Fails on damaged data. */
export type Inflate = (packed: Uint8Array, maxBytes: number) => Promise<Inflated | undefined>;

export const LOCAL_HEADER = 0x04034b50;
export const DIRECTORY_HEADER = 0x02014b50;
export const DIRECTORY_END = 0x06054b50;
export const ZIP64_LOCATOR = 0x07064b50;
export const DESCRIPTOR = 0x08074b50;

export const LOCAL_HEADER_BYTES = 30;
export const DIRECTORY_HEADER_BYTES = 46;
export const DIRECTORY_END_BYTES = 22;
export const ZIP64_LOCATOR_BYTES = 20;

export const STORED = 0;
export const DEFLATED = 8;

export const ENCRYPTED_FLAG = 1;
/** Checksum and sizes come after the data instead of before it. */
export const DESCRIPTOR_FLAG = 1 << 3;
export const UTF8_FLAG = 1 << 11;

/** The reasons for refusing an archive. */
export const ZIP_FORM = 'ZIP-FORM';
export const ZIP_LAYOUT = 'ZIP-LAYOUT';
export const ZIP_LOCAL = 'ZIP-LOCAL';
export const ZIP_NAME = 'ZIP-NAME';
export const ZIP_DOUBLE = 'ZIP-DOUBLE';
export const ZIP_SPECIAL = 'ZIP-SPECIAL';
export const ZIP_ENCRYPTED = 'ZIP-ENCRYPTED';
export const ZIP_METHOD = 'ZIP-METHOD';
export const ZIP_LIMIT = 'ZIP-LIMIT';
export const ZIP_BOMB = 'ZIP-BOMB';
export const ZIP_DAMAGED = 'ZIP-DAMAGED';

/** Thrown while an archive is read or written. The caller turns it into a refusal. */
export class ZipFlaw extends Error {
  override readonly name = 'ZipFlaw';
  readonly clause: string;

  constructor(clause: string, message: string) {
    super(message);
    this.clause = clause;
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
