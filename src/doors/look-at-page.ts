import type { LivePage } from '../crawl/live-page.ts';
import type { SiteTerms } from '../crawl/site-terms.ts';
import { PageGoneError } from '../errors/crawl-error.ts';
import { FetchError } from '../errors/fetch-error.ts';
import { extractPage } from '../extract/extract-page.ts';
import { isOnlyNotice, noticeOf } from '../extract/notice-page.ts';
import type { ReadingRules } from '../extract/rules/reading-rules.ts';
import type { LookAtPage } from '../sync/page-look.ts';

export interface PageLookPorts {
  /** Throws the same errors as LivePages. */
  readonly readPage: (url: URL, signal: AbortSignal) => Promise<LivePage>;
  readonly terms: SiteTerms;
  readonly rules: ReadingRules;
  /** Whether the terms of use are read. */
  readonly hearsTerms: boolean;
}

/** Reads pages for an index. A substitute for a page, such as a challenge, does not count as a page. */
export function createPageLooks({ readPage, terms, rules, hearsTerms }: PageLookPorts): LookAtPage {
  return async (url, signal) => {
    try {
      const live = await readPage(new URL(url), signal);
      const page = extractPage(live.text, url, rules);
      if (page.markdown.trim() === '') return { is: 'failed', reason: 'there is no text in it' };
      const notice = noticeOf(page, live.text);
      if (isOnlyNotice(notice, page, live.text))
        return { is: 'failed', reason: `a notice (${notice}) is in its place` };
      return { is: 'page', page, terms: hearsTerms ? await terms.read(live, signal) : undefined };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FetchError)) throw error;
      const isGone = error instanceof PageGoneError && !error.isForNow;
      return { is: isGone ? 'gone' : 'failed', reason: error.message };
    }
  };
}
