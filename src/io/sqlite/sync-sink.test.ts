import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteSinkLab } from '../../../test/support/sqlite-sink-lab.ts';
import {
  EMBEDDED,
  PAGE_URL,
  PLAIN,
  type SectionText,
  syncedPage,
  toyVector,
} from '../../../test/support/synced-page.ts';
import { describeSink } from '../../sync/sink.contract.ts';
import { heldFacts, openPrepared } from '../../sync/sink-lab.contract.ts';
import { openDatabase, type SqliteDatabase } from './database.ts';
import { openSqliteSink } from './sync-sink.ts';
import { loadVectorExtension } from './sync-vectors.ts';

describeSink('an index in SQLite', openSqliteSinkLab);

async function withDatabase<T>(file: string, look: (database: SqliteDatabase) => T): Promise<T> {
  const database = await openDatabase(file, { allowExtension: true });
  try {
    await loadVectorExtension(database, file);
    return look(database);
  } finally {
    database.close();
  }
}

test('the tables have the columns that scripts rely on', async () => {
  await using lab = await openSqliteSinkLab();
  {
    await using sink = await openPrepared(lab, EMBEDDED);
    await sink.put(
      syncedPage(
        [
          ['', 'intro'],
          ['tiers', 'one\ntwo'],
        ],
        { pipeline: EMBEDDED },
      ),
    );
  }
  await withDatabase(lab.file, (database) => {
    const sql =
      'SELECT url, anchor, title, heading, markdown, checksum, updated, source FROM sections ORDER BY position';
    expect(database.prepare(sql).all()).toEqual([
      expect.objectContaining({ url: PAGE_URL, anchor: '', title: 'Guide', heading: '', markdown: 'intro' }),
      expect.objectContaining({ anchor: 'tiers', heading: 'Heading of tiers', updated: '2026-01-02T03:04:05Z' }),
    ]);
    const chunks = 'SELECT id, url, anchor, position, text, tokens, fingerprint FROM chunks ORDER BY anchor, position';
    expect(database.prepare(chunks).all()).toMatchObject([
      { anchor: '', position: 0, text: 'intro', fingerprint: 'toy:3' },
      { anchor: 'tiers', position: 0, text: 'one', tokens: 3 },
      { anchor: 'tiers', position: 1, text: 'two' },
    ]);
    const nearest = `SELECT c.text FROM chunk_vectors AS v JOIN chunks AS c ON c.id = v.chunk_id
      WHERE v.embedding MATCH ? AND k = 1`;
    expect(database.prepare(nearest).all(Buffer.from(toyVector('two').buffer))).toEqual([{ text: 'two' }]);
    expect(() => database.exec("INSERT INTO sections (url, anchor) VALUES ('u', 'a')")).toThrow(/NOT NULL/);
  });
});

test('the full text is in step with the sections, whatever is put, moved or removed', async () => {
  await using lab = await openSqliteSinkLab();
  {
    await using sink = await openPrepared(lab);
    for (let round = 0; round < 40; round += 1) {
      const url = `${PAGE_URL}${round % 5}`;
      const words = randomBytes(6).toString('hex').match(/../g) ?? [];
      if (round % 7 === 6) await sink.remove(url);
      else
        await sink.put(
          syncedPage(
            words.map((word, at) => [`a${(at * 7 + round) % 9}${at}`, `word ${word}`]),
            { url },
          ),
        );
    }
  }
  await withDatabase(lab.file, (database) => {
    const check = () => database.exec("INSERT INTO sections_fts (sections_fts, rank) VALUES ('integrity-check', 1)");
    check();
    database.exec('VACUUM');
    check();
    // The check finds what is out of step.
    database.exec('DROP TRIGGER sections_fts_delete; DELETE FROM sections WHERE id = (SELECT min(id) FROM sections)');
    expect(check).toThrow(/malformed/);
  });
});

