import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ListStore } from '../../test/support/langchain-store.ts';
import { EMBEDDED, PAGE_URL, syncedPage, toyVector } from '../../test/support/synced-page.ts';
import { sinkUnavailableError } from '../errors/sink-error.ts';
import { openChunkRecord } from '../io/sqlite/chunk-record.ts';
import { type ChunkRecord, createMemoryChunkRecord } from './chunk-record.ts';
import { type LangchainVectorStore, langchainSink } from './langchain-sink.ts';
import { describeSink } from './sink.contract.ts';
import { pageUrls, type SinkLab, watchBy } from './sink-lab.contract.ts';

/** A store, and a record that is opened once and shared by all who open the sink. */
function labOf(record: ChunkRecord, end: () => Promise<void>): SinkLab {
  const store = new ListStore();
  const fault = { left: Number.POSITIVE_INFINITY, fired: 0 };
  const step = () => {
    fault.left -= 1;
    if (fault.left > 0) return;
    fault.fired += 1;
    throw sinkUnavailableError('the lab', new Error('it is down'));
  };
  store.onStep = step;
  const broken: ChunkRecord = {
    ...record,
    write: async (page) => {
      step();
      await record.write(page);
    },
    [Symbol.asyncDispose]: async () => {},
  };
  const read = async (url: string) =>
    store.stored
      .filter(({ document }) => document.metadata.url === url)
      .map(({ document }) => document.pageContent)
      .join('\n');
  const breakAt = async (left: number) => {
    Object.assign(fault, { left, fired: 0 });
    return {
      fired: () => fault.fired,
      mend: async () => {
        fault.left = Number.POSITIVE_INFINITY;
      },
    };
  };
  return {
    open: async () => langchainSink(store, { record: broken }),
    read,
    watch: async (url) => watchBy(() => new Promise((resolve) => setImmediate(() => resolve(read(url))))),
    dump: async () => structuredClone(store.stored),
    breakdowns: { 'a store that is down': () => breakAt(1), 'a store that fails in a batch': () => breakAt(4) },
    breakAt,
    [Symbol.asyncDispose]: end,
  };
}

describeSink('a vector store of LangChain.js', async () => labOf(createMemoryChunkRecord(), async () => {}));

describeSink('a vector store of LangChain.js with its record in SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-record-'));
  const record = await openChunkRecord(join(folder, 'record.db'));
  return labOf(record, async () => {
    await record[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
});

test('only new text is embedded: not what moved, not what stands under another title', async () => {
  const store = new ListStore();
  const sink = langchainSink(store, { record: createMemoryChunkRecord() });
  await sink.put(
    syncedPage([
      ['a', 'one'],
      ['b', 'two'],
    ]),
  );
  store.toy.embedded.length = 0;
  await sink.put(
    syncedPage(
      [
        ['c', 'three'],
        ['b', 'two'],
        ['a', 'one'],
      ],
      { title: 'Other' },
    ),
  );
  expect(store.toy.embedded).toEqual(['three']);
  const found = await store.similaritySearch('three', 3);
  expect(found.map(({ metadata }) => metadata)).toContainEqual({
    url: PAGE_URL,
    anchor: 'c',
    title: 'Other',
    heading: 'Heading of c',
    source: 'docs_example',
    chunk: expect.any(String),
  });
  for (const { id } of store.stored)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

test('where the pipeline embeds, the store does not', async () => {
  const store = new ListStore();
  const sink = langchainSink(store, { record: createMemoryChunkRecord() });
  await sink.put(syncedPage([['a', 'one\ntwo']], { pipeline: EMBEDDED }));
  expect(store.toy.embedded).toEqual([]);
  expect(store.stored.map(({ vector }) => vector)).toEqual([[...toyVector('one')], [...toyVector('two')]]);
});

test('another pipeline adds its chunks beside the old ones, then those go', async () => {
  const store = new ListStore();
  const sink = langchainSink(store, { record: createMemoryChunkRecord() });
  await sink.put(syncedPage([['a', 'one']]));
  const [old] = store.stored;
  await sink.put(syncedPage([['a', 'one']], { pipeline: { fingerprint: 'other' } }));
  expect(store.stored).toHaveLength(1);
  expect(store.stored[0]?.id).not.toBe(old?.id);
});

test('an edit that is taken back while its put is cut off leaves nothing of it, at whichever step', async () => {
  const pages = { old: syncedPage([['a', 'old']]), new: syncedPage([['a', 'new']]) };
  for (let step = 1; ; step += 1) {
    await using lab = labOf(createMemoryChunkRecord(), async () => {});
    const sink = await lab.open();
    await sink.put(pages.old);
    const breakdown = await lab.breakAt?.(step);
    await sink.put(pages.new).catch(() => {});
    const isCut = (breakdown?.fired() ?? 0) > 0;
    await breakdown?.mend();
    await sink.put(pages.old);
    expect(await lab.read(PAGE_URL), `step ${step}`).toBe('old');
    if (!isCut) break;
  }
});

test.each(['removed again', 'put again'] as const)(
  'a removal that is cut off leaves no hole: %s, at whichever step',
  async (what) => {
    const page = syncedPage([['a', 'one\ntwo']]);
    for (let step = 1; ; step += 1) {
      await using lab = labOf(createMemoryChunkRecord(), async () => {});
      const sink = await lab.open();
      await sink.put(page);
      const breakdown = await lab.breakAt?.(step);
      await sink.remove(PAGE_URL).catch(() => {});
      const isCut = (breakdown?.fired() ?? 0) > 0;
      await breakdown?.mend();
      if (!isCut) break;
      expect(await pageUrls(sink)).toEqual([PAGE_URL]);
      if (what === 'put again') await sink.put(page);
      else await sink.remove(PAGE_URL);
      expect(await lab.read(PAGE_URL), `step ${step}`).toBe(what === 'put again' ? 'one\ntwo' : '');
    }
  },
);

test('a record is for one process; the second hears so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-record-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'record.db');
  {
    await using _record = await openChunkRecord(file);
    await expect(openChunkRecord(file)).rejects.toMatchObject({ name: 'SinkLockedError', recovery: 'retry-later' });
  }
  await using _again = await openChunkRecord(file);
});

test('what cannot delete is refused before anything is added', async () => {
  const addDocuments = async () => {};
  const sink = langchainSink({ addDocuments } as unknown as LangchainVectorStore, {
    record: createMemoryChunkRecord(),
  });
  await expect(sink.prepare?.({ fingerprint: 'plain' })).rejects.toMatchObject({ recovery: 'fix-config' });
});
