import { LIMIT } from '../../../codecs/resourcesync/issue.ts';
import { HarvestError } from '../../../errors/harvest-error.ts';

export interface UnpackPorts {
  /** Decompresses, and fails on more than `maxBytes`. */
  readonly gunzip: (bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array>;
  readonly limits: { readonly maxBytes: number };
}

/** A `.gz` file is often served as raw bytes, without a content-encoding. */
export async function* unpacked(
  url: string,
  body: AsyncIterable<Uint8Array>,
  ports: UnpackPorts,
): AsyncGenerator<Uint8Array, void> {
  const packed: Uint8Array[] = [];
  let isGzip: boolean | undefined;
  for await (const piece of body) {
    if (isGzip === false) {
      yield piece;
      continue;
    }
    packed.push(piece);
    isGzip ??= isGzipStart(packed);
    if (isGzip !== false) continue;
    yield* packed.splice(0);
  }
  if (isGzip !== true) yield* packed;
  else yield await unpack(url, packed, ports);
}

/** Undefined while there are too few bytes to decide. */
function isGzipStart(pieces: readonly Uint8Array[]): boolean | undefined {
  const [first, second] = pieces.flatMap((piece) => [...piece.subarray(0, 2)]);
  if (first === undefined) return undefined;
  if (first !== 0x1f) return false;
  return second === undefined ? undefined : second === 0x8b;
}

async function unpack(
  url: string,
  pieces: readonly Uint8Array[],
  { gunzip, limits: { maxBytes } }: UnpackPorts,
): Promise<Uint8Array> {
  try {
    return await gunzip(Buffer.concat(pieces), maxBytes);
  } catch (cause) {
    throw new HarvestError(url, LIMIT, `Its gzip data is damaged, or unpacks to more than ${maxBytes} bytes.`, cause);
  }
}
