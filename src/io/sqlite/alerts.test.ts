import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/site.ts';
import { LogFullError } from '../../errors/log-error.ts';
import type { NewAlert } from '../../hub/alerts/alert-board.ts';
import { AlertLog } from '../../hub/alerts/alert-log.ts';
import type { AlertStore } from '../../hub/alerts/alert-store.ts';
import { openSqliteAlerts, readOpenAlerts } from './alerts.ts';
import { openSqliteHubStore } from './hub-store.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const broken = (subject: string): NewAlert => ({
  kind: 'source.broken',
  severity: 'warning',
  subject,
  sinceMs: NOON,
  raisedMs: NOON,
  summary: `${subject} cannot be read.`,
  remedy: 'Look at it.',
});
const random = (size: number) => new Uint8Array(size);

async function lab(kept?: number) {
  const folder = temporaryFolder();
  let hub = await openSqliteHubStore({ folder: folder.path });
  onTestFinished(async () => {
    await hub[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  const open = () => hub.openTables((opened) => openSqliteAlerts(opened, kept));
  return {
    store: open(),
    async again() {
      await hub[Symbol.asyncDispose]();
      hub = await openSqliteHubStore({ folder: folder.path });
      return open();
    },
    openNow: () => hub.openTables(readOpenAlerts),
  };
}

test('what is raised is open until it is cleared, also for who opens the folder again', async () => {
  const { store, again, openNow } = await lab();
  expect(openNow()).toEqual([]);
  const log = new AlertLog({ store, epoch: undefined, random });
  const [a] = await log.append({ raised: [broken('a'), broken('b')], cleared: [] }, NOON);
  if (a === undefined) throw new Error('Two were raised.');
  expect(openNow().map(({ subject }) => subject)).toEqual(['a', 'b']);
  await log.append({ raised: [], cleared: [a.alert] }, NOON + 1);
  const reopened = await again();
  expect(reopened.open().map(({ subject }) => subject)).toEqual(['b']);
  const next = new AlertLog({ store: reopened, epoch: undefined, random });
  expect([next.seq, next.recent(9).map(({ type }) => type)]).toEqual([
    3,
    ['alert.cleared', 'alert.raised', 'alert.raised'],
  ]);
  const ids = (await next.read(0, 9)).map(({ id }) => id);
  expect(ids.toSorted()).toEqual(ids);
  expect(await next.find(ids[1] ?? '')).toEqual({ seq: 2, id: ids[1] });
  expect([NOON, NOON + 1, NOON + 2].map((ms) => reopened.seqBefore(ms))).toEqual([0, 2, 3]);
  next.append({ raised: [broken('a')], cleared: [] }, NOON - 5);
  expect((await next.read(3, 9)).map(({ seq, id }) => [seq, id > (ids[2] ?? '')])).toEqual([[4, true]]);
});

test('so many events are kept, and the log says where it begins', async () => {
  const { store, again } = await lab(5);
  const log = new AlertLog({ store, epoch: 'e', random });
  for (let at = 0; at < 12; at++) await log.append({ raised: [broken(`s${at}`)], cleared: [] }, NOON + at);
  expect(log.begins()?.seq).toBe(7);
  const reopened = new AlertLog({ store: await again(), epoch: 'e', random });
  expect(reopened.begins()).toEqual(log.begins());
  expect(reopened.held(6, 9)).toBeUndefined();
  expect((await reopened.read(0, 99)).map(({ seq }) => seq)).toEqual([8, 9, 10, 11, 12]);
  expect(await reopened.find(log.begins()?.id ?? '')).toEqual(log.begins());
});

test('what the disk refuses waits, is news all the same, and is told to readers when it is durable', async () => {
  const { store } = await lab();
  const disk = { isFull: true };
  const refusing: AlertStore = {
    ...store,
    open: () => store.open(),
    begins: () => store.begins(),
    recent: (limit) => store.recent(limit),
    read: (after, limit) => store.read(after, limit),
    onWritten: (listener) => store.onWritten(listener),
    async write(step) {
      if (disk.isFull) throw new LogFullError('/srv/log.db', new Error('ENOSPC'));
      await store.write(step);
    },
  };
  const log = new AlertLog({ store: refusing, epoch: undefined, random });
  const told: string[] = [];
  log.onEvents((events) => told.push(...events.map(({ json }) => JSON.parse(json).subject)));
  await log.append({ raised: [broken('a')], cleared: [] }, NOON);
  await log.append({ raised: [broken('b')], cleared: [] }, NOON);
  expect([told, log.seq, log.newestSeq, log.news(0, 9).length, log.recent(9).length]).toEqual([[], 0, 2, 2, 2]);
  disk.isFull = false;
  await log.settle();
  expect([told, log.seq, store.open().length]).toEqual([['a', 'b'], 2, 2]);
  await log.settle();
  expect(told).toHaveLength(2);
});
