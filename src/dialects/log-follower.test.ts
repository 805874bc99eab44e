import { expect, test } from 'vitest';
import { RelayLab } from '../../test/support/relay-lab.ts';
import { deferred } from '../../test/support/serve-routes.ts';
import { workBetweenTurns } from '../../test/support/work-between-turns.ts';
import { LogFullError } from '../errors/log-error.ts';
import type { Change } from '../model/change.ts';
import { type FollowedDocuments, LogFollower } from './log-follower.ts';

interface Step {
  readonly seq: number;
  readonly ids: readonly string[];
}

/** Documents in memory that hold the ids of the log. */
function lab(options: Partial<FollowedDocuments<{ seq: number }, IdBatch, Step>> & { readonly full?: number } = {}) {
  const log: Change[] = [];
  const stored: string[] = [];
  const reads: number[] = [];
  const loads: number[] = [];
  const { full = 1000, ...overrides } = options;
  const follower = new LogFollower<{ seq: number }, IdBatch, Step>({
    async *readChanges(after) {
      reads.push(after);
      yield* log.slice(after);
    },
    load: () => {
      loads.push(stored.length);
      return { seq: stored.length };
    },
    begin: (state) => new IdBatch(full, state),
    store: ({ ids }) => void stored.push(...ids),
    ...overrides,
  });
  return {
    follower,
    log,
    stored,
    reads,
    loads,
    commit(...sources: string[]): Change[] {
      const added = sources.map((source, index) => changeOf(log.length + 1 + index, source));
      log.push(...added);
      return added;
    },
    ids: () => log.map(({ id }) => id),
  };
}

/** Moves the state on before it is stored, as batches do. */
class IdBatch {
  readonly #full: number;
  readonly #state: { seq: number };
  readonly #changes: Change[] = [];

  constructor(full: number, state: { seq: number }) {
    this.#full = full;
    this.#state = state;
  }

  get isFull(): boolean {
    return this.#changes.length >= this.#full;
  }

  addRun({ changes }: { readonly changes: readonly Change[] }): void {
    this.#changes.push(...changes);
    this.#state.seq = changes.at(-1)?.seq ?? 0;
  }

