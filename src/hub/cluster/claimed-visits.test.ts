import { expect, test } from 'vitest';
import { FakeTime } from '../../../test/support/fake-time.ts';
import { MemoryLeases } from '../../../test/support/memory-leases.ts';
import { LogUnavailableError } from '../../errors/log-error.ts';
import type { VisitEnd } from '../schedule/visit-plan.ts';
import { ClaimedVisits, type ClaimedVisitsOptions } from './claimed-visits.ts';
import type { SourceLeases } from './source-leases.ts';

const MINUTE = 60_000;
const LEASE_MS = 5000;
const AWAY = new LogUnavailableError('postgres://db/hub', new Error('connect ECONNREFUSED'));

/** A process that visits what it claims. Visits stay open until the test ends them. */
class Process {
  readonly begun: string[] = [];
  readonly open = new Map<string, (end: VisitEnd) => void>();
  readonly abandoned: string[] = [];
  readonly lateMs: number[] = [];
  readonly said: string[] = [];
  readonly plan: ClaimedVisits;
  isCutOff = false;

  constructor(holder: string, leases: MemoryLeases, time: FakeTime, rest: Partial<ClaimedVisitsOptions> = {}) {
    const visits = {
      run: (id: string) => {
        this.begun.push(id);
        return new Promise<VisitEnd>((resolve) => this.open.set(id, resolve));
      },
      abandon: (id: string) => {
        this.abandoned.push(id);
        this.end(id, { is: 'put-off', delayMs: 30_000 });
      },
      onLate: (lagMs: number) => this.lateMs.push(lagMs),
    };
    this.plan = new ClaimedVisits(visits, {
      leases: this.#reaching(leases),
      holder,
      leaseMs: LEASE_MS,
      concurrency: 4,
      rev: () => 0,
      applied: async () => {},
      elapsed: time.now,
      alarm: time.alarm,
      onTrouble: () => this.said.push('trouble'),
      onRecovered: () => this.said.push('recovered'),
      ...rest,
    });
  }

  end(id: string, end: VisitEnd = { is: 'checked' }): void {
    const finish = this.open.get(id);
    this.open.delete(id);
    finish?.(end);
  }

  #reaching(leases: MemoryLeases): SourceLeases {
    const reach = async <T>(ask: () => Promise<T>): Promise<T> => {
      if (this.isCutOff) throw AWAY;
      return ask();
    };
    return {
      claim: (wish) => reach(() => leases.claim(wish)),
      renew: (held, leaseMs) => reach(() => leases.renew(held, leaseMs)),
      release: (held, afterMs) => reach(() => leases.release(held, afterMs)),
      hasten: (id, afterMs) => reach(() => leases.hasten(id, afterMs)),
    };
  }
}

function lab() {
  const time = new FakeTime(1_000_000);
  return { time, leases: new MemoryLeases(time.now) };
}

test('as many sources are visited at a time as there are places, and the next when one is over', async () => {
  const { time, leases } = lab();
  for (const id of ['a', 'b', 'c']) leases.add(id);
  const process = new Process('one', leases, time, { concurrency: 2 });
  await time.pass(0);
  expect(process.begun).toEqual(['a', 'b']);
  process.end('a');
  await time.pass(100);
  expect(process.begun).toEqual(['a', 'b', 'c']);
});

test('of two processes, each source is visited by one, and one of a host at a time', async () => {
  const { time, leases } = lab();
  for (const id of ['a', 'b', 'c']) leases.add(id, { host: id === 'c' ? 'a' : id });
  const one = new Process('one', leases, time);
  const two = new Process('two', leases, time);
  await time.pass(MINUTE);
  expect([...one.begun, ...two.begun].sort()).toEqual(['a', 'b']);
  expect([one.abandoned, two.abandoned]).toEqual([[], []]);
});

test('the next source of a host is visited as soon as the check of the one before is written', async () => {
  const { time, leases } = lab();
  for (const id of ['a', 'b']) leases.add(id, { host: 'docs.example' });
  const { plan, ...process } = new Process('one', leases, time);
  await time.pass(0);
  process.open.get('a')?.({ is: 'checked' });
  await time.pass(250);
  expect(process.begun, 'the check is not written yet').toEqual(['a']);
  leases.end('a', time.now() + MINUTE);
  plan.ended('a');
  await time.pass(100);
  expect(process.begun).toEqual(['a', 'b']);
  const { claims } = leases;
  leases.end('b', time.now() + MINUTE);
  plan.ended('b');
  await time.pass(100);
  expect(leases.claims, 'no other source of the host is due').toBe(claims);
});

test('a check ends the lease with its write; until then nobody else has the source', async () => {
  const { time, leases } = lab();
  leases.add('a');
  const { plan, ...process } = new Process('one', leases, time);
  await time.pass(0);
  expect(plan.fenceOf('a')).toEqual({ task: 'source:a', token: 1 });
  process.open.get('a')?.({ is: 'checked' });
  await time.pass(MINUTE);
  expect(plan.fenceOf('a')).toEqual({ task: 'source:a', token: 1 });
  expect(process.begun).toEqual(['a']);
  leases.end('a', time.now() + MINUTE);
  plan.ended('a');
  expect(plan.fenceOf('a')).toBeUndefined();
  await time.pass(MINUTE + 1000);
  expect(process.begun).toEqual(['a', 'a']);
});

test('the sources of a process that died are taken over within 10 s', async () => {
  const { time, leases } = lab();
  leases.add('a');
  await leases.claim({ holder: 'dead', most: 1, leaseMs: LEASE_MS, rev: 0 });
  const process = new Process('two', leases, time);
  await time.pass(4900);
  expect(process.begun).toEqual([]);
  await time.pass(5100);
  expect(process.begun).toEqual(['a']);
});

