import { strictHttpUrl } from '../../../codecs/atom/http-url.ts';
import { oneLine } from '../../../codecs/primitives/one-line.ts';
import {
  type ShelfKind,
  type ShelfLinks,
  type ShelfSource,
  type ShelfWorld,
  type SourceFeed,
  shelfOf,
} from '../../shelf.ts';
import { AtomDocuments, atomPath } from './atom-documents.ts';
import { exportAtom } from './atom-export.ts';
import { writeAtomList } from './atom-list.ts';
import { atomDocumentsNaming, atomDocumentsSince } from './atom-news.ts';
import { ATOM_MEDIA_TYPE, atomRoutes } from './atom-routes.ts';
import { type AtomShelf, openAtomShelf } from './atom-shelf.ts';
import { ATOM_STORE } from './atom-store.ts';
import { atomTopic } from './atom-topic.ts';
import { entryOfChange } from './entry-of-change.ts';
import type { AtomSource } from './feed-title.ts';

const MEDIA_TYPE = 'application/atom+xml';

const LINKS: ShelfLinks = {
  alternate: { mediaType: MEDIA_TYPE, path: 'changes.atom' },
  feeds: [
    [
      { words: 'For feed readers (Atom)', path: 'changes.atom' },
      { words: 'Atom of one source', path: 'atom/{source}.atom' },
    ],
  ],
};

/** Feeds for people: of all changes, of each source, of each collection of a source. */
export const ATOM_SHELF: ShelfKind = {
  async open(world) {
    const { settings, baseUrl, hubUrl, gzip, now, readChanges, storage, stopping, epoch, steps } = world;
    const store = ATOM_STORE.open(storage);
    if (store === undefined) throw new Error('There is no place for the entries of Atom feeds.');
    const sourceOf = namedSources(world);
    const atom = await openAtomShelf({ store, readChanges, sourceOf, stopping, epoch, relay: steps?.('atom') });
    const documents = new AtomDocuments({
      shelf: atom,
      baseUrl,
      hubUrl,
      sourceOf,
      gzip,
      now,
      isOneOfSeveral: steps !== undefined,
    });
    return shelfOf(atom, {
      links: LINKS,
      changeLists: {
        ending: '.atom',
        mediaType: ATOM_MEDIA_TYPE,
        words: 'Atom',
        write: (list) => writeAtomList(list, { identity: atom.identity, sourceOf }),
      },
      endArchives: (kept) => atom.endArchives(kept),
      documentsSince: (seq) => atomDocumentsSince(seq, { shelf: atom, documents }),
      documentsNaming: (source) => atomDocumentsNaming(source, { shelf: atom, documents }),
      feedsOf: ({ id }) => feedsOf(id, atom),
      eventOf(change) {
        const found = entryOfChange(change, atom);
        if (found === undefined) return undefined;
        const { text, archive } = found;
        return { words: 'Atom entry', path: atomPath(change.source, archive), mediaType: MEDIA_TYPE, text };
      },
      topicAt: (path) =>
        atomTopic(path, (name) => (documents.current(name) === undefined ? undefined : { ...atom.find(name) })),
      routes: () => atomRoutes({ documents, shelf: atom, ttlSeconds: settings.ttlSeconds, baseUrl, hubUrl, now }),
    });
  },

  exported(world) {
    const store = ATOM_STORE.open(world.storage);
    return store && exportAtom(store, { ...world, sourceOf: namedSources(world) });
  },
};

/** Returns the same object while the source is the same. */
function namedSources({ sourceOf }: Pick<ShelfWorld, 'sourceOf'>): (id: string) => NamedSource | undefined {
  const named = new WeakMap<ShelfSource, NamedSource>();
  return (id) => {
    const source = sourceOf(id);
    if (source === undefined) return undefined;
    const known = named.get(source) ?? namedSource(source);
    named.set(source, known);
    return known;
  };
}

type NamedSource = AtomSource & { readonly addedAtMs: number };

/** What people see of a source. */
function namedSource({ id, title, url: address, addedAtMs }: ShelfSource): NamedSource {
  const url = strictHttpUrl(address);
  return { title: oneLine(title ?? '') || id, addedAtMs, ...(url !== undefined && { url }) };
}

/** The names of collections consist of letters, digits and dashes, after their source and a slash. */
function feedsOf(source: string, atom: AtomShelf): SourceFeed[] {
  const collections = atom.collectionsOf(source).map((name) => ({
    words: 'Atom',
    name: name.slice(name.indexOf('/') + 1),
    path: `atom/${name}.atom`,
    mediaType: MEDIA_TYPE,
  }));
  return [{ words: 'Atom', path: `atom/${source}.atom`, mediaType: MEDIA_TYPE }, ...collections];
}
