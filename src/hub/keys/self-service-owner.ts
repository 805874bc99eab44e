import type { KeyRing } from './key-ring.ts';

/** Whose the sources are that strangers asked for. It is the hash of no API key. */
export const SELF_SERVICE = 'self-service';

/** How an owner is shown to the admin: as the beginning of his key. Undefined: it is the admin's, or nobody's any more. */
export function shownOwner(owner: string | undefined, keys: Pick<KeyRing, 'newestOf'>): string | undefined {
  return owner === undefined || owner === SELF_SERVICE ? owner : keys.newestOf(owner)?.prefix;
}
