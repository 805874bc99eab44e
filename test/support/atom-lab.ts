import { AtomDocuments } from '../../src/dialects/atom/shelf/atom-documents.ts';
import { openAtomShelf } from '../../src/dialects/atom/shelf/atom-shelf.ts';
import type { AtomStore } from '../../src/dialects/atom/shelf/atom-store.ts';
import type { AtomSource } from '../../src/dialects/atom/shelf/feed-title.ts';
import { openSqliteAtomStore } from '../../src/io/sqlite/atom-store.ts';
import { openSqliteHubStore } from '../../src/io/sqlite/hub-store.ts';
import { gzipDocument } from '../../src/io/zlib/document.ts';
import type { ChangeDraft } from '../../src/model/change.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

export interface AtomLabOptions {
  readonly folder: string;
  readonly baseUrl?: string;
  readonly startMs?: number;
  readonly titles?: Readonly<Record<string, string>>;
  /** Wraps the store of the shelf. */
  readonly around?: (store: AtomStore) => AtomStore;
  readonly epoch?: string;
  /** Whether the shelf must find commits by itself. */
  readonly isDeaf?: boolean;
}

/** A hub's store and its Atom feeds with a test clock: every commit comes a minute later. */
export async function openAtomLab(options: AtomLabOptions) {
  const { folder, baseUrl = 'https://hub.example/', startMs = NOON, titles = {}, around = (store) => store } = options;
  let nowMs = startMs;
  const store = await openSqliteHubStore({ folder, now: () => nowMs });
  const sourceOf = (id: string): (AtomSource & { addedAtMs: number }) | undefined => {
    const title = titles[id];
    return title === undefined ? undefined : { title, url: `https://${id}.example/`, addedAtMs: NOON };
  };
  const shelf = await openAtomShelf({
    store: around(store.openTables(openSqliteAtomStore)),
    readChanges: (after) => store.changes({ after }),
    sourceOf,
    epoch: options.epoch,
  });
  if (!options.isDeaf) store.onChanges((changes) => void shelf.add(changes));
  const documents = new AtomDocuments({
    shelf,
    baseUrl: () => baseUrl,
    sourceOf,
    gzip: gzipDocument,
    now: () => nowMs,
  });
  return {
    store,
    shelf,
    documents,
    async commit(source: string, drafts: readonly Omit<ChangeDraft, 'source'>[]) {
      nowMs += MINUTE;
      await store.commit({ source, drafts: drafts.map((draft) => ({ ...draft, source })) });
      if (!options.isDeaf) await shelf.add([]);
    },
    advance(ms: number): void {
      nowMs += ms;
    },
    /** The text of a feed, or of one of its archives. */
    text(name: string, number?: number, epoch?: string): string {
      const document = number === undefined ? documents.current(name) : documents.archive(name, { number, epoch });
      if (document === undefined || document === 'gone') throw new Error(`${name} has no feed or archive ${number}.`);
      return Buffer.from(document.read()).toString();
    },
    async [Symbol.asyncDispose]() {
      await shelf[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** The texts of the entries in a document. */
export function entriesIn(document: string): string[] {
  return document.match(/ {2}<entry>\n[\s\S]*?<\/entry>\n/g) ?? [];
}

export function changedPage(path: string, rest: Partial<ChangeDraft> = {}): Omit<ChangeDraft, 'source'> {
  return { action: 'update', url: `https://docs.example/${path}`, title: `Page ${path}`, ...rest };
}
