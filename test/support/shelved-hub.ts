import { DIALECTS } from '../../src/dialects/registry.ts';
import type { ShelfWorld } from '../../src/dialects/shelf.ts';
import { shelfStorage } from '../../src/doors/shelf-storage.ts';
import { openHubShelves } from '../../src/hub/shelves/hub-shelves.ts';
import { openSqliteHubStore } from '../../src/io/sqlite/hub-store.ts';
import { gzipDocument } from '../../src/io/zlib/document.ts';
import type { ChangeDraft } from '../../src/model/change.ts';

/** The factor by which time is faster: what a hub does every 5 s takes 50 ms. */
const HASTE = 100;

export interface ShelvedHubOptions {
  readonly folder: string;
  readonly baseUrl?: string;
  readonly epoch?: string;
}

/** A hub that watches nothing: its store, and the documents of all dialects that follow what is committed. */
export async function openShelvedHub({ folder, baseUrl = 'https://hub.example/', epoch }: ShelvedHubOptions) {
  const startMs = Date.now();
  const now = () => startMs + (Date.now() - startMs) * HASTE;
  const store = await openSqliteHubStore({ folder, now });
  const storage = shelfStorage({ data: folder }, store, { error() {} });
  const health = { changed: true, failures: 0 };
  const sources = ['api', 'docs'].map(
    (id) => ({ id, title: `The ${id}`, url: `https://${id}.example/`, status: 'ok', addedAtMs: 0, health }) as const,
  );
  const world: ShelfWorld = {
    readChanges: (after) => store.changes({ after }),
    logStart: () => store.logStart(),
    ...(epoch !== undefined && { epoch }),
    sources: () => sources,
    sourceOf: (id) => sources.find((each) => each.id === id),
    baseUrl: () => baseUrl,
    root: '/',
    settings: { extensions: {} },
    storage,
    now,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, ms / HASTE);
        signal.addEventListener('abort', end);
      }),
    gzip: gzipDocument,
  };
  const shelves = await openHubShelves(DIALECTS, world);
  store.onChanges((changes) => void shelves.add(changes));
  return {
    store,
    shelves,
    async commit(source: string, drafts: readonly Omit<ChangeDraft, 'source'>[]) {
      const changes = await store.commit({ source, drafts: drafts.map((draft) => ({ ...draft, source })) });
      await shelves.add([]);
      return changes;
    },
    /** Resolves when all documents are in the provable log, and signed. */
    async told() {
      for (;;) {
        const { rows } = store.openTables(({ database }) => ({
          rows: database
            .prepare('SELECT seq, documents_seq, size, checkpoint FROM hub_tlogs ORDER BY log DESC LIMIT 1')
            .all() as { seq: number; documents_seq: number; size: number; checkpoint: string | null }[],
        }));
        const last = (await store.lastChange())?.seq;
        const isTold = rows.some(({ seq, documents_seq: documents, size, checkpoint }) => {
          return seq === last && documents === last && checkpoint?.split('\n')[1] === String(size);
        });
        if (isTold) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async [Symbol.asyncDispose]() {
      await shelves.secure();
      await shelves[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}
