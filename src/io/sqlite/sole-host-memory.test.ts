import { mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { describeHostMemory } from '../../fetch/host-memory.contract.ts';
import { openRawDatabase } from './database.ts';
import { openSqliteHostMemory } from './host-memory.ts';
import { openSoleHostMemory } from './sole-host-memory.ts';

const TAKEN = { busyUntilMs: 0, turnAtMs: 0 };
const newFile = () => join(mkdtempSync(join(tmpdir(), 'tidings-hosts-')), 'crawl.db');

/** With what it says of its file. */
async function openSole(file: string, nowMs = 0) {
  const said: string[] = [];
  const memory = await openSoleHostMemory({
    file,
    now: () => nowMs,
    gapMs: 500,
    onProblem: (message) => said.push(message),
  });
  return { memory, said };
}

describeHostMemory(async () => (await openSole(newFile())).memory);

test('turns of a process that was killed end, and its hosts are left in peace; all else is still known', async () => {
  const file = newFile();
  {
    await using killed = (await openSole(file)).memory;
    await killed.claimTurn('a.example', { nowMs: 1000, busyUntilMs: 31_000 });
    await killed.claimTurn('b.example', { nowMs: 1000, busyUntilMs: 31_000 });
    await killed.endTurn('b.example', 90_000);
    await killed.extend('pause', 'c.example', 80_000);
    await killed.extend('https', 'd.example', 70_000);
    await killed.forget('https', 'd.example');
  }
  const { memory, said } = await openSole(file, 2000);
  const claim = { nowMs: 2000, busyUntilMs: 32_000 };
  expect(await memory.claimTurn('a.example', claim)).toEqual({ busyUntilMs: 0, turnAtMs: 2500 });
  expect(await memory.claimTurn('b.example', claim)).toEqual({ busyUntilMs: 0, turnAtMs: 90_000 });
  expect(await memory.until('pause', 'c.example')).toBe(80_000);
  expect(await memory.until('https', 'd.example')).toBe(0);
  expect(await memory.claimTurn('a.example', { nowMs: 2500, busyUntilMs: 32_000 })).toEqual(TAKEN);
  expect(said).toEqual([]);
  await memory[Symbol.asyncDispose]();
});

test('a fetch with the usual gap behind it writes nothing; after a kill all hosts are left in peace for that gap', async () => {
  const file = newFile();
  const { memory: killed } = await openSole(file, 1000);
  const before = statSync(`${file}-wal`).size;
  for (let host = 0; host < 50; host += 1) {
    await killed.claimTurn(`h${host}.example`, { nowMs: 1000, busyUntilMs: 31_000 });
    await killed.endTurn(`h${host}.example`, 1500);
  }
  expect(statSync(`${file}-wal`).size - before).toBe(0);
  await killed.endTurn('slow.example', 61_000);
  await killed.extend('pause', 'c.example', 80_000);
  // Nothing is closed: what stands in the file is what a kill leaves.
  {
    await using memory = (await openSole(file, 1200)).memory;
    const claim = { nowMs: 1200, busyUntilMs: 31_200 };
    expect(await memory.claimTurn('h7.example', claim)).toEqual({ busyUntilMs: 0, turnAtMs: 1700 });
    const later = { nowMs: 1700, busyUntilMs: 31_700 };
    expect(await memory.claimTurn('h7.example', later)).toEqual(TAKEN);
    expect(await memory.claimTurn('slow.example', later)).toEqual({ busyUntilMs: 0, turnAtMs: 61_000 });
    expect(await memory.until('pause', 'c.example')).toBe(80_000);
    await memory.endTurn('h7.example', 2200);
  }
  // A clean end leaves the turns themselves.
  await using again = (await openSole(file, 1800)).memory;
  const claim = { nowMs: 1800, busyUntilMs: 31_800 };
  expect(await again.claimTurn('h8.example', claim)).toEqual(TAKEN);
  expect(await again.claimTurn('h7.example', claim)).toEqual({ busyUntilMs: 0, turnAtMs: 2200 });
  await killed[Symbol.asyncDispose]();
});

test('a file that takes no writes any more binds nobody less: that is said once', async () => {
  const file = newFile();
  {
    await using before = await openSqliteHostMemory({ file, nowMs: 0 });
    await before.extend('pause', 'a.example', 90_000);
  }
  await refuseWrites(file);
  const { memory, said } = await openSole(file);
  expect(await memory.until('pause', 'a.example')).toBe(90_000);
  expect(await memory.claimTurn('b.example', { nowMs: 1000, busyUntilMs: 31_000 })).toEqual(TAKEN);
  const busy = { busyUntilMs: 31_000, turnAtMs: 0 };
  expect(await memory.claimTurn('b.example', { nowMs: 1001, busyUntilMs: 31_001 })).toEqual(busy);
  await memory.endTurn('b.example', 4000);
  const early = { busyUntilMs: 0, turnAtMs: 4000 };
  expect(await memory.claimTurn('b.example', { nowMs: 3999, busyUntilMs: 33_999 })).toEqual(early);
  await memory.extend('pause', 'c.example', 70_000);
  expect(await memory.until('pause', 'c.example')).toBe(70_000);
  expect(said).toEqual([expect.stringMatching(/crawl\.db cannot be used \(no room\)/)]);
  await memory[Symbol.asyncDispose]();
});

test.each<[string, (file: string) => void]>([
  ['a folder in its place', (file) => mkdirSync(file, { recursive: true })],
  ['no folder to be in', (file) => writeFileSync(dirname(file), '')],
])('without a file that can be used it is known by this process alone: %s', async (_where, spoil) => {
  const file = join(newFile(), 'crawl.db');
  spoil(file);
  const { memory, said } = await openSole(file);
  await memory.extend('pause', 'a.example', 90_000);
  expect(await memory.until('pause', 'a.example')).toBe(90_000);
  expect(said).toHaveLength(1);
  await memory[Symbol.asyncDispose]();
});

test('a damaged file is moved aside and a new one begun', async () => {
  const file = newFile();
  writeFileSync(file, 'this was a database once. '.repeat(1000));
  {
    await using memory = (await openSole(file)).memory;
    await memory.extend('pause', 'a.example', 90_000);
  }
  await using again = (await openSole(file)).memory;
  expect(await again.until('pause', 'a.example')).toBe(90_000);
});

test('a pause of years that stands in an old file is cut to a day, also where the file takes no writes', async () => {
  const file = newFile();
  const day = 24 * 3600_000;
  {
    await using old = await openSqliteHostMemory({ file, nowMs: 0 });
    await old.extend('pause', 'a.example', 3650 * day);
  }
  for (const nowMs of [0, 1000]) {
    await using memory = (await openSole(file, nowMs)).memory;
    expect(await memory.until('pause', 'a.example')).toBe(day);
  }
  const other = newFile();
  {
    await using old = await openSqliteHostMemory({ file: other, nowMs: 0 });
    await old.extend('pause', 'a.example', 3650 * day);
  }
  await refuseWrites(other);
  await using memory = (await openSole(other)).memory;
  expect(await memory.until('pause', 'a.example')).toBe(day);
});

/** From now on SQLite refuses every write to the hosts, as it does on a full disk. */
async function refuseWrites(file: string): Promise<void> {
  const database = await openRawDatabase(file);
  for (const write of ['INSERT', 'UPDATE', 'DELETE']) {
    database.exec(`CREATE TRIGGER no_${write} BEFORE ${write} ON hosts BEGIN SELECT RAISE(ABORT, 'no room'); END`);
  }
  database.close();
}
