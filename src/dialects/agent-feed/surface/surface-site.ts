import { didOf } from '../../../codecs/agent-feed/did-web.ts';
import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { siteAddress } from '../../../crawl/site-address.ts';
import { siteRefusedError } from '../../../errors/refusals.ts';
import { type IsPublicAddress, isPrivateHost } from './private-host.ts';

/** The origin that the surface describes. */
export interface SurfaceSite {
  readonly origin: URL;
  readonly did: string;
  /** The origin, and what it says about its surface, can be reached only from inside a private network. */
  readonly isPrivate: boolean;
}

export interface SiteChecks {
  readonly force: boolean;
  readonly isPublicAddress: IsPublicAddress;
}

/** Checks that the address is a whole origin with https, as agent-feed requires. */
export function surfaceSite(text: string, { force, isPublicAddress }: SiteChecks): SurfaceSite {
  const isPrivate = canParseUrl(text) && isPrivateHost(new URL(text), isPublicAddress);
  const origin = siteAddress(text, { force: force || isPrivate });
  if (origin.pathname !== '/') {
    throw siteRefusedError(text, `agent-feed describes a whole origin. Give ${origin.origin}/ without a path.`);
  }
  if (origin.protocol !== 'https:' && !(force && isPrivate)) {
    throw siteRefusedError(text, 'agent-feed is read over https only. Give the https address of the site.');
  }
  return { origin, did: didOf(origin), isPrivate };
}
