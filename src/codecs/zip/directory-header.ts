import { decodeEntryName, shownName } from './entry-name.ts';
import {
  DEFLATED,
  DIRECTORY_HEADER,
  DIRECTORY_HEADER_BYTES,
  ENCRYPTED_FLAG,
  STORED,
  viewOf,
  ZIP_ENCRYPTED,
  ZIP_FORM,
  ZIP_LIMIT,
  ZIP_METHOD,
  ZIP_NAME,
  ZIP_SPECIAL,
  type ZipEntry,
  ZipFlaw,
} from './wire.ts';

/** Patched data, strong encryption, masked headers. */
const REFUSED_FLAGS = (1 << 5) | (1 << 6) | (1 << 13);
const UNIX_REGULAR = 0o10;
const UNIX_FOLDER = 0o04;
const UNICODE_NAME = 0x7075;
const ZIP64 = 0x0001;

/** Reads one entry of the directory, and its length there. Throws a {@link ZipFlaw} for an unsafe one. */
export function readDirectoryHeader(bytes: Uint8Array): { entry: Omit<ZipEntry, 'end'>; length: number } {
  const view = viewOf(bytes);
  if (view.getUint32(0, true) !== DIRECTORY_HEADER) throw new ZipFlaw(ZIP_FORM, 'Its directory is damaged.');
  const nameEnd = DIRECTORY_HEADER_BYTES + view.getUint16(28, true);
  const extraEnd = nameEnd + view.getUint16(30, true);
  const length = extraEnd + view.getUint16(32, true);
  if (length > bytes.length) throw new ZipFlaw(ZIP_FORM, 'Its directory is cut off.');

  const name = decodeEntryName(bytes.subarray(DIRECTORY_HEADER_BYTES, nameEnd));
  const isFolder = name.endsWith('/');
  const flags = view.getUint16(8, true);
  const method = view.getUint16(10, true);
  const crc32 = view.getUint32(16, true);
  const packedBytes = view.getUint32(20, true);
  const size = view.getUint32(24, true);
  if ((flags & ENCRYPTED_FLAG) !== 0) throw new ZipFlaw(ZIP_ENCRYPTED, `${shownName(name)} is encrypted.`);
  if ((flags & REFUSED_FLAGS) !== 0) throw new ZipFlaw(ZIP_ENCRYPTED, `${shownName(name)} is encrypted or a patch.`);
  if (method !== STORED && method !== DEFLATED) {
    throw new ZipFlaw(ZIP_METHOD, `${shownName(name)} is packed by method ${method}; only 0 and 8 are read.`);
  }
  if (view.getUint16(34, true) !== 0) throw new ZipFlaw(ZIP_FORM, 'It is one of several volumes.');
  refuseSpecial(name, view.getUint32(38, true) >>> 28, isFolder);
  checkExtra(bytes.subarray(nameEnd, extraEnd), name);
  if (method === STORED && packedBytes !== size) throw new ZipFlaw(ZIP_FORM, `${shownName(name)} has two lengths.`);
  if (isFolder && size !== 0) throw new ZipFlaw(ZIP_SPECIAL, `${shownName(name)} is a folder with content.`);
  const start = view.getUint32(42, true);
  return {
    entry: { name, isFolder, isDeflated: method === DEFLATED, bytes: size, packedBytes, crc32, flags, start },
    length,
  };
}

/** Refuses links, devices and the like. `type` is that of a Unix mode; 0 if none is given. */
function refuseSpecial(name: string, type: number, isFolder: boolean): void {
  const expected = isFolder ? UNIX_FOLDER : UNIX_REGULAR;
  if (type !== 0 && type !== expected) {
    throw new ZipFlaw(ZIP_SPECIAL, `${shownName(name)} is a link or another special file.`);
  }
}

function checkExtra(extra: Uint8Array, name: string): void {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; ) {
    const id = view.getUint16(at, true);
    const end = at + 4 + view.getUint16(at + 2, true);
    if (id === ZIP64) throw new ZipFlaw(ZIP_LIMIT, `${shownName(name)} has sizes of ZIP64, which is not read.`);
    // Some readers use this name instead. It has a version, a checksum, then UTF-8.
    if (id === UNICODE_NAME && decodeEntryName(extra.subarray(at + 9, end)) !== name) {
      throw new ZipFlaw(ZIP_NAME, `${shownName(name)} has another name, too.`);
    }
    at = end;
  }
}
