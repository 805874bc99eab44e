import { expect, test } from 'vitest';
import { DoubtingClock } from './doubting-clock.ts';

const DAY = 24 * 3600_000;
const START = Date.UTC(2026, 0, 1);

function clockAt(lastKnownMs: number | undefined, wallMs = START, isTrusted = false) {
  const world = { wallMs, elapsedMs: 500 };
  const clock = new DoubtingClock({
    wall: () => world.wallMs,
    elapsed: () => world.elapsedMs,
    lastKnownMs,
    isTrusted,
  });
  const pass = (ms: number, wall = ms) => {
    world.elapsedMs += ms;
    world.wallMs += wall;
  };
  return { clock, pass };
}

test('a clock that goes on, sleeps, is slewed or goes back is believed', () => {
  const { clock, pass } = clockAt(START - DAY);
  for (const [elapsed, wall] of [
    [1000, 1000],
    [30 * DAY, 30 * DAY],
    [1000, DAY / 2],
    [1000, -DAY],
  ] as const) {
    pass(elapsed, wall);
    expect(clock.doubt).toBeUndefined();
  }
  expect(clock.now()).toBe(START + 1000 + 30 * DAY + DAY / 2 - DAY);
});

test('one that jumps years ahead is not, until it is set right', () => {
  const { clock, pass } = clockAt(START);
  pass(60_000, 14 * 365 * DAY);
  expect(clock.now()).toBe(START + 60_000);
  expect(clock.doubt).toMatchObject({ is: 'ahead', wallMs: START + 14 * 365 * DAY, keptMs: START + 60_000 });
  pass(60_000);
  expect(clock.now()).toBe(START + 120_000);
  pass(0, -14 * 365 * DAY + 60_000);
  expect([clock.doubt, clock.now()]).toEqual([undefined, START + 120_000]);
});

test('a start long after all that is known is believed, with a word for a day; after some weeks without one', () => {
  expect(clockAt(START - 30 * DAY).clock.doubt).toBeUndefined();
  const { clock, pass } = clockAt(START - 40 * DAY);
  expect(clock.now()).toBe(START);
  expect(clock.doubt).toEqual({ is: 'far', wallMs: START, keptMs: START, knownMs: START - 40 * DAY });
  pass(DAY - 1);
  expect(clock.doubt?.is).toBe('far');
  pass(2);
  expect(clock.doubt).toBeUndefined();
  expect(clockAt(START - 40 * DAY, START, true).clock.doubt).toBeUndefined();
});

test('a clock more than a day behind all that is known is believed, with a word until it has caught up', () => {
  expect(clockAt(START + DAY).clock.doubt).toBeUndefined();
  const { clock, pass } = clockAt(START + 3 * DAY);
  expect(clock.now()).toBe(START);
  expect(clock.doubt).toEqual({ is: 'behind', wallMs: START, keptMs: START, knownMs: START + 3 * DAY });
  pass(2 * DAY);
  expect(clock.doubt).toBeUndefined();
  pass(1000, -2 * DAY);
  expect(clock.doubt?.is, 'also of one that goes back while the hub runs').toBe('behind');
  expect(clockAt(START + 3 * DAY, START, true).clock.doubt).toBeUndefined();
});

test('a start grants a year of absence, no more, unless somebody looked', () => {
  expect(clockAt(START - 300 * DAY).clock.now()).toBe(START);
  expect(clockAt(undefined).clock.now()).toBe(START);
  const { clock } = clockAt(START - 3 * 365 * DAY);
  expect([clock.now(), clock.doubt?.wallMs]).toEqual([START - 3 * 365 * DAY, START]);
  expect(clockAt(START - 3 * 365 * DAY, START, true).clock.now()).toBe(START);
});
