import type { Use } from '../../codecs/usage-terms/usage.ts';
import type { LivePages } from '../../crawl/live-page.ts';
import type { SiteTerms } from '../../crawl/site-terms.ts';
import { HostBusyError, HostPausedError, RobotsDeniedError } from '../../errors/crawl-error.ts';
import { AddressRefusedError } from '../../errors/fetch-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { isSameOwner } from '../../fetch/same-site.ts';

export interface ConsentPorts {
  /** The way out for what strangers name: polite, and never into private networks. */
  readonly pages: LivePages;
  readonly terms: Pick<SiteTerms, 'read'>;
}

/** Whether a site may be followed, according to one of its pages. */
export type SiteConsent =
  | { readonly is: 'open'; readonly url: URL }
  | { readonly is: 'closed' | 'unreadable' | 'later'; readonly reason: string };

/** Feeds say where a page is found and give a few words of it, to programs most of all. */
const NEEDED: readonly Use[] = ['search', 'ai-input'];
const MAX_WAIT_MS = 10_000;

/** Asks for robots.txt, the first page, and what the site says of the use of its pages. */
export async function readConsent(url: URL, { pages, terms }: ConsentPorts, signal: AbortSignal): Promise<SiteConsent> {
  try {
    const page = await pages.read({ url, signal, maxWaitMs: MAX_WAIT_MS });
    if (page.kind !== 'page') return { is: 'unreadable', reason: 'The site could not be read.' };
    if (!isSameOwner(page.url.hostname, url.hostname)) {
      return { is: 'closed', reason: `It leads to ${page.url.origin}/. Ask for that site instead.` };
    }
    const { uses } = await terms.read(page, signal);
    const refused = NEEDED.find((use) => uses[use] === 'no');
    if (refused === undefined) return { is: 'open', url: page.url };
    return { is: 'closed', reason: `The site says that its pages are not to be used for "${refused}".` };
  } catch (error) {
    if (signal.aborted) return { is: 'later', reason: 'The site did not answer in time.' };
    if (!(error instanceof TidingsError)) throw error;
    return judged(error);
  }
}

function judged(error: TidingsError): SiteConsent {
  // Do not reveal which address of our own network a name leads to.
  if (error instanceof AddressRefusedError) return { is: 'closed', reason: NOT_PUBLIC };
  if (error instanceof RobotsDeniedError && error.retryAfterMs === undefined) {
    return { is: 'closed', reason: error.message };
  }
  const isLater = [RobotsDeniedError, HostPausedError, HostBusyError].some((kind) => error instanceof kind);
  return { is: isLater ? 'later' : 'unreadable', reason: `The site could not be read: ${error.message}` };
}

export const NOT_PUBLIC = 'Only sites on the public web are followed.';
