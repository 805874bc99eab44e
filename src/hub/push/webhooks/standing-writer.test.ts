import { expect, test } from 'vitest';
import { FakeTime } from '../../../../test/support/fake-time.ts';
import { LogFullError } from '../../../errors/log-error.ts';
import { StandingWriter } from './standing-writer.ts';
import type { SubscriptionStanding } from './subscription.ts';
import type { WebhookWrite } from './webhook-store.ts';

const STANDING: SubscriptionStanding = { status: 'active', cursor: { seq: 1, epoch: '' }, deadInRow: 0 };

function writerLab() {
  const time = new FakeTime(0, 3);
  const disk = { isFull: false, written: [] as (readonly string[])[], problems: 0 };
  const writer = new StandingWriter({
    store: {
      async write({ standings = [] }: WebhookWrite) {
        if (disk.isFull) throw new LogFullError('tidings.db', new Error('full'));
        disk.written.push(standings.map(({ id }) => id));
      },
    },
    alarm: time.alarm,
    standingOf: (id) => (id === 'gone' ? undefined : STANDING),
    onProblem: () => {
      disk.problems += 1;
    },
  });
  return { time, disk, writer };
}

test('what ends in one moment, or soon behind a commit, is one commit', async () => {
  const { time, disk, writer } = writerLab();
  const first = [writer.write('a'), writer.write('b'), writer.write('gone')];
  await time.pass(0);
  const second = [writer.write('a'), writer.write('c')];
  await time.pass(0);
  expect(disk.written).toEqual([['a', 'b']]);
  await time.pass(20);
  expect(disk.written).toEqual([
    ['a', 'b'],
    ['a', 'c'],
  ]);
  expect(await Promise.all([...first, ...second])).toEqual([true, true, true, true, true]);
});

test('what the disk does not take is written when it does, and said once', async () => {
  const { time, disk, writer } = writerLab();
  disk.isFull = true;
  const writing = writer.write('a');
  await time.pass(60_000);
  expect([disk.written, disk.problems]).toEqual([[], 1]);
  disk.isFull = false;
  void writer.write('b');
  await time.pass(5000);
  expect([disk.written, await writing]).toEqual([[['a', 'b']], true]);
});

test('closing writes what is left, and lets go of who waits', async () => {
  const { disk, writer } = writerLab();
  const writing = writer.write('a');
  await writer.close();
  expect([disk.written, await writing]).toEqual([[['a']], true]);
  expect(await writer.write('b')).toBe(false);
  const full = writerLab();
  full.disk.isFull = true;
  const waiting = full.writer.write('a');
  await full.writer.close();
  expect(await waiting).toBe(false);
});
