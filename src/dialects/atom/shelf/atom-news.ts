import { othersFirst } from '../../../log/others-first.ts';
import type { ShelfDocument } from '../../shelf.ts';
import { type AtomDocuments, atomPath } from './atom-documents.ts';
import type { AtomShelf } from './atom-shelf.ts';
import { ARCHIVE_ENTRIES, type AtomFeedRecord } from './atom-store.ts';

export interface AtomNewsParts {
  readonly shelf: Pick<AtomShelf, 'feeds' | 'archive' | 'endedArchives'>;
  readonly documents: Pick<AtomDocuments, 'current' | 'archive'>;
}

/** The current feeds that have a change after that `seq`, and the archives that such a change completed. */
export async function* atomDocumentsSince(
  seq: number,
  { shelf, documents }: AtomNewsParts,
): AsyncGenerator<ShelfDocument, void, undefined> {
  for (const record of shelf.feeds()) {
    if ((record.seq ?? 0) <= seq) continue;
    yield* archivesSince(seq, record, { shelf, documents });
    const bytes = documents.current(record.name)?.read();
    if (bytes !== undefined) yield { path: atomPath(record.name), bytes };
    await othersFirst();
  }
}

/** The feeds of a source, whose heads show its current name. */
export async function* atomDocumentsNaming(
  source: string,
  { shelf, documents }: AtomNewsParts,
): AsyncGenerator<ShelfDocument, void, undefined> {
  for (const record of shelf.feeds()) {
    if (record.name !== source && record.source !== source) continue;
    const bytes = documents.current(record.name)?.read();
    if (bytes !== undefined) yield { path: atomPath(record.name), bytes };
    await othersFirst();
  }
}

/** Oldest first. */
async function* archivesSince(
  seq: number,
  { name, entries }: AtomFeedRecord,
  { shelf, documents }: AtomNewsParts,
): AsyncGenerator<ShelfDocument, void, undefined> {
  const last = Math.floor(entries / ARCHIVE_ENTRIES);
  let first = last + 1;
  while (first - 1 > shelf.endedArchives(name) && (shelf.archive(name, first - 1)?.seq ?? 0) > seq) first -= 1;
  for (let number = first; number <= last; number += 1) {
    const archive = { number, epoch: shelf.archive(name, number)?.epoch };
    const document = documents.archive(name, archive);
    if (document === undefined || document === 'gone') continue;
    yield { path: atomPath(name, archive), bytes: document.read(), lasts: true };
    await othersFirst();
  }
}
