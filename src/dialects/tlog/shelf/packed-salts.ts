import { SALTED_FIELDS } from '../../../tlog/with-salts.ts';

type Salts = Readonly<Record<string, string>>;

const SALT_BYTES = 32;

/**
 * The salts of a change in few bytes: one bit per text that has a salt, in the order of {@link SALTED_FIELDS}, then the salts of 32
 * bytes. Empty if there are none.
 */
export function packSalts(salts: Salts = {}): Uint8Array {
  const present = SALTED_FIELDS.flatMap((field, bit) => {
    const salt = salts[field];
    return salt === undefined ? [] : [{ bit, bytes: Buffer.from(salt, 'hex') }];
  });
  if (present.length === 0) return new Uint8Array();
  const packed = new Uint8Array(1 + present.length * SALT_BYTES);
  for (const [at, { bit, bytes }] of present.entries()) {
    if (bytes.length !== SALT_BYTES) throw new RangeError('A salt has 32 bytes.');
    packed[0] = (packed[0] ?? 0) + 2 ** bit;
    packed.set(bytes, 1 + at * SALT_BYTES);
  }
  return packed;
}

/** Undefined if {@link packSalts} did not make these bytes. */
export function unpackSalts(packed: Uint8Array): Salts | undefined {
  const [mask = 0] = packed;
  const fields = SALTED_FIELDS.filter((_, bit) => Math.floor(mask / 2 ** bit) % 2 === 1);
  const isWhole =
    mask < 2 ** SALTED_FIELDS.length && packed.length === (fields.length > 0 ? 1 : 0) + fields.length * SALT_BYTES;
  if (!isWhole) return undefined;
  return Object.fromEntries(
    fields.map((field, at) => [
      field,
      Buffer.from(packed.subarray(1 + at * SALT_BYTES, 1 + (at + 1) * SALT_BYTES)).toString('hex'),
    ]),
  );
}
