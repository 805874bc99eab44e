import { TidingsError } from './tidings-error.ts';

/** What was asked cannot be followed: an address or a starting point that makes no sense. */
export class FollowRefusedError extends TidingsError {
  override readonly name = 'FollowRefusedError';
  readonly recovery = 'fix-config';
}

/** Some events wait for their page. They come out of a later poll, or with `contentError` after five tries. */
export class EventsWithheldError extends TidingsError {
  override readonly name = 'EventsWithheldError';
  readonly recovery = 'retry-later';
  readonly source: string;
  readonly count: number;
  /** Why the first of them waits. */
  readonly reason: string;

  constructor(source: string, count: number, reason: string) {
    const events = count === 1 ? '1 event waits for its page' : `${count} events wait for their pages`;
    super(`${source}: ${events} (${reason}). Follow again to get ${count === 1 ? 'it' : 'them'}.`);
    this.source = source;
    this.count = count;
    this.reason = reason;
  }
}

/** A publisher names an address that is not on the public internet, by itself or through a redirect. It was not asked. */
export class NamedAddressRefusedError extends TidingsError {
  override readonly name = 'NamedAddressRefusedError';
  readonly recovery = 'fix-input';
  readonly source: string;
  readonly address: string;

  constructor(source: string, { url, address, cause }: { url: URL; address: string; cause: unknown }) {
    super(`${source} leads to ${url.href}, which was not asked: ${address} is not a public address.`, { cause });
    this.source = source;
    this.address = address;
  }
}

/** Several sources could not be read to their end. */
export class FollowIncompleteError extends TidingsError {
  override readonly name = 'FollowIncompleteError';
  readonly recovery = 'retry-later';
  readonly errors: readonly TidingsError[];

  constructor(errors: readonly TidingsError[]) {
    super(
      `${errors.length} sources could not be followed to their end: ${errors.map(({ message }) => message).join(' | ')}`,
    );
    this.errors = errors;
  }
}

/** Another follower, in this process or another one, uses the same state file. */
export class FollowLockedError extends TidingsError {
  override readonly name = 'FollowLockedError';
  readonly recovery = 'retry-later';
  readonly file: string;

  constructor(file: string) {
    super(
      `${file} is in use by another follower. Wait until it ends, or name another --state. ` +
        'The lock ends with its process; no file needs to be removed by hand.',
    );
    this.file = file;
  }
}
