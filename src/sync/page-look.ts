import type { UsageTerms } from '../crawl/usage-terms.ts';
import type { Page } from '../model/page.ts';

/** The result of one look at a page. A failed look says nothing about the page. */
export type PageLook =
  | { readonly is: 'page'; readonly page: Page; readonly terms?: UsageTerms | undefined }
  /** Its host says that the page does not exist. */
  | { readonly is: 'gone'; readonly reason: string }
  | { readonly is: 'failed'; readonly reason: string };

/** Throws only if the signal is aborted, or for a bug. */
export type LookAtPage = (url: string, signal: AbortSignal) => Promise<PageLook>;
