import type { AnsweredDocument } from '../codecs/primitives/seen-document.ts';
import { documentText } from '../codecs/primitives/seen-document.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { answerOf, type DocumentSource, isInItsPlace } from './document-source.ts';

/** A feed or one of its archives. */
export interface AuditedDocument {
  /** Its URL or file name. */
  readonly where: string;
  readonly text: string;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** The address of a file of a place, from its path below the base. */
export function addressBelow({ url }: Pick<DocumentSource, 'url'>, path: string): string {
  return url === undefined ? `/${path}` : new URL(path, url).href;
}

/**
 * Undefined if there is no such document or it was removed on purpose. Throws an {@link UnreadableTargetError} if that cannot be determined, and also
 * for a document of another host, for which this place does not vouch, and for one that is too large.
 */
export async function readAudited(source: DocumentSource, address: string): Promise<AuditedDocument | undefined> {
  if (source.url !== undefined && new URL(address, source.url).origin !== source.url.origin) {
    throw new UnreadableTargetError(source.name, `${address} is on another host, and was not asked for`, 'fix-input');
  }
  const document = answerOf(source, await source.read(address, { maxBodyBytes: MAX_BYTES, maxFileBytes: MAX_BYTES }));
  if (document.status === 404 || document.status === 410 || isOutside(source, address, document)) return undefined;
  if (document.status !== 200) {
    throw new UnreadableTargetError(
      source.name,
      `${document.where} answers with status ${document.status}`,
      'retry-later',
    );
  }
  return { where: document.where, text: documentText(document).text };
}

/** A document that another document links to. It must exist. */
export async function readLinked(source: DocumentSource, address: string): Promise<AuditedDocument> {
  const document = await readAudited(source, address);
  if (document !== undefined) return document;
  throw new UnreadableTargetError(
    source.name,
    `${address} is not there, and documents of it lead to it`,
    'retry-later',
  );
}

/** Whether a folder returned another file of the same name for a path: a folder also finds files by the end of their path. */
export function isOutside(source: DocumentSource, address: string, { where, status }: AnsweredDocument): boolean {
  return !source.live && address.startsWith('/') && status === 200 && !isInItsPlace(source, address, where);
}
