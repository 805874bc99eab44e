import { FetchError } from './fetch-error.ts';
import type { Recovery } from './tidings-error.ts';

/** The site's robots.txt forbids the page, or is unreadable, which forbids all pages (RFC 9309 §2.3.1). */
export class RobotsDeniedError extends FetchError {
  override readonly name = 'RobotsDeniedError';
  readonly recovery: Recovery;
  /** Present if the robots.txt could not be read: it is requested again after this time. */
  readonly retryAfterMs: number | undefined;
  /** The status of the robots.txt response, if that is why it could not be read. */
  readonly status: number | undefined;

  constructor(url: URL, reason: string, { retryAfterMs, status }: RobotsUnread = {}) {
    const advice = retryAfterMs === undefined ? 'Ask the site’s operator if you need it.' : 'Try again later.';
    super(url, `${url.href} was not asked for: ${reason.replace(/\.$/, '')}. ${advice}`);
    this.recovery = retryAfterMs === undefined ? 'fix-input' : 'retry-later';
    this.retryAfterMs = retryAfterMs;
    this.status = status;
  }
}

interface RobotsUnread {
  readonly retryAfterMs?: number | undefined;
  readonly status?: number | undefined;
}

/** The origin asked for a pause (429, 503, Crawl-delay) that is longer than the caller can wait. Nothing was sent. */
export class HostPausedError extends FetchError {
  override readonly name = 'HostPausedError';
  readonly recovery = 'retry-later';
  readonly retryAfterMs: number;

  constructor(url: URL, retryAfterMs: number) {
    const seconds = Math.ceil(retryAfterMs / 1000);
    super(url, `${url.host} asked for a pause; ${url.href} was not asked for. Try again in ${seconds} s.`);
    this.retryAfterMs = retryAfterMs;
  }
}

/** A reader with priority uses the host: the hub checks its own sources. Nothing was sent, or the response is not awaited. */
export class HostBusyError extends FetchError {
  override readonly name = 'HostBusyError';
  readonly recovery = 'retry-later';
  readonly retryAfterMs = 5000;
  /** Whether the reading had begun and gave way. */
  readonly hasBegun: boolean;

  constructor(url: URL, { hasBegun = false }: { readonly hasBegun?: boolean } = {}) {
    super(url, `${url.host} is being read for a watched source, which goes first. Try again in 5 s.`);
    this.hasBegun = hasBegun;
  }
}

/** The page requires access: 401, 402 or 403. No attempt is made to get around it (AWI-SE5). */
export class AccessDeniedError extends FetchError {
  override readonly name = 'AccessDeniedError';
  readonly recovery = 'fix-input';
  readonly status: number;

  constructor(url: URL, status: number) {
    super(
      url,
      `${url.href} is not public: it ${WALLS[status] ?? 'refuses access'} (${status}). Nothing of it is read.`,
    );
    this.status = status;
  }
}

const WALLS: Readonly<Record<number, string>> = {
  401: 'asks for a login',
  402: 'asks for payment',
  403: 'refuses access',
};

/** The origin says that the page does not exist: 404 or 410. */
export class PageGoneError extends FetchError {
  override readonly name = 'PageGoneError';
  readonly recovery = 'fix-input';
  readonly status: number;
  /** A temporary redirect led there: the requested page may come back. */
  readonly isForNow: boolean;

  constructor(url: URL, status: number, { isForNow = false }: { readonly isForNow?: boolean } = {}) {
    super(url, `There is no page at ${url.href} (${status}). Check the address.`);
    this.status = status;
    this.isForNow = isForNow;
  }
}

/** Any other response status that is not the page. */
export class PageStatusError extends FetchError {
  override readonly name = 'PageStatusError';
  readonly recovery: Recovery;
  readonly status: number;

  constructor(url: URL, status: number) {
    super(
      url,
      `${url.href} answered with status ${status}. ${status >= 500 || status === 429 ? 'Try again later.' : 'Nothing of it is used.'}`,
    );
    this.status = status;
    this.recovery = status >= 500 || status === 429 ? 'retry-later' : 'fix-input';
  }
}

/** The response is not a readable page: an image, a PDF, bytes that are not text. */
export class NotAPageError extends FetchError {
  override readonly name = 'NotAPageError';
  readonly recovery = 'fix-input';
  readonly mediaType: string | undefined;

  constructor(url: URL, what: string, mediaType?: string) {
    super(url, `${url.href} is no page that can be read: ${what}`);
    this.mediaType = mediaType;
  }
}

/** The page was fetched but has no readable content. An empty document would claim that this is all. */
export class EmptyPageError extends FetchError {
  override readonly name = 'EmptyPageError';
  readonly recovery = 'fix-input';

  constructor(url: URL, advice: string) {
    super(url, `${url.href} has no readable content. ${advice}`);
  }
}

/** One look at a site has reached its limit of requests. Nothing was sent. */
export class LookSpentError extends FetchError {
  override readonly name = 'LookSpentError';
  readonly recovery = 'fix-input';

  constructor(url: URL, requests: number) {
    super(
      url,
      `${url.href} was not asked for: one look makes ${requests} requests at most. Name a smaller part of the site.`,
    );
  }
}
