import {
  AccessDeniedError,
  HostPausedError,
  NotAPageError,
  PageGoneError,
  PageStatusError,
  RobotsDeniedError,
} from '../errors/crawl-error.ts';
import {
  AddressRefusedError,
  ConnectionError,
  DeadlineError,
  FetchError,
  RedirectRefusedError,
} from '../errors/fetch-error.ts';
import { leadsForNow } from './crawl-ledger.ts';
import type { SiteScope } from './site-scope.ts';

/**
 * What a failure means for the whole site: `busy` asks for a pause, `broken` may concern only this page, `silent` is no answer, and with `stop` it is
 * useless to continue.
 */
export type SiteTrouble = 'busy' | 'broken' | 'silent' | 'stop';

export interface VisitVerdict {
  /** `gone` and `none` are answers; nothing follows from `failed`. */
  readonly outcome: 'gone' | 'none' | 'failed';
  readonly message: string;
  readonly trouble?: SiteTrouble;
}

export interface Judging {
  readonly scope: SiteScope;
  /** Whether the page was read before. */
  readonly isKnown: boolean;
  /** Whether the site itself says that there is a page, not only a link. */
  readonly isWanted: boolean;
}

const BUSY = [429, 503];

/** What follows from an error of {@link LivePages.read}. Rethrows bugs and errors that we must fix. */
export function judgeError(error: unknown, { scope, isKnown, isWanted }: Judging): VisitVerdict {
  if (!(error instanceof FetchError)) throw error;
  const { message } = error;
  const isOwnHost = error.url.host === scope.base.host;
  if (error instanceof AddressRefusedError && isOwnHost) throw error;
  if (error instanceof PageGoneError) {
    if (error.isForNow && isKnown) return { outcome: 'failed', message: leadsForNow(error.url.href) };
    // The end of a redirect to another site says nothing about this page.
    return scope.take(error.url) === undefined ? { outcome: 'failed', message } : { outcome: 'gone', message };
  }
  if (error instanceof RobotsDeniedError) {
    return error.retryAfterMs === undefined
      ? { outcome: 'none', message }
      : { outcome: 'failed', message, ...(isOwnHost && { trouble: 'stop' }) };
  }
  if (error instanceof HostPausedError) return { outcome: 'failed', message, ...(isOwnHost && { trouble: 'stop' }) };
  if (error instanceof AccessDeniedError) return { outcome: isWanted ? 'failed' : 'none', message };
  if (error instanceof NotAPageError) return { outcome: isHtml(error.mediaType) ? 'failed' : 'none', message };
  if (error instanceof RedirectRefusedError || error instanceof AddressRefusedError)
    return { outcome: 'failed', message };
  if (error instanceof ConnectionError || error instanceof DeadlineError)
    return { outcome: 'failed', message, trouble: 'silent' };
  if (!(error instanceof PageStatusError)) return { outcome: 'failed', message, trouble: 'broken' };
  if (BUSY.includes(error.status)) return { outcome: 'failed', message, trouble: 'busy' };
  return { outcome: 'failed', message, ...(error.status >= 500 && { trouble: 'broken' }) };
}

function isHtml(mediaType: string | undefined): boolean {
  return mediaType === undefined || /html/.test(mediaType);
}