test('a process that is cut off gives its visits up before anybody else begins them', async () => {
  const { time, leases } = lab();
  leases.add('a');
  const cutOff = new Process('one', leases, time);
  await time.pass(7000);
  const other = new Process('two', leases, time);
  cutOff.isCutOff = true;
  let givenUpMs: number | undefined;
  for (let ms = 0; other.begun.length === 0 && ms < 10_000; ms += 100) {
    await time.pass(100);
    if (cutOff.abandoned.length > 0 && other.begun.length === 0) givenUpMs ??= ms;
  }
  expect(givenUpMs).toBeDefined();
  expect(other.begun).toEqual(['a']);
  expect(cutOff.plan.fenceOf('a')).toBeUndefined();
  expect(cutOff.said).toEqual(['trouble']);
});

test('one renewal that fails ends no visit', async () => {
  const { time, leases } = lab();
  leases.add('a');
  const process = new Process('one', leases, time);
  await time.pass(2500);
  process.isCutOff = true;
  await time.pass(1500);
  process.isCutOff = false;
  await time.pass(MINUTE);
  expect(process.abandoned).toEqual([]);
  expect(process.said).toEqual(['trouble', 'recovered']);
});

test('a visit whose source was given to somebody else is given up', async () => {
  const { time, leases } = lab();
  leases.add('a');
  const process = new Process('one', leases, time);
  await time.pass(0);
  Object.assign(leases.rows.get('a') ?? {}, { token: 9, holder: undefined, dueAtMs: Number.POSITIVE_INFINITY });
  await time.pass(2000);
  expect(process.abandoned).toEqual(['a']);
});

test('a visit that is put off is due again behind its delay, for anybody', async () => {
  const { time, leases } = lab();
  leases.add('a');
  const process = new Process('one', leases, time);
  await time.pass(0);
  process.end('a', { is: 'put-off', delayMs: MINUTE });
  await time.pass(0);
  expect(leases.rows.get('a')).toMatchObject({ dueAtMs: time.now() + MINUTE, holder: undefined });
  await time.pass(MINUTE + 1000);
  expect(process.begun).toEqual(['a', 'a']);
});

test('a stop begins nothing, waits for what runs, and leaves it to others at once', async () => {
  const { time, leases } = lab();
  leases.add('a');
  const process = new Process('one', leases, time);
  await time.pass(0);
  leases.add('b');
  let isStopped = false;
  const stopping = process.plan.stop().then(() => {
    isStopped = true;
  });
  await time.pass(MINUTE);
  expect([process.begun, isStopped]).toEqual([['a'], false]);
  process.end('a', { is: 'put-off', delayMs: 30_000 });
  await stopping;
  expect(leases.rows.get('a')).toMatchObject({ dueAtMs: time.now(), holder: undefined });
});

test('a source is visited when this process has what was written of it', async () => {
  const { time, leases } = lab();
  leases.add('a', { rev: 7 });
  let apply = () => {};
  const waited: number[] = [];
  const applied = (rev: number) => {
    waited.push(rev);
    return new Promise<void>((resolve) => {
      apply = resolve;
    });
  };
  const process = new Process('one', leases, time, { applied });
  await time.pass(MINUTE);
  expect([waited, process.begun]).toEqual([[7], []]);
  apply();
  await time.pass(0);
  expect(process.begun).toEqual(['a']);
});

test('while nobody can be asked it is tried again, ever more rarely, and said once', async () => {
  const { time, leases } = lab();
  leases.add('a');
  const process = new Process('one', leases, time);
  process.isCutOff = true;
  await time.pass(10 * MINUTE);
  expect(process.said).toEqual(['trouble']);
  process.isCutOff = false;
  await time.pass(5000);
  expect(process.said).toEqual(['trouble', 'recovered']);
  expect(process.begun).toEqual(['a']);
  expect(process.lateMs).toEqual([expect.any(Number)]);
});

test('what is planned or hastened is asked for when it is due', async () => {
  const { time, leases } = lab();
  const process = new Process('one', leases, time);
  await time.pass(1500);
  leases.add('a');
  process.plan.plan({ id: 'a', host: 'a', isLong: false }, 0);
  await time.pass(50);
  expect(process.begun).toEqual(['a']);
  leases.add('b', { dueAtMs: time.now() + MINUTE });
  process.plan.hasten({ id: 'b', host: 'b', isLong: false }, 0);
  await time.pass(50);
  expect(process.begun).toEqual(['a', 'b']);
});

test('a lease that had ended when its renewal was answered stays ended, and its source is taken over', async () => {
  const { time, leases } = lab();
  leases.add('a');
  let answer = () => {};
  const slow: Partial<ClaimedVisitsOptions> = {
    leases: {
      claim: (wish) => leases.claim(wish),
      renew: async (held, leaseMs) => {
        const lost = await leases.renew(held, leaseMs);
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return lost;
      },
      release: (held, afterMs) => leases.release(held, afterMs),
      hasten: (id, afterMs) => leases.hasten(id, afterMs),
    },
    // Nothing looks after the leases meanwhile: the process stands still.
    alarm: (ms, call) => (time.now() >= standsStillFrom && ms < MINUTE ? () => {} : time.alarm(ms, call)),
  };
  let standsStillFrom = Number.POSITIVE_INFINITY;
  const one = new Process('one', leases, time, slow);
  await time.pass(LEASE_MS / 5 - 1);
  one.end('a');
  standsStillFrom = time.now();
  await time.pass(LEASE_MS);
  expect(one.plan.fenceOf('a')).toBeUndefined();
  answer();
  await time.pass(0);
  expect([one.plan.fenceOf('a'), one.plan.held]).toEqual([undefined, 0]);
});
