import type { AnsweredDocument, UnreadDocument } from '../codecs/primitives/seen-document.ts';
import type { Recovery } from '../errors/tidings-error.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';

interface ReadOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers with a key of the user. They are sent only to the origin of the place. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  /** The body is not needed; `bytes` is empty. */
  readonly headersOnly?: boolean;
  /** A larger body is a failure. Does not apply to files of a folder. */
  readonly maxBodyBytes?: number;
  /** For a folder: a larger file is a failure and is not read. */
  readonly maxFileBytes?: number;
}

/** A document that could not be read, and what would help. */
export interface FailedRead extends UnreadDocument {
  readonly recovery: Recovery;
  readonly cause?: unknown;
  /** It is larger than the requested maximum. */
  readonly isTooLarge?: boolean;
}

/**
 * A site to check, live or as a folder.
 *
 * `read` takes a path of the site (`/.well-known/…`) or an absolute URL. It does not throw if a document is unavailable: every answer is a result.
 */
export interface DocumentSource {
  /** Its name in messages. */
  readonly name: string;
  /** Whether it speaks HTTP, so that conditional requests and pages can be tried. */
  readonly live: boolean;
  /** The URL that a user named: of a live site, of one of its pages, or of a document. A folder has none. */
  readonly url?: URL;
  read(address: string, options?: ReadOptions): Promise<AnsweredDocument | FailedRead>;
}

/** A definite answer. Throws an {@link UnreadableTargetError} if the site cannot answer now. */
export function answerOf(
  { name }: Pick<DocumentSource, 'name'>,
  document: AnsweredDocument | FailedRead,
): AnsweredDocument {
  if (document.kind === 'unread') {
    throw new UnreadableTargetError(name, document.failure, document.recovery, document.cause);
  }
  if (document.status >= 500 || document.status === 429) {
    throw new UnreadableTargetError(name, `${document.where} answers with status ${document.status}`, 'retry-later');
  }
  return document;
}

const HTML_PAGE = /^[\ufeff\s]*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body)[\s>]/i;
const FIRST_BYTES = 1000;

/**
 * Whether a site has a document at one of these addresses. Servers that answer every path with an HTML page do not count.
 *
 * Throws an {@link UnreadableTargetError} if the site cannot answer now.
 */
export async function hasDocument(source: DocumentSource, addresses: readonly string[]): Promise<boolean> {
  for (const address of addresses) {
    const document = await source.read(address);
    if (document.kind === 'unread' && document.recovery === 'fix-input') continue;
    const { status, bytes, where } = answerOf(source, document);
    if (status !== 200) continue;
    if (source.live && HTML_PAGE.test(new TextDecoder().decode(bytes.subarray(0, FIRST_BYTES)))) continue;
    if (source.live || isInItsPlace(source, address, where)) return true;
  }
  return false;
}

/** Whether a file of a folder is exactly at its path: a folder also finds files by the end of their path. */
export function isInItsPlace({ name }: Pick<DocumentSource, 'name'>, path: string, where: string): boolean {
  return where === `${name}${path}`;
}
