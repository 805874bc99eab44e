import { expect, onTestFinished, test, vi } from 'vitest';
import { MemoryJournal } from '../../../test/support/memory-journal.ts';
import { LogUnavailableError } from '../../errors/log-error.ts';
import { wait } from '../../io/node/timer-wait.ts';
import type { JournalWrite, PlacedWrite } from './journal.ts';
import { Replica, type ReplicaOptions, type ReplicaStanding, type ReplicaStore } from './replica.ts';
import { markOf } from './write-mark.ts';

const BODY = new Uint8Array([1]);
const AWAY = new LogUnavailableError('postgres://db', new Error('it is away'));

/** Remembers what was applied. */
class RememberingStore implements ReplicaStore {
  at: ReplicaStanding | undefined;
  readonly kinds: string[] = [];
  trouble: Error | undefined;

  standing(): ReplicaStanding | undefined {
    return this.at;
  }

  begin(epoch: string): void {
    this.at = { epoch, rev: 0 };
  }

  async apply(write: PlacedWrite): Promise<unknown> {
    if (this.trouble !== undefined) throw this.trouble;
    this.kinds.push(write.kind);
    this.at = { epoch: this.at?.epoch ?? '', rev: write.rev, mark: markOf(write) };
    return `made ${write.kind}`;
  }
}

function write(kind: string): JournalWrite {
  return { kind, body: BODY };
}

async function follow(
  journal: MemoryJournal,
  store: ReplicaStore,
  more: Partial<ReplicaOptions> = {},
): Promise<Replica> {
  const connected = journal.connect();
  // Nobody waits for long in a test.
  const options = {
    journal: connected,
    store,
    now: () => 5,
    wait: (_: number, signal: AbortSignal) => wait(1, signal),
    ...more,
  };
  const replica = new Replica(options, await connected.end());
  replica.start();
  onTestFinished(() => replica[Symbol.asyncDispose]());
  return replica;
}

test('everything is applied in order, what was there before and what comes, and it says when it has all', async () => {
  const journal = new MemoryJournal();
  const [connected, store] = [journal.connect(), new RememberingStore()];
  await connected.append(Array.from({ length: 150 }, (_, at) => write(String(at))));
  const replica = await follow(journal, store);
  expect(replica.isCurrent).toBe(false);
  const told: string[] = [];
  replica.onApplied(({ kind }, result) => told.push(`${kind}: ${result}`));
  await replica.current();
  expect(store.kinds).toEqual(Array.from({ length: 150 }, (_, at) => String(at)));
  await connected.append([write('late')]);
  expect(await replica.applied(151)).toBe('made late');
  expect(told.at(-1)).toBe('late: made late');
  await expect.poll(() => replica.isCurrent).toBe(true);
  expect(replica.state).toEqual({ rev: 151, endRev: 151, currentAtMs: 5, trouble: undefined });
});

test('a write of its own is not read again, and is made once, also when it was read before it was answered', async () => {
  const journal = new MemoryJournal();
  const store = new RememberingStore();
  const replica = await follow(journal, store);
  const [placed] = await journal.connect().append([write('own')]);
  if (placed === undefined || 'refused' in placed) throw new Error('It was refused.');
  await replica.applied(1);
  expect(await replica.take(placed)).toBe('made own');
  expect(store.kinds).toEqual(['own']);
});

test('while the journal is away it says so once, asks again, and goes on where it was', async () => {
  const journal = new MemoryJournal();
  const store = new RememberingStore();
  const onTrouble = vi.fn();
  const replica = await follow(journal, store, { onTrouble });
  await journal.connect().append([write('before')]);
  await replica.applied(1);
  journal.trouble = AWAY;
  await expect.poll(() => replica.state.trouble).toContain('it is away');
  journal.trouble = undefined;
  await journal.connect().append([write('behind')]);
  await replica.applied(2);
  expect(store.kinds).toEqual(['before', 'behind']);
  await expect.poll(() => replica.state.trouble).toBeUndefined();
  expect(onTrouble).toHaveBeenCalledTimes(1);
});

