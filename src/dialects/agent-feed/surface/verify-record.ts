import { type KeyObject, verify } from 'node:crypto';
import { decodeSignature } from '../../../codecs/agent-feed/signature-text.ts';
import { decodeBase64url } from '../../../codecs/primitives/base64url.ts';
import { publicKeyOf } from '../../../surface/ed25519.ts';
import type { EntryLine, SurfaceRecord } from './surface-record.ts';

/** From this number of entries on, the threads of Node are faster than this one. */
const MIN_PARALLEL = 64;
/** How many wait for a thread at a time. */
const BATCH = 1024;

interface Claim {
  readonly entry: EntryLine;
  readonly bytes: Uint8Array;
  /** Undefined if there is nothing to verify. */
  readonly proof: { readonly key: KeyObject; readonly signature: Uint8Array } | undefined;
}

/**
 * The entries of a record that none of its keys signed. Anybody who can write to the folder can add such entries, and they would be
 * published in the name of the site.
 */
export async function findForgedEntries({ keys, entries }: SurfaceRecord): Promise<readonly EntryLine[]> {
  const known = new Map(
    keys.map(({ id, publicKey }) => [id, publicKeyOf(decodeBase64url(publicKey) ?? new Uint8Array())]),
  );
  const isTrue = entries.length < MIN_PARALLEL ? isSigned : isSignedElsewhere;
  const forged: EntryLine[] = [];
  for (let at = 0; at < entries.length; at += BATCH) {
    const claims = entries.slice(at, at + BATCH).map((entry) => claimOf(entry, known.get(entry.signer)));
    const verdicts = await Promise.all(claims.map(isTrue));
    forged.push(...claims.filter((_, index) => !verdicts[index]).map(({ entry }) => entry));
  }
  return forged;
}

/** Describes the first forged entry and counts the others. */
export function forgedText([first, ...others]: readonly EntryLine[]): string | undefined {
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : ` So have ${others.length} more.`;
  return `the entry ${first.id} has a signature that does not verify.${more}`;
}

function claimOf(entry: EntryLine, key: KeyObject | undefined): Claim {
  const signature = decodeSignature(entry.signature);
  const proof = key && signature && { key, signature };
  return { entry, bytes: new TextEncoder().encode(entry.content), proof };
}

function isSigned({ bytes, proof }: Claim): boolean {
  return proof !== undefined && verify(null, bytes, proof.key, proof.signature);
}

/** The same on a separate thread. */
function isSignedElsewhere({ bytes, proof }: Claim): Promise<boolean> | boolean {
  if (proof === undefined) return false;
  return new Promise((resolve, reject) => {
    verify(null, bytes, proof.key, proof.signature, (error, isTrue) =>
      error === null ? resolve(isTrue) : reject(error),
    );
  });
}
