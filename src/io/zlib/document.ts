import { promisify } from 'node:util';
import { gunzip, gzip, gzipSync } from 'node:zlib';

const gzipAside = promisify(gzip);
const gunzipAside = promisify(gunzip);

/** A whole document in gzip, packed beside the event loop. */
export async function gzipDocument(bytes: Uint8Array): Promise<Uint8Array> {
  return gzipAside(bytes);
}

/** The plain form of one of ours. */
export async function gunzipDocument(bytes: Uint8Array): Promise<Uint8Array> {
  return gunzipAside(bytes);
}

/** A page of a few dozen kilobytes, packed at once: to wait for another thread would take longer. */
export function gzipSmall(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes);
}