  finish(): Step | undefined {
    const last = this.#changes.at(-1);
    return last && { seq: last.seq, ids: this.#changes.map(({ id }) => id) };
  }
}

function changeOf(seq: number, source: string): Change {
  const time = new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString();
  const url = `https://${source}.example/${seq}`;
  return { seq, id: `id-${seq}`, source, kind: 'page', action: 'update', url, time, provenance: {} };
}

test('an opening takes the log from where the documents stand; what follows on it is taken as it comes', async () => {
  const { follower, commit, stored, ids, reads } = lab();
  commit('a', 'b');
  await follower.open();
  await follower.add(commit('a'));
  await follower.add(commit('b', 'b'));
  expect([stored, follower.seq, follower.trouble]).toEqual([ids(), 5, undefined]);
  expect(reads, 'the log is read once').toEqual([0]);
});

test('what comes twice counts once, and a hole is filled from the log', async () => {
  const { follower, commit, stored, ids, reads } = lab();
  await follower.open();
  const first = commit('a');
  await follower.add(first);
  await follower.add(first);
  const [, ...late] = commit('a', 'b', 'c');
  await follower.add(late);
  expect(stored).toEqual(ids());
  expect(reads).toEqual([0, 1]);
  await Promise.all(Array.from({ length: 20 }, () => follower.add(commit('a', 'b'))));
  expect(stored).toEqual(ids());
});

test('what waits is dropped beyond a bound and found in the log', async () => {
  const [turn, end] = [deferred(), deferred()];
  let isHeld = false;
  const settle = async () => {
    if (!isHeld) return;
    turn.resolve();
    await end.promise;
  };
  const { follower, commit, stored, ids, reads } = lab({ settle });
  await follower.open();
  isHeld = true;
  const first = follower.add(commit('a'));
  await turn.promise;
  const added = Array.from({ length: 3 }, () => follower.add(commit(...Array.from({ length: 9000 }, () => 'b'))));
  expect(follower.isAwaited('b')).toBe(true);
  end.resolve();
  await Promise.all([first, ...added]);
  expect(stored).toEqual(ids());
  expect(reads, 'the log is asked for what was dropped').toEqual([0, 1]);
});

test('a full batch is stored before more is taken', async () => {
  const steps: number[] = [];
  const { follower, commit } = lab({ full: 2, store: ({ ids }) => void steps.push(ids.length) });
  commit('a', 'b', 'c', 'd', 'e');
  await follower.open();
  expect(steps).toEqual([2, 2, 1]);
});

test('what cannot be stored is trouble, and is taken again from what is stored', async () => {
  let isFull = false;
  const kept: string[] = [];
  const { follower, commit, ids } = lab({
    load: () => ({ seq: kept.length }),
    store: (step) => {
      if (isFull) throw new LogFullError('/data/log.db', new Error('no room'));
      kept.push(...step.ids);
    },
  });
  await follower.open();
  await follower.add(commit('a'));
  isFull = true;
  await follower.add(commit('a'));
  expect([follower.seq, follower.trouble]).toEqual([1, expect.stringContaining('/data/log.db')]);
  await follower.add(commit('b'));
  expect(kept).toHaveLength(1);
  isFull = false;
  await follower.mend();
  expect([kept, follower.seq, follower.trouble]).toEqual([ids(), 3, undefined]);
});

test('a fault of our own is thrown, remembered, and holds up nothing behind it', async () => {
  let faults = 1;
  const kept: string[] = [];
  const { follower, commit, ids } = lab({
    load: () => ({ seq: kept.length }),
    store: (step) => {
      if (faults-- > 0) throw new TypeError('a bug');
      kept.push(...step.ids);
    },
  });
  await follower.open();
  await expect(follower.add(commit('a'))).rejects.toThrow('a bug');
  expect(follower.trouble).toBe('a bug');
  await follower.add(commit('a'));
  expect([kept, follower.trouble]).toEqual([ids(), undefined]);
});

test('documents that cannot be loaded are no opening', async () => {
  const { follower } = lab({
    load: () => {
      throw new LogFullError('/data/log.db', new Error('no room'));
    },
  });
  await expect(follower.open()).rejects.toThrow(LogFullError);
});

test('what is said behind the runs comes last, and knows whose changes still wait', async () => {
  const told: string[] = [];
  const { follower, commit, stored } = lab({
    *more() {
      yield async () => void told.push(`said behind ${stored.length}`);
      if (follower.isAwaited('late')) told.push('late waits');
    },
    // Each run is stored before the next one is taken.
    full: 1,
  });
  await follower.open();
  told.length = 0;
  await Promise.all([follower.add(commit('a')), follower.add(commit('late'))]);
  expect(told).toEqual(['said behind 2', 'said behind 2']);
  expect(follower.isAwaited('late')).toBe(false);
});

test('once it is closed it takes nothing more, and a run that was under way is not stored in part', async () => {
  const { follower, commit, stored, log } = lab({
    async *readChanges(after: number) {
      for (const change of log.slice(after)) {
        yield change;
        if (change.seq === 2) void follower.close();
      }
    },
  });
  commit('a', 'b', 'c');
  await follower.open();
  expect(stored).toEqual([]);
  await follower.add(commit('d'));
  await follower.mend();
  expect([stored, follower.isOpen]).toEqual([[], false]);
});

test('others have their turn behind so many changes, however many the log has', async () => {
  let count = (_: number) => {};
  const { follower, commit, stored } = lab({
    changesAtOnce: 10,
    begin: (state) => {
      const batch = new IdBatch(10_000, state);
      const addRun = batch.addRun.bind(batch);
      batch.addRun = (run) => {
        count(run.changes.length);
        addRun(run);
      };
      return batch;
    },
  });
  commit(...Array.from({ length: 500 }, (_, at) => `source-${at}`));
  const most = await workBetweenTurns(async (counted) => {
    count = counted;
    await follower.open();
  });
  expect(stored).toHaveLength(500);
  expect(most).toBe(10);
});

test('others have their turn while one long run is read from the log', async () => {
  let count = () => {};
  const { follower, stored } = lab({
    async *readChanges(after: number) {
      for (let seq = after + 1; seq <= 1000; seq += 1) {
        count();
        yield { ...changeOf(seq, 'a'), time: 'T' };
      }
    },
  });
  const most = await workBetweenTurns(async (counted) => {
    count = counted;
    await follower.open();
  });
  expect(stored).toHaveLength(1000);
  expect(most).toBe(250);
});

test('others have their turn behind each step that is stored, and behind each piece that is said after the runs', async () => {
  let count = () => {};
  let said = 0;
  const { follower, commit, stored } = lab({
    full: 1,
    store: ({ ids }) => {
      count();
      stored.push(...ids);
    },
    *more() {
      for (let piece = 0; piece < 20; piece += 1) {
        yield async () => {
          said += 1;
          count();
        };
      }
    },
  });
  commit(...Array.from({ length: 40 }, (_, at) => `source-${at}`));
  const most = await workBetweenTurns(async (counted) => {
    count = counted;
    await follower.open();
  });
  expect([stored.length, said]).toEqual([40, 20]);
  expect(most).toBe(1);
});

test('a long run is taken in parts where documents allow it, and never within a page', async () => {
  const sizes: number[] = [];
  const { follower, log, stored, ids } = lab({
    mostChanges: 4,
    full: 1,
    store: (step) => {
      sizes.push(step.ids.length);
      stored.push(...step.ids);
    },
  });
  const pages = [1, 1, 2, 3, 3, 3, 4, 5, 5, 6];
  const [first] = [changeOf(1, 'a')];
  log.push(
    ...pages.map((page, at) => ({ ...changeOf(at + 1, 'a'), time: first.time, url: `https://a.example/${page}` })),
  );
  await follower.open();
  expect(sizes).toEqual([6, 4]);
  expect(stored).toEqual(ids());
});

test('a stop before the log is read to its end leaves what is stored, and nothing in part', async () => {
  const stop = new AbortController();
  let read = 0;
  const { follower, stored } = lab({
    stopping: stop.signal,
    full: 1,
    mostChanges: 100,
    async *readChanges(after: number) {
      for (let seq = after + 1; seq <= 100_000; seq += 1) {
        read += 1;
        if (seq === 3000) stop.abort();
        // One run, longer than all that is read at once.
        yield { ...changeOf(seq, 'a'), time: 'T' };
      }
    },
  });
  await follower.open();
  expect(read).toBeLessThan(4000);
  expect([stored, follower.isOpen]).toEqual([[], false]);
});

/** Two processes over one log: each with documents of its own, which hold the ids of the log. */
function relayed(onRead = () => {}) {
  const relay = new RelayLab();
  const log: Change[] = [];
  const [one, two] = [0, 1].map(() => {
    const process = relay.newProcess();
    return {
      process,
      ...lab({
        relay: process.relays<Step>('ids'),
        readChanges: async function* (after) {
          onRead();
          yield* log.slice(after);
        },
      }),
    };
  }) as [Relayed, Relayed];
  return {
    relay,
    one,
    two,
    async commit(...sources: string[]) {
      const added = sources.map((source, index) => changeOf(log.length + 1 + index, source));
      log.push(...added);
      await Promise.all([one.follower.add(added), two.follower.add(added)]);
    },
    ids: () => log.map(({ id }) => id),
  };
}

type Relayed = ReturnType<typeof lab> & { readonly process: ReturnType<RelayLab['newProcess']> };

test('a step is made by one process and stored by all', async () => {
  const { relay, one, two, commit, ids } = relayed();
  await commit('a');
  await Promise.all([one.follower.open(), two.follower.open()]);
  expect([one.stored, two.stored], 'nobody makes them').toEqual([[], []]);
  await one.process.takeOver();
  await one.follower.mend();
  await commit('b', 'c');
  expect([one.stored, two.stored, relay.steps.length]).toEqual([ids(), ids(), 2]);
  expect([one.follower.seq, two.follower.seq, two.follower.trouble]).toEqual([3, 3, undefined]);
});

test('who makes the steps next goes on from the last one that is stored; who made them before is refused', async () => {
  const { relay, one, two, commit, ids } = relayed();
  await Promise.all([one.follower.open(), two.follower.open()]);
  await one.process.takeOver();
  await commit('a');
  relay.onTheWay = async () => {
    relay.onTheWay = async () => {};
    await two.process.takeOver();
    await two.follower.mend();
  };
  await commit('b');
  expect([one.stored, two.stored, relay.refused]).toEqual([ids(), ids(), 1]);
  await commit('c');
  await one.process.takeOver();
  await commit('d');
  await one.follower.mend();
  expect([one.stored, two.stored, one.follower.trouble]).toEqual([ids(), ids(), undefined]);
});

test('what another process has made meanwhile is known to who makes the steps again', async () => {
  const { one, two, commit, ids } = relayed();
  await Promise.all([one.follower.open(), two.follower.open()]);
  for (const { process } of [one, two, one, two]) {
    await process.takeOver();
    await commit('a', 'b');
  }
  expect([one.stored, two.stored]).toEqual([ids(), ids()]);
});

test.each(['lost', 'late'] as const)('a step that is %s is made again, and stored once', async (fault) => {
  const { relay, one, two, commit, ids } = relayed();
  await Promise.all([one.follower.open(), two.follower.open()]);
  await one.process.takeOver();
  await commit('a');
  relay.nextFault = fault;
  await commit('b');
  expect([one.stored.length, one.follower.trouble]).toEqual([1, 'It is not known whether it was taken.']);
  await commit('c');
  relay.settle();
  await one.follower.mend();
  expect([one.stored, two.stored, one.follower.trouble]).toEqual([ids(), ids(), undefined]);
});

test.each(['is made', 'is on its way'])(
  'a step that comes in while the next one %s is not passed over',
  async (when) => {
    let onRead = () => {};
    const { relay, one, two, commit, ids } = relayed(() => onRead());
    await Promise.all([one.follower.open(), two.follower.open()]);
    await one.process.takeOver();
    relay.nextFault = 'late';
    await commit('a');
    if (when === 'is made') onRead = () => relay.settle();
    else relay.onTheWay = async () => relay.settle();
    await commit('b');
    expect(one.follower.trouble).toContain('moved these documents on');
    await one.follower.mend();
    expect([one.stored, two.stored]).toEqual([ids(), ids()]);
  },
);
