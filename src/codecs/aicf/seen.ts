import type { SeenDocument } from '../primitives/seen-document.ts';

/** What a reader saw of a site, live or as a folder. */
export interface AicfSeen {
  readonly discovery: SeenDocument;
  /** Where the discovery document belongs, when it was found elsewhere. */
  readonly discoveryMissingAt?: string;
  /** What `self` names; absent when nothing names a feed. */
  readonly feed?: SeenDocument;
  /** The same, asked for again with the validators of the first answer. */
  readonly feedAgain?: SeenDocument;
  /** What `archives` names, oldest first. */
  readonly archives?: readonly SeenDocument[];
  /** A few of the pages that the feed is about. */
  readonly targets?: readonly SeenDocument[];
}

/** Whether a text is a URI as RFC 3986 spells it, which `format: uri` of the schemas demands. */
export function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?:[a-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i.test(text) && !/#.*#/.test(text);
}
