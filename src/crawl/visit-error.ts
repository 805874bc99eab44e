import {
  AccessDeniedError,
  HostPausedError,
  NotAPageError,
  PageGoneError,
  PageStatusError,
  RobotsDeniedError,
} from '../errors/crawl-error.ts';
import { AddressRefusedError, FetchError, RedirectRefusedError } from '../errors/fetch-error.ts';
import type { SiteScope } from './site-scope.ts';

/** What a failure says of the site as a whole: `busy` asks for peace, `down` may be chance, `stop` is no use to go on. */
export type Trouble = 'busy' | 'down' | 'stop';

export interface Verdict {
  /** `gone` and `none` are answers; `failed` is none, and nothing follows from it. */
  readonly outcome: 'gone' | 'none' | 'failed';
  readonly message: string;
  readonly trouble?: Trouble;
}

export interface Judging {
  readonly scope: SiteScope;
  /** Whether the site itself says that there is a page: not only some link. */
  readonly isWanted: boolean;
}

const BUSY = [429, 503];

/** What follows from an error of {@link LivePages.read}. Throws it again if it is a bug, or ours to mend. */
export function judgeError(error: unknown, { scope, isWanted }: Judging): Verdict {
  if (!(error instanceof FetchError)) throw error;
  const { message } = error;
  const isOwnHost = error.url.host === scope.base.host;
  if (error instanceof AddressRefusedError && isOwnHost) throw error;
  if (error instanceof PageGoneError) {
    // The end of a redirect to somewhere else says nothing about this page.
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
  if (!(error instanceof PageStatusError)) return { outcome: 'failed', message, trouble: 'down' };
  if (BUSY.includes(error.status)) return { outcome: 'failed', message, trouble: 'busy' };
  return { outcome: 'failed', message, ...(error.status >= 500 && { trouble: 'down' }) };
}

function isHtml(mediaType: string | undefined): boolean {
  return mediaType === undefined || /html/.test(mediaType);
}
