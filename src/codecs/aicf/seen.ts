import type { SeenDocument } from '../primitives/seen-document.ts';

/** What a reader fetched from a site, or read from a folder. */
export interface AicfSeen {
  readonly discovery: SeenDocument;
  /** Where the discovery document should be, if it was found elsewhere. */
  readonly discoveryMissingAt?: string;
  /** The feed that `self` names; absent if nothing names a feed. */
  readonly feed?: SeenDocument;
  /** The same feed, requested again with the validators of the first response. */
  readonly feedAgain?: SeenDocument;
  /** The files that `archives` names, oldest first. */
  readonly archives?: readonly SeenDocument[];
  /** A few of the pages that the feed lists. */
  readonly targets?: readonly SeenDocument[];
}

/** Whether a text is a URI by RFC 3986, as `format: uri` in the schemas requires. */
export function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?:[a-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i.test(text) && !/#.*#/.test(text);
}
