import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';

const gzipAside = promisify(gzip);

/** A whole document in gzip, packed beside the event loop. */
export async function gzipDocument(bytes: Uint8Array): Promise<Uint8Array> {
  return gzipAside(bytes);
}

/** A page of a few dozen kilobytes, packed at once: to wait for another thread would take longer. */
export function gzipSmall(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes);
}
