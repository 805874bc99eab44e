import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openPostgresSink } from '../src/io/postgres/sync-sink.ts';
import { openDatabase } from '../src/io/sqlite/database.ts';
import { openSqliteSink } from '../src/io/sqlite/sync-sink.ts';
import type { Sink } from '../src/sync/sink.ts';
import { findPostgres, startPostgres } from './support/postgres-server.ts';
import { shortOrLong } from './support/short-or-long.ts';
import { temporaryFolder } from './support/site.ts';

const CHILD = fileURLToPath(new URL('support/put-pages-child.mjs', import.meta.url));
const ROUNDS = shortOrLong(4, 100);
const URL_OF_PAGE = 'https://docs.example/guide/';

/** Kills a process that writes, after it has begun so many puts, in the middle of one. Gives the version that it was at. */
async function killWriter(
  kind: string,
  place: string,
  { start, puts }: { start: number; puts: number },
): Promise<number> {
  const child = spawn(process.execPath, [CHILD, kind, place, String(start)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let last = start - 1;
  child.stdout.setEncoding('utf8').on('data', (lines: string) => {
    last = Number(lines.trimEnd().split('\n').at(-1));
    if (last >= start + puts) child.kill('SIGKILL');
  });
  const [, signal] = await once(child, 'close');
  expect(signal, 'it ended by itself').toBe('SIGKILL');
  return last;
}

/** The one version that all sections and chunks are of. */
async function wholeVersion(sink: Sink): Promise<number> {
  const held = await sink.held(URL_OF_PAGE);
  expect(held?.sections).toHaveLength(30);
  const versions = held?.sections.flatMap(({ checksum, chunks }) => [checksum, ...chunks.map(({ id }) => id)]) ?? [];
  const distinct = new Set([held?.checksum.slice('sha256:'.length), ...versions.map((text) => text.split('-')[1])]);
  expect([...distinct], 'a mixture').toHaveLength(1);
  return Number([...distinct][0]);
}

async function rounds(kind: string, place: string, open: () => Sink): Promise<void> {
  let start = 1;
  for (let round = 0; round < ROUNDS; round += 1) {
    const last = await killWriter(kind, place, { start, puts: 3 + (round % 5) });
    const sink = open();
    const version = await wholeVersion(sink);
    // What was acknowledged is there: the version before the one that was begun last.
    expect(version).toBeGreaterThanOrEqual(last - 1);
    await sink[Symbol.asyncDispose]?.();
    start = last + 1;
  }
}

test('an index in SQLite outlives kill -9 of its writer with one whole page', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'index.db');
  await rounds('sqlite', file, () => openSqliteSink({ file }));
  const database = await openDatabase(file);
  database.exec("INSERT INTO sections_fts (sections_fts, rank) VALUES ('integrity-check', 1)");
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  database.close();
});

const bin = findPostgres();
describe.skipIf(bin === undefined)(`PostgreSQL${bin === undefined ? ': none on this machine' : ''}`, () => {
  test('an index in PostgreSQL outlives kill -9 of its writer with one whole page', async () => {
    await using server = await startPostgres(bin ?? '');
    await rounds('postgres', server.url, () => openPostgresSink({ url: server.url }));
  });
});
