import type { ByteSource } from './wire.ts';

/** Bytes in memory, readable in parts. */
export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    async read(offset, length) {
      if (offset + length > bytes.length) throw new RangeError('It reaches behind the end.');
      return bytes.subarray(offset, offset + length);
    },
  };
}
