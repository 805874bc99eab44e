import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSqliteLog } from '../../src/io/sqlite/log.ts';
import { IS_LONG, shortOrLong } from '../support/short-or-long.ts';
import { tortureAppend } from './append.ts';
import { fillDisk } from './full-disk.ts';
import { describeReport, passed, startChild } from './harness.ts';
import { readSyncTrace, traceAppends } from './sync-trace.ts';

const STORES = ['sqlite', 'file'] as const;

describe.skipIf(!IS_LONG)('at length', () => {
  test.for(STORES)('a %s log keeps its promises when its writer is killed at any moment', async (store) => {
    const report = await tortureAppend({ store, rounds: 10 });
    expect(passed(report), describeReport(report)).toBe(true);
  });

  test('a log that acknowledges before it stores is found out', async () => {
    const report = await tortureAppend({ store: 'sqlite', rounds: 4, flaw: 'early-ack' });
    expect(report.wrong.lost).toBeGreaterThan(0);
  });

  test('without fsync the same check fails', async ({ skip }) => {
    const trace = await traceAppends('sqlite', { appends: 50, flaw: 'no-sync' });
    if (trace === undefined) return skip('strace is not here, or may not trace');
    expect(trace).toEqual({ acks: 50, unsynced: expect.any(Number) });
    expect(trace.unsynced).toBeGreaterThan(45);
  });
});

test('a writer locks out another process, and its death frees the folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-kill-'));
  const child = startChild('append-child.mjs', [folder, '1']);
  await child.waitFor('ready');
  await expect(openSqliteLog({ folder })).rejects.toMatchObject({ name: 'LogLockedError', folder });
  child.kill();
  await child.ended;
  const log = await openSqliteLog({ folder });
  await log.close();
  await rm(folder, { recursive: true });
});

test('of processes that take and leave a folder at once, never two hold it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-contend-'));
  const children = Array.from({ length: 4 }, () => startChild('lock-child.mjs', [folder, `${shortOrLong(40, 150)}`]));
  let held = 0;
  for (const child of children) {
    expect(await child.ended).toBe(0);
    const outcome = JSON.parse(child.lines[0] ?? '') as { held: number; shared: number };
    expect(outcome.shared).toBe(0);
    held += outcome.held;
  }
  expect(held).toBeGreaterThan(shortOrLong(20, 100));
  await rm(folder, { recursive: true });
});

test.for(STORES)('no append to a %s log is acknowledged before an fsync', async (store, { skip }) => {
  const appends = shortOrLong(10, 50);
  const trace = await traceAppends(store, { appends });
  if (trace === undefined) return skip('strace is not here, or may not trace');
  expect(trace).toEqual({ acks: appends, unsynced: 0 });
});

test('a sync that failed, or did not end, is none', () => {
  const ack = '7 write(1, "ack [{\\"seq\\""..., 200) = 200';
  expect(readSyncTrace(`7 fdatasync(9) = 0\n${ack}\n${ack}`)).toEqual({ acks: 2, unsynced: 1 });
  expect(readSyncTrace(`7 fdatasync(9) = -1 EIO (Input/output error)\n${ack}`)).toEqual({ acks: 1, unsynced: 1 });
  expect(readSyncTrace(`8 fsync(9 <unfinished ...>\n${ack}`)).toEqual({ acks: 1, unsynced: 1 });
  expect(readSyncTrace(`8 <... fsync resumed>) = 0\n${ack}`)).toEqual({ acks: 1, unsynced: 0 });
});

test.for(STORES)(
  'a full disk under a %s log: what is acknowledged is stored, and it goes on later',
  async (store, { skip }) => {
    const story = await fillDisk(store);
    if (story === undefined) return skip('this user may not mount a small disk');
    const whileFull = story.acked.slice(0, story.readBeside.length);
    expect(story.error).toMatchObject({ name: 'LogFullError', recovery: 'retry-later' });
    expect(story.errorAgain).toMatchObject({ name: 'LogFullError' });
    expect(story.readBeside.length).toBeGreaterThan(100);
    expect(story.readBeside).toEqual(whileFull);
    expect(story.readAgain).toEqual(whileFull);
    expect(story.afterwards).toBeUndefined();
    expect(story.readAtLast).toEqual(story.acked);
    expect(story.acked.length).toBe(whileFull.length + 50);
  },
);
