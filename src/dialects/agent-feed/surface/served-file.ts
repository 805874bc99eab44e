import { DID_PATH } from '../../../codecs/agent-feed/wire.ts';
import type { Artifact } from '../../../model/artifact.ts';
import type { SurfaceRecord } from './surface-record.ts';

const FRESH_SEC = 300;
/** Short, because a reader with an old did.json takes the entries of a new key for forged (AF-SC2). */
const FRESH_WHILE_ROTATING_SEC = 60;

/** A file for agents, with its headers. `path` is below the root of the origin. */
export function servedFile(path: string, bytes: Uint8Array, record?: SurfaceRecord): Artifact {
  const isBrief = path === DID_PATH && record !== undefined && isRotating(record);
  return {
    path: path.slice(1),
    // Plain JSON and Atom without a charset (AF-IA1, AF-IA2): both formats state their encoding themselves.
    mediaType: path.endsWith('.xml') ? 'application/atom+xml' : 'application/json',
    cacheControl: `public, max-age=${isBrief ? FRESH_WHILE_ROTATING_SEC : FRESH_SEC}`,
    bytes,
  };
}

/** From when the new key is added until its first entry. */
function isRotating({ keys, entries }: SurfaceRecord): boolean {
  const newest = keys.at(-1)?.id;
  return keys.length > 1 && !entries.some(({ signer }) => signer === newest);
}
