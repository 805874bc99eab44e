import type { AnsweredDocument, UnreadDocument } from '../codecs/primitives/seen-document.ts';
import { ASKED_AGAIN } from '../errors/fetch-error.ts';
import type { Recovery } from '../errors/tidings-error.ts';

interface ReadOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The body is not wanted; `bytes` comes back empty. */
  readonly headersOnly?: boolean;
  /** More is a failure. Of a folder every file is read. */
  readonly maxBodyBytes?: number;
  /** Of a folder: a larger file is a failure, and is not read. */
  readonly maxFileBytes?: number;
}

/** A document that could not be read, and what would help. */
export interface FailedRead extends UnreadDocument {
  readonly recovery: Recovery;
  readonly cause?: unknown;
  /** It is larger than was asked for. */
  readonly isTooLarge?: boolean;
}

/**
 * A site to be checked, live or as a folder.
 *
 * `read` takes a path of the site (`/.well-known/…`) or an absolute URL, and any answer is an answer: it does not
 * throw when a document cannot be had.
 */
export interface DocumentSource {
  /** How messages call it. */
  readonly name: string;
  /** Whether it speaks HTTP: conditional requests and pages can be tried. */
  readonly live: boolean;
  /** Where the discovery document may be, the right place first. */
  readonly discoveryPaths: readonly string[];
  /** The one document that is meant, where that was said rather than a site. A discovery document is among the paths, too. */
  readonly named?: { readonly is: 'feed' | 'discovery'; readonly address: string };
  /** What to take for the feed when there is no discovery document. */
  readonly feedAddress?: string;
  /** Whether requests carry a key of the user's. */
  readonly hasKey?: boolean;
  read(address: string, options?: ReadOptions): Promise<AnsweredDocument | FailedRead>;
}

/** What an error says has happened. A check asks once: nobody asks again. */
export function failureOf({ message }: Error): string {
  return message.replace(` ${ASKED_AGAIN}`, '');
}