test('a write that cannot be made now is made when it can, and that is said once', async () => {
  const journal = new MemoryJournal();
  const store = new RememberingStore();
  store.trouble = AWAY;
  const [onTrouble, tried] = [vi.fn(), vi.spyOn(store, 'apply')];
  const replica = await follow(journal, store, { onTrouble });
  await journal.connect().append([write('one')]);
  await vi.waitFor(() => expect(tried.mock.calls.length).toBeGreaterThan(2));
  expect(replica.state.trouble).toContain('it is away');
  store.trouble = undefined;
  await replica.applied(1);
  expect(store.kinds).toEqual(['one']);
  expect(onTrouble).toHaveBeenCalledTimes(1);
});

test('what it cannot make at all ends it, and whoever waits hears why', async () => {
  const journal = new MemoryJournal();
  const store = new RememberingStore();
  store.trouble = new Error('a bug');
  const onEnd = vi.fn();
  const replica = await follow(journal, store, { onEnd });
  await journal.connect().append([write('one')]);
  await expect(replica.applied(1)).rejects.toThrow('a bug');
  await expect(replica.applied(2)).rejects.toThrow('a bug');
  expect(onEnd).toHaveBeenCalledTimes(1);
});

test.each([
  ['is ahead of the journal', { epoch: 'one', rev: 9 }, 'ends at 2, this replica at 9'],
  ['is of another epoch', { epoch: 'two', rev: 1 }, 'has begun another one'],
])('a replica that %s does not start', async (_name, at, message) => {
  const journal = new MemoryJournal();
  await journal.connect().append([write('1'), write('2')]);
  const store = new RememberingStore();
  store.at = at;
  await expect(follow(journal, store)).rejects.toThrow(message);
});

test('a replica whose last write the journal has otherwise ends, and applies nothing', async () => {
  const journal = new MemoryJournal();
  await journal.connect().append([write('1'), write('2')]);
  const store = new RememberingStore();
  store.at = { epoch: 'one', rev: 1, mark: 'of another write' };
  const onEnd = vi.fn();
  const replica = await follow(journal, store, { onEnd });
  await expect(replica.applied(2)).rejects.toMatchObject({ name: 'OtherHistoryError', recovery: 'stop' });
  expect(store.kinds).toEqual([]);
});

test('a replica at the end of another history does not say that it has all', async () => {
  const journal = new MemoryJournal();
  await journal.connect().append([write('1')]);
  const store = new RememberingStore();
  store.at = { epoch: 'one', rev: 1, mark: 'of another write' };
  const replica = await follow(journal, store);
  await expect(replica.current()).rejects.toMatchObject({ name: 'OtherHistoryError' });
});

test('a write that says the same at another time is another write', () => {
  const placed = { rev: 1, kind: 'fact', body: BODY, changes: [], atMs: 1000 };
  expect(markOf(placed)).not.toBe(markOf({ ...placed, atMs: 1001 }));
});

test('a journal that was put back while it is followed is found out, also when it has grown beyond', async () => {
  const journal = new MemoryJournal();
  const store = new RememberingStore();
  const onEnd = vi.fn();
  const replica = await follow(journal, store, { onEnd });
  await journal.connect().append([write('1'), write('2')]);
  await replica.applied(2);
  journal.putBack(1);
  await journal.connect().append([write('other'), write('more')]);
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalled());
  expect(onEnd.mock.calls[0]?.[0]).toMatchObject({ name: 'OtherHistoryError' });
  expect(store.kinds).toEqual(['1', '2']);
});

test('one that is behind what the journal still has ends and says so; one that is right before it goes on', async () => {
  const journal = new MemoryJournal();
  await journal.connect().append(['1', '2', '3', '4'].map(write));
  journal.writes.splice(0, 2);
  const onEnd = vi.fn();
  await follow(journal, new RememberingStore(), { onEnd });
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalled());
  expect(onEnd.mock.calls[0]?.[0]).toMatchObject({ name: 'JournalCutError' });
  const store = new RememberingStore();
  store.at = { epoch: 'one', rev: 2, mark: 'of a base' };
  await (await follow(journal, store)).applied(4);
  expect(store.kinds).toEqual(['3', '4']);
});
