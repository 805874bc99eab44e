import { expect, test } from 'vitest';
import type { Change } from '../../model/change.ts';
import { ChangeTail } from './change-tail.ts';

function change(seq: number): Change {
  return {
    seq,
    id: `01J000000000000000000000${String(seq).padStart(2, '0')}`,
    source: 'docs',
    kind: 'page',
    action: 'update',
    url: `https://docs.example/p${seq}`,
    time: '2026-01-01T00:00:00Z',
    provenance: {},
  };
}

function logOf(count: number) {
  const changes = Array.from({ length: count }, (_, at) => change(at + 1));
  let asked = 0;
  let tell: (changes: readonly Change[]) => void = () => {};
  let redact: (change: Change) => void = () => {};
  return {
    store: {
      async *changes({ after = 0, limit = Number.POSITIVE_INFINITY }: { after?: number; limit?: number }) {
        asked += 1;
        yield* changes.filter(({ seq }) => seq > after).slice(0, limit);
      },
      onChanges: (listener: typeof tell) => {
        tell = listener;
      },
      onRedactions: (listener: typeof redact) => {
        redact = listener;
      },
    },
    asked: () => asked,
    redact: (redacted: Change) => redact(redacted),
    append(some: number) {
      const more = Array.from({ length: some }, (_, at) => change(changes.length + at + 1));
      changes.push(...more);
      tell(more);
    },
    newest: changes.at(-1),
  };
}

const seqs = (events: readonly { readonly change: Change }[] | undefined) => events?.map(({ change: { seq } }) => seq);

test('what is appended is told once, in order, to each who listens', () => {
  const log = logOf(2);
  const tail = new ChangeTail(log);
  const heard: number[] = [];
  const end = tail.onEvents((events) => heard.push(...(seqs(events) ?? [])));
  log.append(2);
  end();
  log.append(1);
  expect(heard).toEqual([3, 4]);
  expect(tail.seq).toBe(5);
});

test('what is new is read from memory, what is old from the store, without a hole', async () => {
  const log = logOf(3);
  const tail = new ChangeTail({ ...log, keptEvents: 2 });
  log.append(4);
  expect(seqs(tail.held(5))).toEqual([6, 7]);
  expect(seqs(tail.held(7))).toEqual([]);
  expect(tail.held(4)).toBeUndefined();
  expect(seqs(await tail.read(5, 10))).toEqual([6, 7]);
  expect(log.asked()).toBe(0);
  expect(seqs(await tail.read(1, 4))).toEqual([2, 3, 4, 5]);
  expect(log.asked()).toBe(1);
});

test('a large change does not hold back others: memory is bounded by bytes, too', () => {
  const log = logOf(0);
  const tail = new ChangeTail({ ...log, keptBytes: 2000 });
  log.append(10);
  expect(tail.held(0)).toBeUndefined();
  expect(tail.held(8)?.length).toBe(2);
});

test('a change is written once, with its boundary, on one line', () => {
  const log = logOf(0);
  const tail = new ChangeTail(log);
  log.append(1);
  const [event] = tail.held(0) ?? [];
  expect(JSON.parse(event?.json ?? '')).toEqual({ ...change(1), boundary: 'https://docs.example/p1' });
  expect(event?.json).not.toContain('\n');
  expect(tail.held(0)?.[0]?.json).toBe(event?.json);
});

test('a change that lost its texts stands in its place without them, and what was made of the tail before is outdated', () => {
  const log = logOf(0);
  const tail = new ChangeTail(log);
  log.append(3);
  const [, known] = tail.held(0) ?? [];
  if (known === undefined) throw new Error('There is no change.');
  const { edition } = tail;
  log.redact({ ...known.change, note: 'nothing is left of it' });
  expect(tail.held(1, 1)?.[0]?.json).toContain('nothing is left of it');
  expect(tail.edition).toBeGreaterThan(edition);
  expect(seqs(tail.held(0))).toEqual([1, 2, 3]);
});
