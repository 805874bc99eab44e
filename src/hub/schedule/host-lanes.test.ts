import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HostLanes, type LaneTask } from './host-lanes.ts';

const ANY = { forLong: true };

function task(host: string, name: number | string, isLong = false): LaneTask {
  return { id: `${host}${name}`, host, isLong };
}

test('a host with 5,000 tasks lets a host with one pass', () => {
  const lanes = new HostLanes<LaneTask>();
  for (let index = 0; index < 5000; index++) lanes.join(task('big', index));
  lanes.join(task('small', 0));
  const order = [lanes.take(ANY), lanes.take(ANY), lanes.take(ANY)].map((taken) => taken?.id);
  expect(order).toEqual(['big0', 'small0', undefined]);
  lanes.release('big');
  expect(lanes.take(ANY)?.id).toBe('big1');
});

test('tasks of one host come in the order in which they came, and can leave', () => {
  const lanes = new HostLanes<LaneTask>();
  const tasks = [0, 1, 2, 3].map((index) => task('a', index));
  for (const each of [...tasks, ...tasks]) lanes.join(each);
  for (const gone of [0, 2]) lanes.leave(task('a', gone));
  lanes.leave(task('nowhere', 0));
  expect(takeAll(lanes)).toEqual(['a1', 'a3']);
});

test('who leaves takes no turn away from its host', () => {
  const lanes = new HostLanes<LaneTask>();
  for (const each of [task('a', 0), task('a', 1), task('b', 0)]) lanes.join(each);
  lanes.leave(task('a', 1));
  expect(lanes.take(ANY)?.id).toBe('a0');
});

test('long tasks are held back while there is no room for them, and alternate with short ones when there is', () => {
  const lanes = new HostLanes<LaneTask>();
  for (const host of ['a', 'b', 'c']) lanes.join(task(host, 'long', true));
  for (const host of ['x', 'y', 'z']) lanes.join(task(host, 'short'));
  const taken = [lanes.take(ANY), lanes.take(ANY), lanes.take(ANY), lanes.take({ forLong: false })];
  expect(taken.map((each) => each?.id)).toEqual(['along', 'xshort', 'blong', 'yshort']);
  expect(lanes.take({ forLong: false })?.id).toBe('zshort');
  expect(lanes.take({ forLong: false })).toBeUndefined();
  expect(lanes.take(ANY)?.id).toBe('clong');
});

test('whatever comes and ends: one task of a host at a time, no host waits for more turns than there are hosts', () => {
  const hosts = ['a', 'b', 'c', 'd', 'e'];
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ is: fc.constant('join' as const), host: fc.constantFrom(...hosts) }) },
    { weight: 2, arbitrary: fc.record({ is: fc.constant('take' as const) }) },
    { weight: 2, arbitrary: fc.record({ is: fc.constant('release' as const), host: fc.constantFrom(...hosts) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const lanes = new HostLanes<LaneTask>();
      const waiting = new Map<string, string[]>(hosts.map((host) => [host, []]));
      const busy = new Set<string>();
      const passedOver = new Map<string, number>();
      for (const [index, each] of steps.entries()) {
        if (each.is === 'join') {
          lanes.join(task(each.host, index));
          waiting.get(each.host)?.push(`${each.host}${index}`);
        } else if (each.is === 'release') {
          if (busy.delete(each.host)) lanes.release(each.host);
        } else {
          const ready = hosts.filter((host) => !busy.has(host) && (waiting.get(host)?.length ?? 0) > 0);
          const taken = lanes.take(ANY);
          expect(taken === undefined).toBe(ready.length === 0);
          if (taken === undefined) continue;
          expect(ready).toContain(taken.host);
          expect(waiting.get(taken.host)?.shift()).toBe(taken.id);
          busy.add(taken.host);
          for (const host of ready) passedOver.set(host, (passedOver.get(host) ?? 0) + 1);
          passedOver.delete(taken.host);
          expect(Math.max(0, ...passedOver.values())).toBeLessThan(hosts.length);
        }
      }
    }),
    { numRuns: 500 },
  );
});

function takeAll(lanes: HostLanes<LaneTask>): string[] {
  const taken: string[] = [];
  for (let next = lanes.take(ANY); next !== undefined; next = lanes.take(ANY)) {
    taken.push(next.id);
    lanes.release(next.host);
  }
  return taken;
}
