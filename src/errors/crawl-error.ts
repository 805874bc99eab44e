import { FetchError } from './fetch-error.ts';
import type { Recovery } from './tidings-error.ts';

/** The site's robots.txt forbids the page, or cannot be read, which forbids all of them (RFC 9309 §2.3.1). */
export class RobotsDeniedError extends FetchError {
  override readonly name = 'RobotsDeniedError';
  readonly recovery: Recovery;
  /** Present when the robots.txt could not be read: it is asked for again after this. */
  readonly retryAfterMs: number | undefined;
  /** What the robots.txt answered with, where that is why it could not be read. */
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

/** The host is being read by who goes first: the hub checks its own sources. Nothing was sent, or what was sent is not waited for. */
export class HostBusyError extends FetchError {
  override readonly name = 'HostBusyError';
  readonly recovery = 'retry-later';
  readonly retryAfterMs = 5000;
  /** Whether it was being read, and gave way. */
  readonly hasBegun: boolean;

  constructor(url: URL, { hasBegun = false }: { readonly hasBegun?: boolean } = {}) {
    super(url, `${url.host} is being read for a watched source, which goes first. Try again in 5 s.`);
    this.hasBegun = hasBegun;
  }
}

/** The page is behind a wall: 401, 402 or 403. There is no way round it, and none is tried (AWI-SE5). */
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

/** The origin says that there is no such page: 404 or 410. */
export class PageGoneError extends FetchError {
  override readonly name = 'PageGoneError';
  readonly recovery = 'fix-input';
  readonly status: number;
  /** A temporary redirect led there: what was asked for may be back at its place. */
  readonly isForNow: boolean;

  constructor(url: URL, status: number, { isForNow = false }: { readonly isForNow?: boolean } = {}) {
    super(url, `There is no page at ${url.href} (${status}). Check the address.`);
    this.status = status;
    this.isForNow = isForNow;
  }
}

/** Any other answer that is not the page. */
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

/** What answered is no page that can be read: an image, a PDF, bytes that are no text. */
export class NotAPageError extends FetchError {
  override readonly name = 'NotAPageError';
  readonly recovery = 'fix-input';
  readonly mediaType: string | undefined;

  constructor(url: URL, what: string, mediaType?: string) {
    super(url, `${url.href} is no page that can be read: ${what}`);
    this.mediaType = mediaType;
  }
}

/** The page was fetched and has nothing in it that can be read. A document with no content would say that this is all. */
export class EmptyPageError extends FetchError {
  override readonly name = 'EmptyPageError';
  readonly recovery = 'fix-input';

  constructor(url: URL, advice: string) {
    super(url, `${url.href} has no readable content. ${advice}`);
  }
}

/** One look at a site has asked for as much as it may. Nothing was sent. */
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
