import { accept, type Result, refuse } from '../primitives/result.ts';
import { crc32 } from './crc32.ts';
import { flawOfName, refuseDoubles, shownName } from './entry-name.ts';
import {
  DEFLATED,
  DIRECTORY_END,
  DIRECTORY_END_BYTES,
  DIRECTORY_HEADER,
  DIRECTORY_HEADER_BYTES,
  LOCAL_HEADER,
  LOCAL_HEADER_BYTES,
  STORED,
  UTF8_FLAG,
  viewOf,
  ZIP_LIMIT,
  ZIP_NAME,
  ZipFlaw,
} from './wire.ts';

/** A file, ready to be added to an archive. */
export interface PackedFile {
  readonly name: string;
  readonly data: Uint8Array;
  readonly isDeflated: boolean;
  /** The unpacked size. */
  readonly bytes: number;
  readonly crc32: number;
}

const MAX_FILES = 0xfffe;
const MAX_ARCHIVE_BYTES = 0xfffffffe;
/** Requires inflate, and names in UTF-8. */
const VERSION = 20;
/** Made by Unix, so that the mode counts. */
const MADE_BY = (3 << 8) | VERSION;
const MODE = 0o100644 << 16;
/** 1 January 1980, the first day that ZIP can express: the time of packing says nothing about a file. */
const DOS_DATE = (1 << 5) | 1;
/** A file that compresses better than this is stored, so that no careful reader takes it for a bomb. */
const MAX_RATIO = 50;

/** Deflated if that helps. `deflate` returns raw data. */
export function packFile(name: string, bytes: Uint8Array, deflate: (bytes: Uint8Array) => Uint8Array): PackedFile {
  const facts = { name, bytes: bytes.length, crc32: crc32(bytes) };
  const deflated = deflate(bytes);
  const isWorth = deflated.length < bytes.length && deflated.length * MAX_RATIO >= bytes.length;
  return isWorth
    ? { ...facts, data: deflated, isDeflated: true }
    : // Makes a copy even of a Buffer, whose own slice() would not.
      { ...facts, data: new Uint8Array(bytes), isDeflated: false };
}

/** What a file adds to an archive besides its data. */
export function zipOverheadOf(name: string): number {
  return LOCAL_HEADER_BYTES + DIRECTORY_HEADER_BYTES + 2 * new TextEncoder().encode(name).length;
}

/** An archive with these files, in this order. The same files always give the same bytes. */
export function encodeZip(files: readonly PackedFile[]): Result<Uint8Array> {
  try {
    return accept(encode(files));
  } catch (error) {
    if (!(error instanceof ZipFlaw)) throw error;
    return refuse(error.clause, error.message);
  }
}

function encode(files: readonly PackedFile[]): Uint8Array {
  if (files.length > MAX_FILES) throw new ZipFlaw(ZIP_LIMIT, `It has ${files.length} files, over ${MAX_FILES}.`);
  refuseDoubles(files.map(({ name }) => ({ name, isFolder: false })));
  const overhead = files.reduce((sum, { name }) => sum + zipOverheadOf(name), DIRECTORY_END_BYTES);
  const size = files.reduce((sum, { data }) => sum + data.length, overhead);
  if (size > MAX_ARCHIVE_BYTES) throw new ZipFlaw(ZIP_LIMIT, `It is ${size} bytes large, over ${MAX_ARCHIVE_BYTES}.`);

  const archive = new Uint8Array(size);
  const starts: number[] = [];
  let at = 0;
  for (const file of files) {
    starts.push(at);
    at = writeFile(archive, at, file);
  }
  const directory = at;
  for (const [index, file] of files.entries()) at = writeDirectoryHeader(archive, at, file, starts[index] ?? 0);
  const end = viewOf(archive.subarray(at));
  end.setUint32(0, DIRECTORY_END, true);
  end.setUint16(8, files.length, true);
  end.setUint16(10, files.length, true);
  end.setUint32(12, at - directory, true);
  end.setUint32(16, directory, true);
  return archive;
}

function writeFile(archive: Uint8Array, at: number, file: PackedFile): number {
  const flaw = file.name.endsWith('/') ? 'is that of a folder' : flawOfName(file.name);
  if (flaw !== undefined) throw new ZipFlaw(ZIP_NAME, `The name ${shownName(file.name)} ${flaw}.`);
  const name = new TextEncoder().encode(file.name);
  const view = viewOf(archive.subarray(at));
  view.setUint32(0, LOCAL_HEADER, true);
  writeFacts(view, 4, file, name.length);
  archive.set(name, at + LOCAL_HEADER_BYTES);
  archive.set(file.data, at + LOCAL_HEADER_BYTES + name.length);
  return at + LOCAL_HEADER_BYTES + name.length + file.data.length;
}

function writeDirectoryHeader(archive: Uint8Array, at: number, file: PackedFile, start: number): number {
  const name = new TextEncoder().encode(file.name);
  const view = viewOf(archive.subarray(at));
  view.setUint32(0, DIRECTORY_HEADER, true);
  view.setUint16(4, MADE_BY, true);
  writeFacts(view, 6, file, name.length);
  view.setUint32(38, MODE, true);
  view.setUint32(42, start, true);
  archive.set(name, at + DIRECTORY_HEADER_BYTES);
  return at + DIRECTORY_HEADER_BYTES + name.length;
}

/** What both headers contain, in the same order. */
function writeFacts(view: DataView, at: number, file: PackedFile, nameBytes: number): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, UTF8_FLAG, true);
  view.setUint16(at + 4, file.isDeflated ? DEFLATED : STORED, true);
  view.setUint16(at + 8, DOS_DATE, true);
  view.setUint32(at + 10, file.crc32, true);
  view.setUint32(at + 14, file.data.length, true);
  view.setUint32(at + 18, file.bytes, true);
  view.setUint16(at + 22, nameBytes, true);
}
