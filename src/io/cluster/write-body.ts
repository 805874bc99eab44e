import { promisify } from 'node:util';
import { deflateRaw, inflateRaw, inflateRawSync } from 'node:zlib';

/** What a write of the journal says: JSON, and bytes that would not fit into it. */
export interface WriteBody {
  readonly value: unknown;
  readonly blobs?: readonly Uint8Array[];
}

/** The first byte gives the form of the rest. */
const FORM = { plain: 0, deflated: 1 } as const;
const LENGTH_BYTES = 4;
/** Smaller ones are unpacked sooner than they are handed to another thread. */
const INFLATED_ELSEWHERE_ABOVE_BYTES = 16 * 1024;
/** Smaller ones hardly shrink. */
const DEFLATED_ABOVE_BYTES = 400;

/**
 * One byte for the form; then, deflated or not: the length of the JSON in 4 bytes, the JSON `{ value, sizes }`, and the blobs one after another. Both are part
 * of the format of the journal.
 */
export async function packBody({ value, blobs = [] }: WriteBody): Promise<Uint8Array> {
  const json = Buffer.from(JSON.stringify({ value, sizes: blobs.map(({ byteLength }) => byteLength) }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  const plain = Buffer.concat([length, json, ...blobs]);
  if (plain.length <= DEFLATED_ABOVE_BYTES) return Buffer.concat([Buffer.of(FORM.plain), plain]);
  return Buffer.concat([Buffer.of(FORM.deflated), await promisify(deflateRaw)(plain)]);
}

/** Throws if it is damaged. */
export async function unpackBody(body: Uint8Array): Promise<Required<WriteBody>> {
  const rest = Buffer.from(body.buffer, body.byteOffset + 1, body.byteLength - 1);
  const plain = body[0] === FORM.deflated ? await inflated(rest) : rest;
  const behindJson = LENGTH_BYTES + plain.readUInt32BE();
  const { value, sizes } = JSON.parse(plain.toString('utf8', LENGTH_BYTES, behindJson)) as {
    readonly value: unknown;
    readonly sizes: readonly number[];
  };
  let at = behindJson;
  const blobs = sizes.map((size) => {
    at += size;
    return new Uint8Array(plain.buffer, plain.byteOffset + at - size, size);
  });
  if (at !== plain.length) throw new Error('A write of the journal has another length than it says.');
  return { value, blobs };
}

async function inflated(bytes: Buffer): Promise<Buffer> {
  if (bytes.length > INFLATED_ELSEWHERE_ABOVE_BYTES) return await promisify(inflateRaw)(bytes);
  return inflateRawSync(bytes);
}
