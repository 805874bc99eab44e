import { logOrigin } from '../../../codecs/tlog/log-origin.ts';
import { signCheckpoint } from '../../../codecs/tlog/sign-checkpoint.ts';
import { encodeVerifierKey, makeVerifierKey, type VerifierKey } from '../../../codecs/tlog/verifier-key.ts';
import { createSigner, publicKeyOfSeed } from '../../../surface/ed25519.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import type { TlogHead, TlogIdentity } from './tlog-store.ts';

export interface NewIdentity {
  readonly seed: Uint8Array;
  /** The public address of the hub. */
  readonly base: URL;
  readonly epoch?: string | undefined;
}

export function newIdentity({ seed, base, epoch }: NewIdentity): TlogIdentity {
  const origin = logOrigin(base);
  const vkey = encodeVerifierKey(verifierKeyOf({ origin, seed }));
  return { origin, vkey, seed, ...(epoch !== undefined && { epoch }) };
}

export function verifierKeyOf({ origin, seed }: Pick<TlogIdentity, 'origin' | 'seed'>): VerifierKey {
  return makeVerifierKey({ name: origin, use: 'log', publicKey: publicKeyOfSeed(seed) }, sha256);
}

/** Signs only the heads of logs. */
export interface HubLogSigner {
  /** The signed note of a stored head: the same text each time. */
  sign(identity: TlogIdentity, head: TlogHead): string;
}

/** Each key is made once, because that takes longer than signing. */
export function createLogSigner(): HubLogSigner {
  const known = new WeakMap<
    Uint8Array,
    { readonly key: VerifierKey; readonly sign: (bytes: Uint8Array) => Uint8Array }
  >();
  return {
    sign(identity, { size, root }) {
      const { seed, origin } = identity;
      const ready = known.get(seed) ?? { key: verifierKeyOf(identity), sign: createSigner(seed) };
      known.set(seed, ready);
      return signCheckpoint({ origin, treeSize: size, rootHash: root }, ready.key, ready.sign);
    },
  };
}
