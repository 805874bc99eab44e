import { expect, test } from 'vitest';
import { FakeTime } from '../../../test/support/fake-time.ts';
import { startSweeping } from './sweep-rhythm.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-05-04T12:00:00Z');

function sweeping(random: number) {
  const time = new FakeTime(START);
  const minutes: number[] = [];
  const sweep = async () => void minutes.push((time.now() - START) / MINUTE);
  return { time, minutes, end: startSweeping(sweep, { alarm: time.alarm, random: () => random }) };
}

test('a hub sweeps within minutes of its start, then every hour', async () => {
  const { time, minutes } = sweeping(0.5);
  await time.pass(130 * MINUTE);
  expect(minutes).toEqual([3, 63, 123]);
});

test('hubs that start together sweep at different moments, none of them at once', async () => {
  const [early, late] = [sweeping(0), sweeping(0.999)];
  await early.time.pass(10 * MINUTE);
  await late.time.pass(10 * MINUTE);
  expect(early.minutes).toEqual([1]);
  expect(late.minutes).toEqual([expect.closeTo(5, 1)]);
});

test('a sweep that is under way plans no other behind the end', async () => {
  const time = new FakeTime(START);
  let finish = () => {};
  const sweep = () =>
    new Promise<void>((resolve) => {
      finish = resolve;
    });
  const end = startSweeping(sweep, { alarm: time.alarm, random: () => 0 });
  await time.pass(MINUTE);
  end();
  finish();
  await time.pass(0);
  expect(time.alarmsPending).toBe(0);
});
