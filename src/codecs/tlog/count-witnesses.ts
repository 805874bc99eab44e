import { encodeHex } from '../primitives/hex.ts';
import type { VerifierKey } from './verifier-key.ts';
import type { NoteSigner } from './verify-note.ts';

/** How far ahead of our clock a witness may be. */
const MAX_AHEAD_SECONDS = 300n;

export interface CountedWitnesses {
  /** Distinct public keys: two names of one key are one witness. */
  readonly count: number;
  readonly counted: readonly NoteSigner[];
  /** Signed, but not counted. */
  readonly uncounted: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * How many of the configured witnesses have cosigned. A quorum shows that they saw one history, not that the checkpoint is new.
 *
 * @example
 * const { count } = countWitnesses(opened.value.signers, witnessKeys, Date.now() / 1000); // 2
 */
export function countWitnesses(
  signers: readonly NoteSigner[],
  witnesses: readonly VerifierKey[],
  nowSeconds: number,
): CountedWitnesses {
  const wanted = new Set(witnesses.filter(({ use }) => use === 'witness').map(({ publicKey }) => encodeHex(publicKey)));
  const latest = BigInt(Math.floor(nowSeconds)) + MAX_AHEAD_SECONDS;
  const counted = new Map<string, NoteSigner>();
  const uncounted: { name: string; reason: string }[] = [];
  for (const signer of signers) {
    const { key, time } = signer;
    const publicKey = encodeHex(key.publicKey);
    if (time === undefined || !wanted.has(publicKey)) continue;
    if (time > latest)
      uncounted.push({
        name: key.name,
        reason: `It says that it signed ${time - latest + MAX_AHEAD_SECONDS} s from now.`,
      });
    else if (counted.has(publicKey)) uncounted.push({ name: key.name, reason: 'It has the key of another witness.' });
    else counted.set(publicKey, signer);
  }
  return { count: counted.size, counted: [...counted.values()], uncounted };
}
