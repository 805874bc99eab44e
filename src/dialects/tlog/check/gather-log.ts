import type { AnsweredDocument } from '../../../codecs/primitives/seen-document.ts';
import { LOG_PREFIX } from '../../../codecs/tlog/log-origin.ts';
import { encodeTilePath, type Tile } from '../../../codecs/tlog/tile-path.ts';
import { answerOf, type DocumentSource } from '../../document-source.ts';

/** The files of a log by their paths below its prefix, at the address that a user named. */
export interface LogDocuments {
  readonly source: DocumentSource;
  addressOf(path: string): string;
  /** Throws an `UnreadableTargetError` if the site cannot answer now. */
  read(path: string, maxBytes: number): Promise<AnsweredDocument>;
  readTile(tile: Tile, maxBytes: number): Promise<AnsweredDocument>;
}

const ITS_DOCUMENTS = new RegExp(`^(.*/)${LOG_PREFIX.replace('.', '\\.')}(?:/.*)?$`);

/** A log is at the root of a host or below the path of its site, so both the named place and the root are tried. */
export function logDocuments(source: DocumentSource): readonly LogDocuments[] {
  const { pathname = '/' } = source.url ?? {};
  const [, base = pathname.replace(/[^/]*$/, '')] = ITS_DOCUMENTS.exec(pathname) ?? [];
  return [...new Set([base, '/'])].map((root) => documentsBelow(root, source));
}

function documentsBelow(root: string, source: DocumentSource): LogDocuments {
  const addressOf = (path: string) => `${root}${LOG_PREFIX}/${path}`;
  const read = async (path: string, maxBytes: number) =>
    answerOf(source, await source.read(addressOf(path), { maxBodyBytes: maxBytes, maxFileBytes: maxBytes }));
  return { source, addressOf, read, readTile: (tile, maxBytes) => read(encodeTilePath(tile), maxBytes) };
}
