import type { UsageTerms } from '../crawl/usage-terms.ts';
import type { Page } from '../model/page.ts';

/** What one look at a page came to. A look that failed says nothing of the page. */
export type PageLook =
  | { readonly is: 'page'; readonly page: Page; readonly terms?: UsageTerms | undefined }
  /** Its host says that there is no such page. */
  | { readonly is: 'gone'; readonly reason: string }
  | { readonly is: 'failed'; readonly reason: string };

/** Throws only when the signal is aborted, or for a bug. */
export type LookAtPage = (url: string, signal: AbortSignal) => Promise<PageLook>;
