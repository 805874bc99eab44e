import { accept, type Result, refuse } from '../primitives/result.ts';
import { crc32 } from './crc32.ts';
import { shownName } from './entry-name.ts';
import {
  type ByteSource,
  DEFLATED,
  DESCRIPTOR,
  DESCRIPTOR_FLAG,
  ENCRYPTED_FLAG,
  type Inflate,
  LOCAL_HEADER,
  LOCAL_HEADER_BYTES,
  STORED,
  UTF8_FLAG,
  viewOf,
  ZIP_BOMB,
  ZIP_DAMAGED,
  ZIP_LAYOUT,
  ZIP_LOCAL,
  type ZipEntry,
  ZipFlaw,
} from './wire.ts';

const COMPARED_FLAGS = ENCRYPTED_FLAG | DESCRIPTOR_FLAG | UTF8_FLAG;
const DESCRIBED_ELSEWHERE: ReadonlySet<number> = new Set([0, 0xffffffff]);

/** The content of an entry. It must have the length and the checksum of both its headers, with no other bytes beside it. */
export async function readZipEntry(source: ByteSource, entry: ZipEntry, inflate: Inflate): Promise<Result<Uint8Array>> {
  try {
    const region = await source.read(entry.start, entry.end - entry.start);
    const packed = packedData(region, entry);
    const bytes = entry.isDeflated ? await inflated(packed, entry, inflate) : packed;
    if (crc32(bytes) !== entry.crc32) throw new ZipFlaw(ZIP_DAMAGED, `${shownName(entry.name)} is damaged.`);
    return accept(bytes);
  } catch (error) {
    if (!(error instanceof ZipFlaw)) throw error;
    return refuse(error.clause, error.message);
  }
}

/** The data between its own header and its end. Nothing else may be there. */
function packedData(region: Uint8Array, entry: ZipEntry): Uint8Array {
  const shown = shownName(entry.name);
  if (region.length < LOCAL_HEADER_BYTES) throw new ZipFlaw(ZIP_LAYOUT, `${shown} overlaps another entry.`);
  const view = viewOf(region);
  if (view.getUint32(0, true) !== LOCAL_HEADER) throw new ZipFlaw(ZIP_LOCAL, `${shown} is not where it should be.`);
  const nameEnd = LOCAL_HEADER_BYTES + view.getUint16(26, true);
  const start = nameEnd + view.getUint16(28, true);
  const end = start + entry.packedBytes;
  if (end > region.length) throw new ZipFlaw(ZIP_LAYOUT, `${shown} overlaps another entry.`);
  const name = new TextDecoder().decode(region.subarray(LOCAL_HEADER_BYTES, nameEnd));
  if (name !== entry.name || !isSameHeader(view, entry)) {
    throw new ZipFlaw(ZIP_LOCAL, `The directory and the header of ${shown} contradict each other.`);
  }
  if (!isDescriptor(region.subarray(end), entry)) {
    throw new ZipFlaw(ZIP_LAYOUT, `Something stands behind ${shown} that belongs to no entry.`);
  }
  return region.subarray(start, end);
}

function isSameHeader(view: DataView, entry: ZipEntry): boolean {
  const flags = view.getUint16(6, true);
  const isLater = (flags & DESCRIPTOR_FLAG) !== 0;
  const isSame = (at: number, value: number) => {
    const said = view.getUint32(at, true);
    return said === value || (isLater && DESCRIBED_ELSEWHERE.has(said));
  };
  return (
    (flags & COMPARED_FLAGS) === (entry.flags & COMPARED_FLAGS) &&
    view.getUint16(8, true) === (entry.isDeflated ? DEFLATED : STORED) &&
    isSame(14, entry.crc32) &&
    isSame(18, entry.packedBytes) &&
    isSame(22, entry.bytes)
  );
}

/** Checksum and sizes, of four or eight bytes, with or without a mark. If none is announced, it must be empty. */
function isDescriptor(bytes: Uint8Array, { flags, crc32: sum, packedBytes, bytes: size }: ZipEntry): boolean {
  if ((flags & DESCRIPTOR_FLAG) === 0) return bytes.length === 0;
  const view = viewOf(bytes);
  const at = bytes.length === 16 || bytes.length === 24 ? 4 : 0;
  const isWide = bytes.length - at === 20;
  if (!isWide && bytes.length - at !== 12) return false;
  if (at > 0 && view.getUint32(0, true) !== DESCRIPTOR) return false;
  const number = (from: number) => (isWide ? Number(view.getBigUint64(from, true)) : view.getUint32(from, true));
  const sizeAt = at + (isWide ? 12 : 8);
  return view.getUint32(at, true) === sum && number(at + 4) === packedBytes && number(sizeAt) === size;
}

async function inflated(packed: Uint8Array, entry: ZipEntry, inflate: Inflate): Promise<Uint8Array> {
  const shown = shownName(entry.name);
  const result = await inflate(packed, entry.bytes).catch((cause: unknown) => {
    throw new ZipFlaw(ZIP_DAMAGED, `${shown} cannot be unpacked (${cause instanceof Error ? cause.message : cause}).`);
  });
  if (result?.bytes.length !== entry.bytes) {
    throw new ZipFlaw(ZIP_BOMB, `${shown} does not unpack to the ${entry.bytes} bytes that it says.`);
  }
  const { bytes, used } = result;
  if (used !== packed.length) throw new ZipFlaw(ZIP_LAYOUT, `Something stands behind the data of ${shown}.`);
  return bytes;
}
