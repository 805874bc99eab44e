import { promisify } from 'node:util';
import { gunzip as gunzipBytes } from 'node:zlib';

const unpack = promisify(gunzipBytes);

/** Decompresses gzip data. Fails when it is damaged or cut, and before it has grown beyond `maxBytes`. */
export async function gunzip(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  return await unpack(bytes, { maxOutputLength: maxBytes });
}