test('a section says when it was last found changed itself', async () => {
  await using lab = await openSqliteSinkLab();
  {
    await using sink = await openPrepared(lab);
    const [first, second] = ['2026-01-01T00:00:00Z', '2026-02-02T00:00:00Z'];
    await sink.put(
      syncedPage(
        [
          ['a', 'old'],
          ['b', 'same'],
        ],
        { updated: first, title: 'Old' },
      ),
    );
    await sink.put(
      syncedPage(
        [
          ['b', 'same'],
          ['a', 'new'],
        ],
        { updated: second, title: 'New' },
      ),
    );
  }
  await withDatabase(lab.file, (database) => {
    expect(database.prepare('SELECT anchor, title, updated FROM sections ORDER BY position').all()).toEqual([
      { anchor: 'b', title: 'New', updated: '2026-01-01T00:00:00Z' },
      { anchor: 'a', title: 'New', updated: '2026-02-02T00:00:00Z' },
    ]);
    expect(database.prepare('SELECT updated FROM pages').all()).toEqual([{ updated: '2026-02-02T00:00:00Z' }]);
  });
});

test('a page that is the same again, or partly, costs what is new alone', async () => {
  await using lab = await openSqliteSinkLab();
  await using sink = await openPrepared(lab, EMBEDDED);
  const sections = (last: string): SectionText[] => [
    ...Array.from({ length: 200 }, (_, index): SectionText => [`s${index}`, 'text '.repeat(200)]),
    ['last', last],
  ];
  const written = async (last: string) => {
    const before = (await stat(`${lab.file}-wal`)).size;
    await sink.put(syncedPage(sections(last), { pipeline: EMBEDDED }));
    return (await stat(`${lab.file}-wal`)).size - before;
  };
  await sink.put(syncedPage(sections('one'), { pipeline: EMBEDDED }));
  expect(await written('one')).toBe(0);
  expect(await written('two')).toBeLessThan(200_000);
});

test('nothing is made before the first page: not by asking, not by removing', async () => {
  await using lab = await openSqliteSinkLab();
  {
    await using sink = await openPrepared(lab, EMBEDDED);
    await sink.held(PAGE_URL);
    await sink.remove(PAGE_URL);
  }
  expect(existsSync(dirname(lab.file))).toBe(false);
});

test('asking leaves a file as it is, byte for byte, that of somebody else included', async () => {
  await using lab = await openSqliteSinkLab();
  await mkdir(dirname(lab.file));
  const database = await openDatabase(lab.file);
  database.exec('PRAGMA journal_mode = DELETE; CREATE TABLE notes (text TEXT)');
  database.close();
  const before = await readFile(lab.file);
  {
    await using sink = await openPrepared(lab, EMBEDDED);
    expect(await sink.held(PAGE_URL)).toBeUndefined();
  }
  expect(before.equals(await readFile(lab.file))).toBe(true);
  expect(await readdir(dirname(lab.file))).toEqual(['index.db']);
});

test.each([
  ['CREATE VIEW sections AS SELECT 1 AS url', /"sections" without the column/],
  ['CREATE TABLE Pages (url TEXT)', /"pages" without the column/],
  ['CREATE TABLE chunk_vectors (chunk_id TEXT, embedding BLOB)', /chunk_vectors/],
  ['CREATE TABLE sections_fts (text)', /sections_fts/],
  ['CREATE TABLE pages (url, source, title, checksum, updated)', /"pages", but not the others/],
])('what is no table of ours is refused: %s', async (sql, message) => {
  await using lab = await openSqliteSinkLab();
  await mkdir(dirname(lab.file));
  const database = await openDatabase(lab.file);
  database.exec(sql);
  database.close();
  await expect(openPrepared(lab)).rejects.toThrow(message);
  await using sink = openSqliteSink({ file: lab.file });
  await expect(sink.put(syncedPage([['a', 'text']]))).rejects.toMatchObject({ name: 'SinkSchemaError' });
});

