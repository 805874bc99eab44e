import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const gzipAside = promisify(gzip);

/** A whole document in gzip, packed beside the event loop. */
export async function gzipDocument(bytes: Uint8Array): Promise<Uint8Array> {
  return gzipAside(bytes);
}
