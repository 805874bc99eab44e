import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fsckHub } from '../../src/doors/fsck-hub.ts';
import { openRawDatabase, type SqliteDatabase } from '../../src/io/sqlite/database.ts';
import { changedPage } from '../support/atom-lab.ts';
import { openShelvedHub } from '../support/shelved-hub.ts';
import type { TortureReport } from './harness.ts';

/** Which rows are altered, and the column whose bytes count. */
const COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ['hub_tlogs', 'root'],
  ['hub_tlogs', 'seed'],
  ['hub_tlogs', 'vkey'],
  ['hub_tlogs', 'checkpoint'],
  ['hub_tlogs', 'origin'],
  ['hub_tlog_tiles', 'hashes'],
  ['hub_tlog_open_tiles', 'hashes'],
  ['hub_tlog_bundles', 'body'],
  ['hub_tlog_open_entries', 'body'],
  ['hub_tlog_changes', 'salts'],
  ['hub_tlog_changes', 'entry'],
  ['changes', 'title'],
  ['changes', 'before'],
  ['changes', 'url'],
  ['changes', 'id'],
  ['hub_run_closed', 'body'],
  ['hub_atom_entries', 'body'],
];
const TABLES = [
  'hub_tlog_tiles',
  'hub_tlog_bundles',
  'hub_tlog_open_entries',
  'hub_tlog_changes',
  'changes',
  'hub_run_closed',
];

/** Alters one thing in the data folder of a hub at a time, each time in a copy of its own: `fsck` must find each. */
export async function tortureTlogHubMutations(rounds: number, random: () => number): Promise<TortureReport> {
  const root = await mkdtemp(join(tmpdir(), 'tidings-tlog-mutations-'));
  const whole = join(root, 'whole');
  await fill(whole);
  if (!(await fsckHub(whole)).ok) throw new Error('Something is found in a folder that nobody altered.');
  const missed: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const folder = join(root, `altered-${round}`);
    await cp(whole, folder, { recursive: true });
    const what = await alter(folder, round, random);
    if ((await fsckHub(folder)).ok) missed.push(what);
    await rm(folder, { recursive: true });
  }
  await rm(root, { recursive: true });
  for (const what of missed.slice(0, 10)) process.stderr.write(`not found: ${what}\n`);
  return { name: 'tlog-hub-mutations', rounds, hits: rounds, wrong: { 'not found': missed.length } };
}

async function fill(folder: string): Promise<void> {
  await using hub = await openShelvedHub({ folder });
  for (let run = 0; run < 70; run += 1) {
    const page = (at: number) => changedPage(`${run}/${at}`, { before: `Old ${run}.`, excerpt: `New ${at}.` });
    await hub.commit(
      run % 3 === 0 ? 'api' : 'docs',
      Array.from({ length: 1 + (run % 9) }, (_, at) => page(at)),
    );
  }
  await hub.told();
}

/** Says what was done. */
async function alter(folder: string, round: number, random: () => number): Promise<string> {
  if (round % 10 === 9) return await alterFeed(join(folder, 'feeds'), random);
  const database = await openRawDatabase(join(folder, 'tidings.db'));
  const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all() as {
    name: string;
  }[];
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  const what = round % 10 === 8 ? deleteRow(database, random) : alterRow(database, random);
  database.close();
  return what;
}

function deleteRow(database: SqliteDatabase, random: () => number): string {
  const table = pick(TABLES, random);
  const key =
    table === 'changes' || table === 'hub_tlog_changes' ? 'seq' : table === 'hub_run_closed' ? 'key' : keyOf(table);
  const value = anyValue(database, table, key, random);
  const { changes } = database.prepare(`DELETE FROM ${table} WHERE ${key} = ?`).run(value);
  if (changes === 0) throw new Error(`${table} has no such row.`);
  return `a row of ${table} deleted (${String(value)})`;
}

function keyOf(table: string): string {
  if (table === 'hub_tlog_tiles') return 'tile';
  return table === 'hub_tlog_bundles' ? 'bundle' : 'entry';
}

function alterRow(database: SqliteDatabase, random: () => number): string {
  const [table, column] = pick(COLUMNS, random);
  if (table === 'changes' && column !== 'id') {
    const seq = Number(anyValue(database, table, 'seq', random));
    const { changes } = database
      .prepare(
        `UPDATE changes SET body = json_set(body, '$.${column}', json_extract(body, '$.${column}') || 'x') WHERE seq = ?`,
      )
      .run(seq);
    if (changes === 0) throw new Error('No such change.');
    return `${column} of change ${seq}`;
  }
  const key = rowKey(table);
  const value = anyValue(database, table, key, random);
  const row = database.prepare(`SELECT ${column} AS value FROM ${table} WHERE ${key} = ?`).get(value) as {
    value: unknown;
  };
  database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`).run(other(row.value, random), value);
  return `${column} of ${table} (${String(value)})`;
}

function rowKey(table: string): string {
  if (table === 'changes' || table === 'hub_tlog_changes') return 'seq';
  if (table === 'hub_run_closed') return 'key';
  if (table === 'hub_tlogs') return 'log';
  if (table === 'hub_tlog_open_tiles') return 'level';
  return table === 'hub_atom_entries' ? 'entry' : keyOf(table);
}

/** One bit of it, somewhere. */
function other(value: unknown, random: () => number): Uint8Array | string | number {
  if (typeof value === 'number') return value + 1 + Math.floor(random() * 5);
  if (typeof value === 'string') {
    const at = Math.floor(random() * value.length);
    return value.slice(0, at) + (value[at] === 'A' ? 'B' : 'A') + value.slice(at + 1);
  }
  const bytes = Uint8Array.from(value as Uint8Array);
  const at = Math.floor(random() * bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  return bytes;
}

function anyValue(database: SqliteDatabase, table: string, key: string, random: () => number): never {
  const rows = database.prepare(`SELECT DISTINCT ${key} AS value FROM ${table}`).all() as { value: never }[];
  return pick(rows, random).value;
}

async function alterFeed(folder: string, random: () => number): Promise<string> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ndjson'));
  const file = pick(files, random);
  const bytes = await readFile(join(folder, file));
  const at = Math.floor(random() * bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(join(folder, file), bytes);
  return `byte ${at} of the feed ${file}`;
}

function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}
