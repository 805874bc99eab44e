import { headLinks } from '../extract/head-links.ts';
import { type HubLinks, namedHubs } from '../fetch/named-hubs.ts';
import type { NamedHubs } from '../model/named-hubs.ts';
import type { LivePages } from './live-page.ts';

/** Reads pages and records the hubs that one of them names. */
export interface PageHubEar {
  readonly pages: LivePages;
  /** Undefined until the page was read. */
  readonly hubs: NamedHubs | undefined;
}

export function hearPageHubs(pages: LivePages, address: string): PageHubEar {
  let hubs: NamedHubs | undefined;
  return {
    get hubs() {
      return hubs;
    },
    pages: {
      async read(request) {
        const answer = await pages.read(request);
        if (request.url.href !== address) return answer;
        const inside = answer.kind === 'page' ? hubLinksIn(answer.text, answer.url.href) : undefined;
        hubs = namedHubs(address, answer, inside) ?? hubs;
        return answer;
      },
    },
  };
}

/** The hubs that the head of a page names. */
export function hubLinksIn(html: string, pageUrl: string): HubLinks {
  const links = headLinks(html, pageUrl);
  return {
    hubs: links.filter(({ rels }) => rels.includes('hub')).map(({ url }) => url),
    self: links.find(({ rels }) => rels.includes('self'))?.url,
  };
}
