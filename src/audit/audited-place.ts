import { LOG_PREFIX } from '../codecs/tlog/log-origin.ts';
import { MAX_NOTE_BYTES } from '../codecs/tlog/signed-note.ts';
import { addressBelow, isOutside } from '../dialects/audited-document.ts';
import { answerOf, type DocumentSource } from '../dialects/document-source.ts';
import { BodyTooLargeError } from '../errors/fetch-error.ts';
import { TileError } from '../errors/tile-error.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import type { TileSource } from '../tlog/tile-source.ts';

/** A site or a hub with a provable log. */
export interface AuditedPlace {
  /** For a live place, its URL is the base below which the log is. */
  readonly documents: DocumentSource;
  readonly tiles: TileSource;
}

/** Finds the log of a place: below the folder of the given URL, or below a parent folder. Throws an {@link UnreadableTargetError} if there is none. */
export async function findLog(source: DocumentSource): Promise<AuditedPlace> {
  for (const base of basesOf(source)) {
    const documents = base === undefined ? source : { ...source, url: base };
    const tiles = tileSourceOf(documents);
    if ((await tiles.read('checkpoint', MAX_NOTE_BYTES)) !== undefined) return { documents, tiles };
  }
  throw new UnreadableTargetError(source.name, `it has no provable log: no ${LOG_PREFIX}/checkpoint`, 'fix-input');
}

/** The files of the log below a base. */
export function tileSourceOf(documents: DocumentSource): TileSource {
  return {
    name: addressBelow(documents, LOG_PREFIX),
    async read(path, maxBytes) {
      const limits = { maxBodyBytes: maxBytes, maxFileBytes: maxBytes };
      const address = addressBelow(documents, `${LOG_PREFIX}/${path}`);
      const document = await documents.read(address, limits);
      const isTooLarge =
        document.kind === 'unread' && (document.isTooLarge === true || document.cause instanceof BodyTooLargeError);
      if (isTooLarge) throw new TileError(this.name, [path], { reason: `it has more than ${maxBytes} bytes.` });
      const answer = answerOf(documents, document);
      const { status, bytes, where } = answer;
      if (status === 404 || status === 410 || isOutside(documents, address, answer)) return undefined;
      if (status === 200) return bytes;
      throw new UnreadableTargetError(documents.name, `${where} answers with status ${status}`, 'retry-later');
    },
  };
}

/** The folder of a URL, and those above it. */
function basesOf({ url }: DocumentSource): readonly (URL | undefined)[] {
  if (url === undefined) return [undefined];
  const bases: URL[] = [];
  for (let base = new URL('.', url); ; base = new URL('..', base)) {
    bases.push(new URL(base.pathname, base.origin));
    if (base.pathname === '/') return bases;
  }
}
