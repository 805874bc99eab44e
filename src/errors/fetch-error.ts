import { type Recovery, TidingsError } from './tidings-error.ts';

/**
 * No complete response could be got from a URL. Nothing may be concluded from that, least of all that the page is gone. The caller decides whether
 * and when to ask again.
 */
export abstract class FetchError extends TidingsError {
  readonly url: URL;

  constructor(url: URL, message: string, cause?: unknown) {
    super(message, { cause });
    this.url = url;
  }
}

/** The host does not answer, or the connection breaks before the response begins. */
export class ConnectionError extends FetchError {
  override readonly name: string = 'ConnectionError';
  readonly recovery: Recovery = 'retry-later';

  constructor(url: URL, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(url, `No answer from ${url.href}: ${reason}.`, cause);
  }
}

/** The name does not resolve. */
export class DnsError extends ConnectionError {
  override readonly name = 'DnsError';
}

/** The server cannot prove to be the host: its certificate is expired, for another name, or not signed by a trusted authority. */
export class TlsError extends ConnectionError {
  override readonly name = 'TlsError';
}

const OTHER_NAME: readonly unknown[] = ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'];

/** Whether the cause is a valid certificate for another name: the server belongs to somebody else. */
export function isOfAnotherName(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && OTHER_NAME.includes(error.code)) || isOfAnotherName(error.cause);
}

/** The server does not speak HTTP, contradicts itself about where its response ends, or sends too many headers. */
export class BadResponseError extends ConnectionError {
  override readonly name = 'BadResponseError';
}

/** The body ended before it was complete: reset, truncated, or shorter than its content-length. */
export class TruncatedBodyError extends FetchError {
  override readonly name = 'TruncatedBodyError';
  readonly recovery: Recovery = 'retry-later';

  constructor(url: URL, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(url, `The answer of ${url.href} was cut short (${reason}).`, cause);
  }
}

/** The bytes do not match their digest, even after a second request. */
export class DigestMismatchError extends FetchError {
  override readonly name = 'DigestMismatchError';
  readonly recovery: Recovery = 'retry-later';

  constructor(url: URL) {
    super(
      url,
      `The answer of ${url.href} does not have the digest that it names: it was changed on the way. Nothing of it is used.`,
    );
  }
}

/** The exchange exceeded its time limit. */
export class DeadlineError extends FetchError {
  override readonly name = 'DeadlineError';
  readonly recovery: Recovery = 'retry-later';
  readonly deadlineMs: number;

  constructor(url: URL, deadlineMs: number) {
    super(url, `${url.href} was not read within ${deadlineMs / 1000} s.`);
    this.deadlineMs = deadlineMs;
  }
}

/** A feed used up its time and reported nothing new. It is left alone for a while, so that it does not delay others again. */
export class FeedDeadlineError extends DeadlineError {
  readonly retryAfterMs = 300_000;
}

/** The caller's signal ended the exchange. */
export class FetchAbortedError extends FetchError {
  override readonly name = 'FetchAbortedError';
  readonly recovery: Recovery = 'retry-later';

  constructor(url: URL, cause: unknown) {
    super(url, `Reading ${url.href} was stopped on request.`, cause);
  }
}

/** The IP address, or one that the name resolves to, is not on the public internet. */
export class AddressRefusedError extends FetchError {
  override readonly name = 'AddressRefusedError';
  readonly recovery: Recovery = 'fix-config';
  readonly address: string;

  constructor(url: URL, address: string) {
    super(
      url,
      `${url.host} was not asked: ${address} is not a public address. Allow private addresses (--allow-private) if it is yours.`,
    );
    this.address = address;
  }
}

/** The URL is not http or https or contains a password, or the redirect must not be followed. */
export class RedirectRefusedError extends FetchError {
  override readonly name = 'RedirectRefusedError';
  readonly recovery: Recovery = 'fix-input';

  constructor(url: URL, reason: string) {
    super(url, `${url.href} cannot be read: ${reason}. Name the URL that it should lead to.`);
  }
}

/** The body exceeds a limit: on the wire, decoded, or by its compression ratio. */
export class BodyTooLargeError extends FetchError {
  override readonly name = 'BodyTooLargeError';
  readonly recovery: Recovery = 'fix-input';

  constructor(url: URL, limit: string) {
    super(url, `The answer of ${url.href} is ${limit}. It is not read; nothing of it is used.`);
  }
}

/** The body has a content-encoding that we did not ask for, is damaged in it, or is not UTF-8 where it must be. */
export class BodyEncodingError extends FetchError {
  override readonly name = 'BodyEncodingError';
  readonly recovery: Recovery = 'retry-later';

  constructor(url: URL, reason: string, cause?: unknown) {
    super(url, `The answer of ${url.href} cannot be decoded: ${reason}.`, cause);
  }
}