test('a file that is no database is refused, and left alone', async () => {
  await using lab = await openSqliteSinkLab();
  await mkdir(dirname(lab.file));
  await writeFile(lab.file, 'not a database, '.repeat(100));
  const refusal = { name: 'SinkDamagedError', recovery: 'fix-input' };
  await expect(openPrepared(lab)).rejects.toMatchObject(refusal);
  await using sink = openSqliteSink({ file: lab.file });
  await expect(sink.put(syncedPage([['a', 'text']]))).rejects.toMatchObject(refusal);
  expect(await readFile(lab.file, 'utf8')).toMatch(/^not a database/);
});

test('where sqlite-vec is missing, whoever embeds hears what to install, and nobody else needs it', async () => {
  await using lab = await openSqliteSinkLab();
  const loadVec = async () => {
    throw Object.assign(new Error("Cannot find package 'sqlite-vec'"), { code: 'ERR_MODULE_NOT_FOUND' });
  };
  await using sink = openSqliteSink({ file: lab.file, loadVec });
  const refusal = { recovery: 'fix-config', message: expect.stringContaining('npm i sqlite-vec') };
  await expect(sink.prepare(EMBEDDED)).rejects.toMatchObject(refusal);
  await sink.prepare(PLAIN);
  await sink.put(syncedPage([['a', 'text']]));
  {
    await using embedding = await openPrepared(lab, EMBEDDED);
    await embedding.put(syncedPage([['a', 'text']], { pipeline: EMBEDDED }));
  }
  // Its vectors would be left over.
  await using later = openSqliteSink({ file: lab.file, loadVec });
  await expect(later.put(syncedPage([['a', 'other']]))).rejects.toMatchObject(refusal);
});

test('a full disk keeps what is there, and takes the page once there is room', async () => {
  await using lab = await openSqliteSinkLab();
  const open: typeof openDatabase = async (file, options) => {
    const database = await openDatabase(file, options);
    if (!options?.readonly) database.exec('PRAGMA max_page_count = 60');
    return database;
  };
  await using sink = openSqliteSink({ file: lab.file, open });
  const [small, large] = [syncedPage([['a', 'small']]), syncedPage([['a', randomBytes(300_000).toString('hex')]])];
  await sink.put(small);
  await expect(sink.put(large)).rejects.toMatchObject({ name: 'LogFullError', recovery: 'retry-later' });
  expect(await sink.held(PAGE_URL)).toEqual(heldFacts(small));
  await using roomy = openSqliteSink({ file: lab.file });
  await roomy.put(large);
  expect(await sink.held(PAGE_URL)).toEqual(heldFacts(large));
});

test('a page that nobody prepared for brings its dimension with it', async () => {
  await using lab = await openSqliteSinkLab();
  await using sink = openSqliteSink({ file: lab.file });
  await sink.put(syncedPage([['a', 'plain']], { url: `${PAGE_URL}plain` }));
  await sink.put(syncedPage([['a', 'text']], { pipeline: EMBEDDED }));
  expect((await lab.readVectors?.())?.size).toBe(1);
  const wider = { fingerprint: 'toy:4', embedding: { model: 'toy', dimension: 4 } };
  await expect(sink.put(syncedPage([['a', 'text']], { pipeline: wider }))).rejects.toMatchObject({
    name: 'SinkDimensionError',
  });
});

test('who finds a word in the full text is told which section of which page it is', async () => {
  await using lab = await openSqliteSinkLab();
  {
    await using sink = await openPrepared(lab);
    await sink.put(syncedPage([['limits', 'ten calls a day']], { url: 'https://docs.example/limits' }));
  }
  await withDatabase(lab.file, (database) => {
    const found = database.prepare("SELECT url, anchor FROM sections_fts WHERE sections_fts MATCH 'calls'").all();
    expect(found).toMatchObject([{ url: 'https://docs.example/limits', anchor: 'limits' }]);
  });
});
