import type { ExportWorld } from '../../shelf.ts';
import type { ExportedDocument, ShelfExport } from '../../shelf-export.ts';
import { type AtomDocumentParts, AtomDocuments, atomPath } from './atom-documents.ts';
import { ARCHIVE_CACHE, ATOM_MEDIA_TYPE, atomCacheControl } from './atom-routes.ts';
import { ALL_ATOM, ARCHIVE_ENTRIES, type AtomFeedRecord, type AtomStore } from './atom-store.ts';

export type AtomExportWorld = Pick<ExportWorld, 'baseUrl' | 'hubUrl' | 'sources' | 'settings' | 'gzip' | 'now'> &
  Pick<AtomDocumentParts, 'sourceOf'>;

/** The full archives of all Atom feeds as files, and then the feeds that lead to them. */
export function exportAtom(store: AtomStore, world: AtomExportWorld): ShelfExport {
  const archive = { mediaType: ATOM_MEDIA_TYPE, cacheControl: ARCHIVE_CACHE };
  const feed = { mediaType: ATOM_MEDIA_TYPE, cacheControl: atomCacheControl(world.settings.ttlSeconds) };
  return {
    // Archives are in the folders of feeds, so both get the caching of feeds, which is never too long.
    rules: [
      { path: 'changes.atom', ...feed },
      { path: 'changes/_archive/*', ...archive },
      { path: 'atom/*', ...feed },
    ],
    hasEnded: (path) => hasEnded(path, store),
    *lasting() {
      const documents = documentsOf(store, world);
      for (const record of store.feeds()) {
        for (const document of archivesOf(record, store, documents)) yield { ...archive, ...document };
      }
    },
    *heads() {
      const documents = documentsOf(store, world);
      const names = new Set([...world.sources().map(({ id }) => id), ...store.feeds().map(({ name }) => name)]);
      for (const name of [...names].filter((each) => each !== ALL_ATOM).sort())
        yield { ...feed, ...feedOf(name, documents) };
      yield { ...feed, ...feedOf(ALL_ATOM, documents) };
    },
  };
}

type AtomFile = Pick<ExportedDocument, 'path' | 'kind' | 'read'>;

function documentsOf(store: AtomStore, world: AtomExportWorld): AtomDocuments {
  const records = new Map(store.feeds().map((record) => [record.name, record]));
  const shelf = {
    identity: store.identity(),
    find: (name: string) => records.get(name),
    entries: store.entries.bind(store),
    archive: store.archive.bind(store),
    endedArchives: store.endedArchives.bind(store),
  };
  return new AtomDocuments({ ...world, shelf });
}

function* archivesOf(record: AtomFeedRecord, store: AtomStore, documents: AtomDocuments): Iterable<AtomFile> {
  const { name, entries } = record;
  for (let number = store.endedArchives(name) + 1; number * ARCHIVE_ENTRIES <= entries; number += 1) {
    const archive = { number, epoch: store.archive(name, number)?.epoch };
    yield {
      path: atomPath(name, archive),
      kind: 'lasting',
      read: () => {
        const document = documents.archive(name, archive);
        return document === 'gone' ? undefined : document?.read();
      },
    };
  }
}

const ARCHIVE = /^(?:changes|atom\/(.+))\/_archive\/(\d+)(?:-[0-9a-f]+)?\.atom$/;

function hasEnded(path: string, store: AtomStore): boolean {
  const [, name = ALL_ATOM, number] = ARCHIVE.exec(path) ?? [];
  return number !== undefined && Number(number) <= store.endedArchives(name);
}

function feedOf(name: string, documents: AtomDocuments): AtomFile {
  return { path: atomPath(name), kind: 'moving', read: () => documents.current(name)?.read() };
}
