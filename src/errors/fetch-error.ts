import { type Recovery, TidingsError } from './tidings-error.ts';

/**
 * No whole answer could be had from a URL. Nothing may be concluded from it, least of all that the page is gone. Whether it is
 * asked again, and when, is said by who goes on asking.
 */
export abstract class FetchError extends TidingsError {
  readonly url: URL;

  constructor(url: URL, message: string, cause?: unknown) {
    super(message, { cause });
    this.url = url;
  }
}

/** Nobody answers, or the connection breaks before the answer begins. */
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

/** Who answers cannot prove to be the host: the certificate is expired, for another name, or signed by nobody we trust. */
export class TlsError extends ConnectionError {
  override readonly name = 'TlsError';
}

const OTHER_NAME: readonly unknown[] = ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'];

/** Whether it comes of a certificate that is good and for another name: who answers is somebody else. */
export function isOfAnotherName(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && OTHER_NAME.includes(error.code)) || isOfAnotherName(error.cause);
}

/** What answers does not speak HTTP, contradicts itself about where its answer ends, or sends headers without measure. */
export class BadResponseError extends ConnectionError {
  override readonly name = 'BadResponseError';
}

/** The body ended before it was whole: reset, cut, or shorter than its content-length. */
export class TruncatedBodyError extends FetchError {
  override readonly name = 'TruncatedBodyError';
  readonly recovery: Recovery = 'retry-later';

  constructor(url: URL, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(url, `The answer of ${url.href} was cut short (${reason}).`, cause);
  }
}

/** The bytes are others than their digest says, also when they were asked for once more. */
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

/** The exchange took longer than it may. */
export class DeadlineError extends FetchError {
  override readonly name = 'DeadlineError';
  readonly recovery: Recovery = 'retry-later';
  readonly deadlineMs: number;

  constructor(url: URL, deadlineMs: number) {
    super(url, `${url.href} was not read within ${deadlineMs / 1000} s.`);
    this.deadlineMs = deadlineMs;
  }
}

/** A feed took its time and told nothing new. It is left alone for a while, so that it does not keep others waiting again. */
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

/** The address, or one that the name resolves to, is not on the public internet. */
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

/** Not http or https, with a password in it, or a redirect that may not be followed. */
export class RedirectRefusedError extends FetchError {
  override readonly name = 'RedirectRefusedError';
  readonly recovery: Recovery = 'fix-input';

  constructor(url: URL, reason: string) {
    super(url, `${url.href} cannot be read: ${reason}. Name the URL that it should lead to.`);
  }
}

/** The body is larger than we read, on the wire, decoded, or by its ratio of compression. */
export class BodyTooLargeError extends FetchError {
  override readonly name = 'BodyTooLargeError';
  readonly recovery: Recovery = 'fix-input';

  constructor(url: URL, limit: string) {
    super(url, `The answer of ${url.href} is ${limit}. It is not read; nothing of it is used.`);
  }
}

/** The body is in a content-encoding that we did not ask for, or is damaged in it, or is not UTF-8 where it must be. */
export class BodyEncodingError extends FetchError {
  override readonly name = 'BodyEncodingError';
  readonly recovery: Recovery = 'retry-later';

  constructor(url: URL, reason: string, cause?: unknown) {
    super(url, `The answer of ${url.href} cannot be decoded: ${reason}.`, cause);
  }
}
