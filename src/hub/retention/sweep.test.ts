import { expect, test } from 'vitest';
import type { Retention } from '../config/retention.ts';
import { createSweeper, type SweepParts } from './sweep.ts';

const DAY = 24 * 3600_000;
const NOW = 1000 * DAY;

/** A log with one change of 100 bytes for each day up to now, and what was asked of it. */
function lab(begins = 0) {
  const asked: string[] = [];
  let start = begins;
  const store: SweepParts['store'] = {
    lastChange: async () => ({ seq: 1000 }) as Awaited<ReturnType<SweepParts['store']['lastChange']>>,
    logStart: () => (start === 0 ? undefined : { seq: start, id: `id-${start}` }),
    async *changes() {},
    async cutLog(seq) {
      asked.push(`cut ${seq}`);
      start = Math.max(start, seq);
    },
    async dropSnapshots(beforeMs) {
      asked.push(`snapshots before ${beforeMs / DAY}`);
      return 0;
    },
    snapshotsBeyond: async (bytes) => bytes * DAY,
    async dropChecks(beforeMs) {
      asked.push(`checks before ${beforeMs / DAY}`);
    },
    checksBeyond: async (bytes) => (bytes < 1000 ? bytes * DAY : 0),
    seqBefore: async (timeMs) => Math.ceil(timeMs / DAY) - 1,
    seqBeyond: async (bytes) => Math.max(0, 1000 - Math.floor(bytes / 100)),
  };
  const archive = { name: 'a', firstSeq: 1, lastSeq: 2, bytes: 3 };
  const sweeper = createSweeper({
    store,
    shelves: {
      seq: 1000,
      secure: async () => {},
      rebegin: async () => void asked.push('feeds begin anew'),
      endArchives: async (dialect, { sinceMs, bytes }) => {
        asked.push(`archives of ${dialect} ${bytes === undefined ? `before ${sinceMs / DAY}` : `beyond ${bytes}`}`);
        return 0;
      },
    },
    archives: {
      list: async () => [],
      read: async () => undefined,
      holding: async () => undefined,
      write: async () => {
        asked.push('archived');
        return archive;
      },
    },
    now: () => NOW,
  });
  return {
    asked,
    sweep: async (retention: Retention) => {
      const result = await sweeper.sweep(retention);
      return { result, asked: asked.splice(0) };
    },
  };
}

test('without a wish everything is kept', async () => {
  expect(await lab().sweep({})).toEqual({ result: undefined, asked: [] });
});

test.each<[string, Retention, string]>([
  ['texts by days', { snapshots: { days: 30 } }, 'snapshots before 970'],
  ['texts by bytes', { snapshots: { bytes: 7 } }, 'snapshots before 7'],
  ['checks by days', { checks: { days: 10 } }, 'checks before 990'],
  ['checks by bytes', { checks: { bytes: 7 } }, 'checks before 7'],
  ['archives by days', { archives: { atom: { days: 90 } } }, 'archives of atom before 910'],
  ['archives by bytes', { archives: { diffdelta: { bytes: 1e9 } } }, 'archives of diffdelta beyond 1000000000'],
])('%s: what is older goes', async (_, retention, wanted) => {
  expect((await lab().sweep(retention)).asked).toEqual([wanted]);
});

test('checks that all fit are left alone', async () => {
  expect((await lab().sweep({ checks: { bytes: 1000 } })).asked).toEqual([]);
});

test.each<[string, Retention, number]>([
  ['days', { log: { days: 100 } }, 899],
  ['bytes', { log: { bytes: 50_000 } }, 500],
])('the log is cut by %s, into an archive first, and feeds begin anew', async (_, retention, seq) => {
  const { sweep } = lab();
  const first = await sweep(retention);
  expect(first.asked).toEqual(['archived', `cut ${seq}`, 'feeds begin anew']);
  expect(first.result).toMatchObject({ name: 'a' });
  expect((await sweep(retention)).asked, 'it is hardly longer than what is kept').not.toContain('archived');
});

test('a log that is a little longer than what is kept waits for more, since each cut gives its feeds new names', async () => {
  expect((await lab(895).sweep({ log: { days: 100 } })).asked).not.toContain('archived');
  expect((await lab(880).sweep({ log: { days: 100 } })).asked).toContain('archived');
});
