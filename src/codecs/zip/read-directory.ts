import { accept, type Result, refuse } from '../primitives/result.ts';
import { readDirectoryHeader } from './directory-header.ts';
import { refuseDoubles, shownName } from './entry-name.ts';
import {
  type ByteSource,
  DIRECTORY_END,
  DIRECTORY_END_BYTES,
  DIRECTORY_HEADER_BYTES,
  viewOf,
  ZIP_BOMB,
  ZIP_FORM,
  ZIP_LAYOUT,
  ZIP_LIMIT,
  ZIP64_LOCATOR,
  ZIP64_LOCATOR_BYTES,
  type ZipEntry,
  ZipFlaw,
} from './wire.ts';

export interface ZipLimits {
  /** The most files and folders. */
  readonly maxEntries: number;
  /** The most bytes that all of them may unpack to. */
  readonly maxBytes: number;
}

const MAX_COMMENT_BYTES = 0xffff;
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024;
/** Text compresses to a tenth, and to a fiftieth if it is repetitive. Anything better was made on purpose. */
const MAX_RATIO = 200;
const HARMLESS_BYTES = 1024 * 1024;

/** All entries of the directory, in byte order. Refuses the archive if one entry is unsafe or ambiguous. */
export async function readZipDirectory(source: ByteSource, limits: ZipLimits): Promise<Result<readonly ZipEntry[]>> {
  try {
    const place = await findDirectory(source);
    if (place.entries > limits.maxEntries) {
      throw new ZipFlaw(ZIP_LIMIT, `It has ${place.entries} entries, over ${limits.maxEntries}.`);
    }
    if (place.bytes > MAX_DIRECTORY_BYTES) throw new ZipFlaw(ZIP_LIMIT, 'Its directory is too large.');
    const entries = placed(readHeaders(await source.read(place.offset, place.bytes), place.entries), place.offset);
    refuseDoubles(entries);
    refuseBomb(entries, limits, source.size);
    return accept(entries);
  } catch (error) {
    if (!(error instanceof ZipFlaw)) throw error;
    return refuse(error.clause, error.message);
  }
}

interface DirectoryPlace {
  readonly offset: number;
  readonly bytes: number;
  readonly entries: number;
}

/** The end of the archive says where its directory is. An archive with two ends is two archives, and each reader may see either. */
async function findDirectory(source: ByteSource): Promise<DirectoryPlace> {
  const length = Math.min(source.size, DIRECTORY_END_BYTES + MAX_COMMENT_BYTES + ZIP64_LOCATOR_BYTES);
  const tail = viewOf(await source.read(source.size - length, length));
  const marks: number[] = [];
  for (let at = length - DIRECTORY_END_BYTES; at >= 0; at -= 1) {
    if (tail.getUint8(at) === 0x50 && tail.getUint32(at, true) === DIRECTORY_END) marks.push(at);
  }
  const ends = marks.filter((at) => at + DIRECTORY_END_BYTES + tail.getUint16(at + 20, true) === length);
  const end = ends.at(-1);
  if (end === undefined) {
    throw marks.length === 0
      ? new ZipFlaw(ZIP_FORM, 'It is no ZIP archive, or it was cut off.')
      : new ZipFlaw(ZIP_LAYOUT, 'Something stands behind its end.');
  }
  if (marks.some((at) => at > end)) throw new ZipFlaw(ZIP_LAYOUT, 'Its comment holds the end of another archive.');
  if (end >= ZIP64_LOCATOR_BYTES && tail.getUint32(end - ZIP64_LOCATOR_BYTES, true) === ZIP64_LOCATOR) {
    throw new ZipFlaw(ZIP_LIMIT, 'It is a ZIP64 archive: those are for sizes that are not read here.');
  }
  const entries = tail.getUint16(end + 10, true);
  const isWhole = tail.getUint32(end + 4, true) === 0 && tail.getUint16(end + 8, true) === entries;
  if (!isWhole) throw new ZipFlaw(ZIP_FORM, 'It is one of several volumes.');
  const bytes = tail.getUint32(end + 12, true);
  const offset = tail.getUint32(end + 16, true);
  if (offset + bytes !== source.size - length + end) {
    throw new ZipFlaw(ZIP_LAYOUT, 'Its directory is not where its end says, right before it.');
  }
  return { offset, bytes, entries };
}

type UnplacedEntry = Omit<ZipEntry, 'end'>;

function readHeaders(directory: Uint8Array, count: number): readonly UnplacedEntry[] {
  const entries: UnplacedEntry[] = [];
  let at = 0;
  while (at < directory.length) {
    if (entries.length === count || at + DIRECTORY_HEADER_BYTES > directory.length) {
      throw new ZipFlaw(ZIP_FORM, 'Its directory does not hold as many entries as it says.');
    }
    const { entry, length } = readDirectoryHeader(directory.subarray(at));
    entries.push(entry);
    at += length;
  }
  if (entries.length !== count) throw new ZipFlaw(ZIP_FORM, 'Its directory does not hold as many entries as it says.');
  return entries;
}

/** Each entry extends to the next one. Reading it shows whether it fills that space. */
function placed(unplaced: readonly UnplacedEntry[], directory: number): readonly ZipEntry[] {
  const sorted = [...unplaced].sort((a, b) => a.start - b.start);
  if ((sorted[0]?.start ?? directory) !== 0) throw new ZipFlaw(ZIP_LAYOUT, 'Something stands before its first entry.');
  return sorted.map((entry, index) => {
    const end = sorted[index + 1]?.start ?? directory;
    if (end <= entry.start) throw new ZipFlaw(ZIP_LAYOUT, `${shownName(entry.name)} overlaps another entry.`);
    return { ...entry, end };
  });
}

function refuseBomb(entries: readonly ZipEntry[], { maxBytes }: ZipLimits, size: number): void {
  const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > maxBytes) throw new ZipFlaw(ZIP_BOMB, `It unpacks to ${total} bytes, over ${maxBytes}.`);
  const isTooDense = (bytes: number, packed: number) => bytes > HARMLESS_BYTES && bytes > packed * MAX_RATIO;
  const dense = entries.find(({ bytes, packedBytes }) => isTooDense(bytes, packedBytes));
  if (dense !== undefined || isTooDense(total, size)) {
    const what = dense === undefined ? 'It' : shownName(dense.name);
    throw new ZipFlaw(ZIP_BOMB, `${what} unpacks to over ${MAX_RATIO} times its size.`);
  }
}
