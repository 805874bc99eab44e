import type { LivePages } from '../../crawl/live-page.ts';
import type { SiteComparison } from '../../produce/site-source.ts';
import type { VisitPorts } from './visit-ports.ts';

/** Watches a look at pages. */
export interface LookWatch {
  readonly pages: LivePages;
  readonly onCompared: (comparison: SiteComparison) => void;
  /** When a page was requested; undefined if it could not be read or is not believed. */
  readonly seenMs: (page: string) => number | undefined;
}

export function createLookWatch({ pages, now }: Pick<VisitPorts, 'pages' | 'now'>): LookWatch {
  const askedMs = new Map<string, number>();
  const unsure = new Set<string>();
  return {
    pages: {
      read(request) {
        askedMs.set(request.url.href, now());
        return pages.read(request);
      },
    },
    onCompared({ failures, vanished, seemingGone = [], doubted = [] }) {
      const urls = [...failures.map(({ file }) => file), ...vanished, ...seemingGone];
      for (const url of [...urls, ...doubted.map(({ record }) => record.url)]) unsure.add(url);
    },
    seenMs: (page) => (unsure.has(page) ? undefined : askedMs.get(page)),
  };
}
