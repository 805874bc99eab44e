import type { KeyRing } from './key-ring.ts';

/** The owner of sources that strangers asked for. It is not the hash of an API key. */
export const SELF_SERVICE = 'self-service';

/** How an owner is shown to the admin: as the beginning of his key. Undefined: it is the admin's, or nobody's any more. */
export function shownOwner(owner: string | undefined, keys: Pick<KeyRing, 'newestOf'>): string | undefined {
  return owner === undefined || owner === SELF_SERVICE ? owner : keys.newestOf(owner)?.prefix;
}
