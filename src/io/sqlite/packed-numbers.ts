/** Numbers from 0 to 2^53, seven bits in a byte, the lowest first; the highest bit says that there is more of one. */
export function encodeNumbers(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const number of numbers) {
    let left = number;
    for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) + 0x80);
    bytes.push(left);
  }
  return Uint8Array.from(bytes);
}

/** At most this many numbers, and where they end. Throws if the last one is cut off. */
export function decodeNumbers(
  bytes: Uint8Array,
  most = Number.POSITIVE_INFINITY,
): { readonly numbers: readonly number[]; readonly end: number } {
  const numbers: number[] = [];
  let end = 0;
  while (numbers.length < most && end < bytes.length) {
    let [number, unit, byte] = [0, 1, 0x80];
    for (; byte >= 0x80; unit *= 0x80, end += 1) {
      byte = bytes[end] ?? Number.NaN;
      if (Number.isNaN(byte)) throw new Error('A number is cut off.');
      number += (byte % 0x80) * unit;
    }
    numbers.push(number);
  }
  return { numbers, end };
}
