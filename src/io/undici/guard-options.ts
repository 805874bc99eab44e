import type { LookupAddress, LookupAllOptions } from 'node:dns';

/** Whom a connection may reach, and how names are resolved. */
export interface GuardOptions {
  readonly allowPrivate: boolean;
  /** Certificate authorities in PEM, beside the usual ones. */
  readonly ca?: string;
  /** Who resolves names; the system unless said otherwise. */
  readonly lookup?: LookupAll;
  /** Which addresses may be reached when private ones may not; those of the public internet unless said otherwise. */
  readonly mayReach?: (address: string) => boolean;
}

/** All addresses of a name, as `dns.lookup` gives them with `all`. */
export type LookupAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;
