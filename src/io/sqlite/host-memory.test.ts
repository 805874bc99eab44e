import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeHostMemory } from '../../fetch/host-memory.contract.ts';
import { openSqliteHostMemory } from './host-memory.ts';

const newFile = () => join(mkdtempSync(join(tmpdir(), 'tidings-hosts-')), 'crawl.db');

describeHostMemory(() => openSqliteHostMemory({ file: newFile(), nowMs: 0 }));

test('a pause is still known to the next process', async () => {
  const file = newFile();
  {
    await using memory = await openSqliteHostMemory({ file, nowMs: 0 });
    await memory.extend('pause', 'a.example', 90_000);
  }
  await using again = await openSqliteHostMemory({ file, nowMs: 50_000 });
  expect(await again.until('pause', 'a.example')).toBe(90_000);
});

test('two who share a file never take the same turn', async () => {
  const file = newFile();
  await using one = await openSqliteHostMemory({ file, nowMs: 0 });
  await using other = await openSqliteHostMemory({ file, nowMs: 0 });
  const claim = { nowMs: 1000, busyUntilMs: 31_000 };
  expect(await one.claimTurn('a.example', claim)).toEqual({ busyUntilMs: 0, turnAtMs: 0 });
  expect(await other.claimTurn('a.example', claim)).toEqual({ busyUntilMs: 31_000, turnAtMs: 0 });
});

test('what ended long ago is forgotten', async () => {
  const file = newFile();
  {
    await using memory = await openSqliteHostMemory({ file, nowMs: 0 });
    await memory.extend('turn', 'a.example', 1000);
  }
  await using again = await openSqliteHostMemory({ file, nowMs: 10 * 24 * 3600_000 });
  expect(await again.until('turn', 'a.example')).toBe(0);
});

test('a damaged file is moved aside, not the end of reading', async () => {
  const file = newFile();
  writeFileSync(file, 'this was a database once. '.repeat(1000));
  await using memory = await openSqliteHostMemory({ file, nowMs: 0 });
  await memory.extend('pause', 'a.example', 90_000);
  expect(await memory.until('pause', 'a.example')).toBe(90_000);
});

test('a pause of years that stands in an old file is cut to a day, once', async () => {
  const file = newFile();
  const day = 24 * 3600_000;
  {
    await using old = await openSqliteHostMemory({ file, nowMs: 0 });
    await old.extend('pause', 'a.example', 3650 * day);
    await old.extend('https', 'a.example', 300 * day);
  }
  for (const nowMs of [0, 1000]) {
    await using memory = await openSqliteHostMemory({ file, nowMs });
    expect(await memory.until('pause', 'a.example')).toBe(day);
    expect(await memory.until('https', 'a.example')).toBe(300 * day);
  }
});
