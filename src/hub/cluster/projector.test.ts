import { expect, onTestFinished, test } from 'vitest';
import { FakeTime } from '../../../test/support/fake-time.ts';
import { MemoryRoles } from '../../../test/support/memory-roles.ts';
import { LogUnavailableError } from '../../errors/log-error.ts';
import { Projector } from './projector.ts';

const LEASE_MS = 3000;

function lab() {
  const time = new FakeTime(0, 5);
  const roles = new MemoryRoles({ now: time.now, leaseMs: LEASE_MS });
  const join = (name: string, more: { catchUp?: () => Promise<void> } = {}) => {
    const turns: boolean[] = [];
    const way = { isCut: false, lateMs: 0 };
    const bugs: unknown[] = [];
    const reached = roles.of(name, () => {
      if (way.isCut) throw new LogUnavailableError('postgres://db', new Error('away'));
    });
    const late = () =>
      new Promise<void>((resolve) => (way.lateMs > 0 ? void time.alarm(way.lateMs, resolve) : resolve()));
    const projector = new Projector({
      roles: {
        ...reached,
        renew: async (role, token) => {
          const isRenewed = await reached.renew(role, token);
          await late();
          return isRenewed;
        },
      },
      catchUp: async () => {},
      leaseMs: LEASE_MS,
      elapsed: time.now,
      alarm: time.alarm,
      onBug: (error) => bugs.push(error),
      ...more,
    });
    projector.onTurn((isHeld) => turns.push(isHeld));
    projector.begin();
    onTestFinished(() => projector[Symbol.asyncDispose]());
    return { projector, turns, way, bugs };
  };
  return { time, join };
}

test('one has it, for as long as it renews it; the next one takes over at once where it is let go', async () => {
  const { time, join } = lab();
  const one = join('one');
  await time.pass(0);
  const two = join('two');
  await time.pass(10 * LEASE_MS);
  expect([one.projector.isHeld, two.projector.isHeld]).toEqual([true, false]);
  expect(one.projector.fence).toEqual({ task: 'role:projector', token: 1 });
  await one.projector[Symbol.asyncDispose]();
  await time.pass(LEASE_MS / 3);
  expect([one.turns, two.turns, two.projector.fence?.token]).toEqual([[true, false], [true], 2]);
});

test('who cannot reach the database lets it go by itself, before the next one has it', async () => {
  const { time, join } = lab();
  const [one, two] = [join('one'), join('two')];
  await time.pass(0);
  one.way.isCut = true;
  let both = 0;
  for (let ms = 0; ms < 3 * LEASE_MS; ms += 100) {
    await time.pass(100);
    if (one.projector.isHeld && two.projector.isHeld) both += 1;
  }
  expect([one.projector.isHeld, one.projector.fence, two.projector.isHeld, both]).toEqual([false, undefined, true, 0]);
  one.way.isCut = false;
  await time.pass(3 * LEASE_MS);
  expect([one.turns, two.turns, one.bugs]).toEqual([[true, false], [true], []]);
});

test('it counts here when all is known that was made before, and not where that took too long', async () => {
  const { time, join } = lab();
  const slow = join('slow', { catchUp: () => new Promise((resolve) => void time.alarm(2 * LEASE_MS, resolve)) });
  await time.pass(LEASE_MS / 2);
  expect(slow.projector.isHeld).toBe(false);
  const quick = join('quick');
  await time.pass(4 * LEASE_MS);
  expect([slow.turns, quick.turns]).toEqual([[], [true]]);
});

test('who hears too late that it was renewed is told of the pause, so that what was left meanwhile is made', async () => {
  const { time, join } = lab();
  const one = join('one');
  await time.pass(0);
  one.way.lateMs = 0.8 * LEASE_MS;
  await time.pass(1.2 * LEASE_MS);
  expect([one.turns, one.projector.isHeld]).toEqual([[true, false, true], true]);
});
