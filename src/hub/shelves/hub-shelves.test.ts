import { expect, test } from 'vitest';
import { callRoute, textOf } from '../../../test/support/call-route.ts';
import { siteConfig, watchedSource } from '../../../test/support/fake-watch.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { type FollowedBatch, LogFollower } from '../../dialects/log-follower.ts';
import { NOT_FROM_THE_LOG, type Shelf, type ShelfKind, type ShelfWorld, shelfOf } from '../../dialects/shelf.ts';
import { StorageKey } from '../../dialects/shelf-storage.ts';
import type { Run } from '../../log/runs-of.ts';
import type { Change } from '../../model/change.ts';
import { createDocumentAnswers } from '../http/answer-document.ts';
import { openHubShelves } from './hub-shelves.ts';
import { shelfSource } from './shelf-source.ts';

/** A dialect that is made up: the titles of all changes, kept in memory and made anew at each start. */
const TITLES: Dialect = { name: 'titles', shelf: async () => TITLES_SHELF };

interface TitlesStep {
  readonly seq: number;
  readonly titles: readonly string[];
}

class TitlesBatch implements FollowedBatch<TitlesStep> {
  readonly isFull = false;
  readonly #titles: string[] = [];
  #seq = 0;

  addRun({ changes }: Run): void {
    for (const { title = '', seq } of changes) {
      this.#titles.push(title);
      this.#seq = seq;
    }
  }

  finish(): TitlesStep | undefined {
    return this.#seq === 0 ? undefined : { seq: this.#seq, titles: this.#titles };
  }
}

const exported = () => undefined;

const TITLES_SHELF: ShelfKind = {
  exported,
  async open({ readChanges, now }) {
    const titles: string[] = [];
    let document = documentOf(titles);
    const follower = new LogFollower({
      readChanges,
      load: () => ({ seq: titles.length }),
      begin: () => new TitlesBatch(),
      store: (step: TitlesStep) => {
        titles.push(...step.titles);
        document = documentOf(titles);
      },
    });
    await follower.open();
    const answer = createDocumentAnswers({ mediaType: 'text/plain', cacheControl: 'no-cache', now });
    const documents = {
      get seq() {
        return follower.seq;
      },
      get trouble() {
        return follower.trouble;
      },
      add: follower.add.bind(follower),
      mend: follower.mend.bind(follower),
      [Symbol.asyncDispose]: () => follower.close(),
    };
    return shelfOf(documents, {
      routes: () => [
        {
          method: 'GET',
          path: '/titles.txt',
          access: 'open',
          summary: 'Titles.',
          responses: {},
          handle: (request) => answer(request, document),
        },
      ],
      feedsOf: ({ id }) => [{ words: 'titles', path: `titles.txt?of=${id}` }],
      standingOf: (source) => (source === 'docs' ? STANDING : undefined),
    });
  },
};

const STANDING = { cursor: 'c', prevCursor: null, changed: true };

function documentOf(titles: readonly string[]) {
  const bytes = Buffer.from(titles.map((title) => `${title}\n`).join(''));
  return { etag: `"${titles.length}"`, read: () => bytes };
}

function worldOf(log: readonly Change[]): ShelfWorld {
  return {
    async *readChanges(after) {
      yield* log.slice(after);
    },
    logStart: () => undefined,
    sources: () => [],
    sourceOf: () => undefined,
    baseUrl: () => 'https://hub.example/',
    root: '/',
    settings: { extensions: {} },
    storage: {},
    now: () => 0,
    wait: async () => {},
    gzip: async (bytes) => bytes,
  };
}

function change(seq: number, title: string): Change {
  const time = new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString();
  const url = 'https://docs.example/';
  return { seq, id: `id-${seq}`, source: 'docs', kind: 'page', action: 'update', url, time, title, provenance: {} };
}

test('a dialect that nobody knows is served from the log, through the contract alone', async () => {
  const log = [change(1, 'One')];
  await using shelves = await openHubShelves([{ name: 'without a shelf' }, TITLES], worldOf(log));
  const get = (headers = {}) => callRoute(shelves.routes(), 'GET /titles.txt', { headers });
  expect(textOf(await get())).toBe('One\n');
  log.push(change(2, 'Two'));
  await shelves.add(log.slice(1));
  const answer = await get();
  expect([textOf(answer), shelves.seq]).toEqual(['One\nTwo\n', 2]);
  expect((await get({ 'if-none-match': answer.headers.etag })).status).toBe(304);
  expect(shelves.standingOf('docs')).toBe(STANDING);
  expect(shelves.standingOf('blog')).toBeUndefined();
  expect(shelves.feedsOf(shelfSource(watchedSource(siteConfig('docs'))))).toEqual([
    { words: 'titles', path: 'titles.txt?of=docs' },
  ]);
});

test('the slowest shelf says how far all documents are; one that is not from the log says nothing of it', async () => {
  const shelfAt = (seq: number): Dialect => ({
    name: `at ${seq}`,
    shelf: async () => ({ exported, open: async () => shelfOf({ ...NOT_FROM_THE_LOG, seq }, { routes: () => [] }) }),
  });
  const seqOf = async (...seqs: number[]) => (await openHubShelves(seqs.map(shelfAt), worldOf([]))).seq;
  expect(await seqOf(7, Number.POSITIVE_INFINITY, 3)).toBe(3);
  expect(await seqOf(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
});

test('a shelf that lags or fails is named, and holds up no other', async () => {
  const mended: string[] = [];
  const dialect = (name: string, shelf: Partial<Shelf>): Dialect => ({
    name,
    shelf: async () => ({
      exported,
      open: async () => ({
        ...NOT_FROM_THE_LOG,
        routes: () => [],
        mend: async () => void mended.push(name),
        ...shelf,
      }),
    }),
  });
  const bugs: unknown[] = [];
  const shelves = await openHubShelves(
    [
      dialect('broken', { mend: () => Promise.reject(new Error('a bug')) }),
      dialect('slow', { trouble: 'ENOSPC' }),
      dialect('good', {}),
    ],
    worldOf([]),
  );
  expect(await shelves.mend((error) => bugs.push(error))).toEqual([{ dialect: 'slow', reason: 'ENOSPC' }]);
  expect(mended).toEqual(['slow', 'good']);
  expect(bugs).toEqual([new Error('a bug')]);
});

test('where a shelf cannot be opened, those before it are closed', async () => {
  let closed = 0;
  const open: ShelfKind = {
    exported,
    open: async () => ({
      ...NOT_FROM_THE_LOG,
      routes: () => [],
      [Symbol.asyncDispose]: async () => {
        closed += 1;
      },
    }),
  };
  const shut: ShelfKind = { exported, open: () => Promise.reject(new Error('no place')) };
  const dialects = [open, open, shut, open].map((kind, at) => ({ name: `d${at}`, shelf: async () => kind }));
  await expect(openHubShelves(dialects, worldOf([]))).rejects.toThrow('no place');
  expect(closed).toBe(2);
});

test('what a door puts under a key is found there for its hub, and for no other', () => {
  const key = new StorageKey<string>();
  const [mine, other] = [{}, {}];
  key.put(mine, () => 'mine');
  expect([key.open(mine), key.open(other)]).toEqual(['mine', undefined]);
});
