import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddingOf, startEmbeddingServer } from '../../test/support/embedding-server.ts';
import { type LiveSite, linking, pageOf, startLiveSite } from '../../test/support/live-site.ts';
import { type PGliteServer, startPGlite } from '../../test/support/pglite-server.mjs';
import { temporaryFolder } from '../../test/support/site.ts';
import { openDatabase } from '../io/sqlite/database.ts';
import { loadVectorExtension } from '../io/sqlite/sync-vectors.ts';
import type { Embedder } from '../sync/embedder.ts';
import { openEmbedder } from './open-embedder.ts';
import { openSink } from './open-sink.ts';
import { isEqual, type SyncReport, sync } from './sync.ts';

let server: PGliteServer;
let schemas = 0;
beforeAll(async () => {
  server = await startPGlite();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

type Rows = readonly Record<string, unknown>[];

interface Place {
  readonly to: string;
  query(sql: string): Promise<Rows>;
  change(sql: string): Promise<unknown>;
}

function sqlitePlace(folder: string): Place {
  const file = join(folder, 'index.db');
  const query = async (sql: string, readonly = true) => {
    const database = await openDatabase(file, { readonly, allowExtension: true });
    try {
      await loadVectorExtension(database, file);
      return database.prepare(sql).all() as Rows;
    } finally {
      database.close();
    }
  };
  return { to: `sqlite:${file}`, query, change: (sql) => query(sql, false) };
}

function postgresPlace(): Place {
  schemas += 1;
  const schema = `s${schemas}`;
  const query = async (sql: string) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      await client.query(`SET search_path = ${schema}, public`);
      return (await client.query(sql)).rows as Rows;
    } finally {
      await client.query('RESET search_path');
      await client.end();
    }
  };
  return { to: `${server.url}?schema=${schema}`, query, change: query };
}

async function openSites(): Promise<LiveSite> {
  return await startLiveSite({ '/': linking('Home', 'a', 'b'), '/a': pageOf('Page a'), '/b': pageOf('Page b') });
}

describe.each([
  ['SQLite', sqlitePlace],
  ['PostgreSQL', postgresPlace],
] as const)('an index in %s', (_, placeIn) => {
  test('is equal to the site, with a vector for each chunk, and an edit costs what it changes', async () => {
    using folder = temporaryFolder();
    await using site = await openSites();
    await using embeddings = await startEmbeddingServer();
    await using embed = await openEmbedder(embeddings.url, { model: 'test' });
    const place = placeIn(folder.path);
    const run = async () => await runOnce(place, { folder: folder.path, site, embed });
    const urls = async () =>
      (await place.query('SELECT DISTINCT url FROM sections ORDER BY url')).map(({ url }) => url);

    expect(isEqual(await run())).toBe(true);
    expect(await urls()).toEqual(['', 'a', 'b'].map((path) => site.url + path));
    expect(
      await place.query("SELECT markdown, heading FROM sections WHERE anchor LIKE '%two%' AND title = 'Page a'"),
    ).toEqual([{ markdown: expect.stringContaining('The second part of Page a stays.'), heading: 'Two' }]);
    const asked = embeddings.texts.length;
    expect(await place.query('SELECT c.id FROM chunks AS c JOIN chunk_vectors AS v ON v.chunk_id = c.id')).toHaveLength(
      asked,
    );

    site.put({ '/a': pageOf('Page a', 'It says something else.') });
    expect(await run()).toMatchObject({ upserts: 1, deletes: 0, embeddings: 1 });
    expect(embeddings.texts.slice(asked)).toEqual([expect.stringContaining('It says something else.')]);
    expect(await run()).toMatchObject({ upserts: 0, embeddings: 0 });
    site.remove('/b');
    await run();
    expect(await run()).toMatchObject({ pages: { removed: 1 } });
    expect(await urls()).toEqual(['', 'a'].map((path) => site.url + path));
    const left =
      'SELECT v.chunk_id FROM chunk_vectors AS v LEFT JOIN chunks AS c ON c.id = v.chunk_id WHERE c.id IS NULL';
    expect(await place.query(left)).toEqual([]);
  });

  test('takes no vectors of another dimension, and keeps what it has', async () => {
    using folder = temporaryFolder();
    await using site = await openSites();
    const place = placeIn(folder.path);
    const embedder = (dimension: number): Embedder => ({
      model: `model-${dimension}`,
      dimension,
      embed: async (texts) => ({
        vectors: texts.map((text) => Float32Array.from([...embeddingOf(text), 1].slice(0, dimension))),
      }),
    });
    await runOnce(place, { folder: folder.path, site, embed: embedder(3) });
    const before = await place.query('SELECT * FROM chunks ORDER BY id');
    const report = await runOnce(place, { folder: folder.path, site, embed: embedder(5) }).catch((error: unknown) => ({
      error,
    }));
    expect(report).toMatchObject({ error: { name: 'SinkDimensionError', recovery: 'fix-config' } });
    expect(await place.query('SELECT * FROM chunks ORDER BY id')).toEqual(before);
  });

  test('gets vectors again that somebody has lost', async () => {
    using folder = temporaryFolder();
    await using site = await openSites();
    await using embeddings = await startEmbeddingServer();
    await using embed = await openEmbedder(embeddings.url, { model: 'test' });
    const place = placeIn(folder.path);
    const first = await runOnce(place, { folder: folder.path, site, embed });
    await place.change('DELETE FROM chunk_vectors');
    const again = join(folder.path, 'other-state');
    expect(await runOnce(place, { folder: again, site, embed })).toMatchObject({ embeddings: first.embeddings });
    expect(await place.query('SELECT chunk_id FROM chunk_vectors')).toHaveLength(first.embeddings);
  });

  test('is not begun by a plan', async () => {
    using folder = temporaryFolder();
    await using site = await openSites();
    const place = placeIn(folder.path);
    expect(await runOnce(place, { folder: folder.path, site, plan: true })).toMatchObject({ pages: { put: 3 } });
    await expect(place.query('SELECT * FROM sections')).rejects.toThrow();
  });
});

interface Run {
  readonly folder: string;
  readonly site: LiveSite;
  readonly embed?: Embedder;
  readonly plan?: boolean;
}

async function runOnce({ to }: Place, { folder, site, ...options }: Run): Promise<SyncReport> {
  const state = join(folder, 'state');
  const sink = await openSink(to, { state, signal: new AbortController().signal });
  try {
    const all = { urls: site.url, sink, state, once: true, allowPrivate: true, cooldownMs: 0, ...options };
    for await (const report of sync(all)) return report;
    throw new Error('There was no report.');
  } finally {
    await sink[Symbol.asyncDispose]?.();
  }
}
