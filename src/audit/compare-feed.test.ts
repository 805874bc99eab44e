import { expect, test } from 'vitest';
import type { AuditedFeed, ToldEvent } from '../dialects/auditor.ts';
import {
  briefMemory,
  decodeAuditMemory,
  encodeAuditMemory,
  knowledgeOf,
  type RememberedEntry,
} from './audit-memory.ts';
import { compareFeed } from './compare-feed.ts';

const ORIGIN = 'docs.example/.well-known/tidings';
const TIME = Date.UTC(2026, 1, 5, 12);

/** Two changes in each run, half a second behind a full one. */
function entriesOf(count: number, earlier = 0): RememberedEntry[] {
  const begin = { index: 0, entry: { type: 'begin', origin: ORIGIN, count: earlier } } as const;
  const changes = Array.from({ length: count }, (_, at): RememberedEntry => {
    const [seq, run] = [earlier + at + 1, Math.floor(at / 2)];
    const time = new Date(TIME + run * 60_000 + 500).toISOString();
    const change = {
      id: `id-${seq}`,
      seq,
      source: 'docs',
      kind: 'page',
      action: 'update',
      url: `https://docs.example/${seq}`,
      time,
    } as const;
    return { index: at + 1, entry: { type: 'change', change } };
  });
  return [begin, ...changes];
}

const feedOf = (told: readonly Omit<ToldEvent, 'where'>[], rest: Partial<AuditedFeed> = {}): AuditedFeed => ({
  where: 'feed',
  told: told.map((event) => ({ ...event, where: 'feed' })),
  mustTell: () => true,
  ...rest,
});

const wordsOf = (feed: AuditedFeed, entries = entriesOf(4)) => {
  const { open, lasting } = compareFeed(feed, knowledgeOf(entries, ORIGIN));
  return [...open.map(({ finding }) => finding), ...lasting].map(({ what }) => what);
};

test('events are known by id, by a name of the feed, or by page and time, also in full seconds', () => {
  const ids = [1, 2, 3, 4].map((seq) => ({ id: `id-${seq}`, url: `https://docs.example/${seq}` }));
  expect(wordsOf(feedOf(ids))).toEqual([]);
  const pages = [1, 2, 3, 4].map((seq) => ({
    url: `https://docs.example/${seq}`,
    timeMs: TIME + (seq > 2 ? 60_000 : 0),
  }));
  expect(wordsOf(feedOf(pages))).toEqual([]);
  const runs = [
    { name: 'run id-2', timeMs: TIME + 500 },
    { name: 'run id-4', timeMs: TIME + 60_500 },
  ];
  const named = {
    namesOf: ({ id }: { id: string }) => [`run ${id}`],
    mustTell: ({ endsRun }: { endsRun: boolean }) => endsRun,
  };
  expect(wordsOf(feedOf(runs, named))).toEqual([]);
  expect(wordsOf(feedOf(runs.slice(1), named))).toEqual([expect.stringContaining('leaves out the change id-2')]);
  expect(wordsOf(feedOf([...runs, { name: 'run id-9', timeMs: TIME + 500 }], named))).toEqual([
    'The feed tells of something that is not in the log: run id-9.',
  ]);
});

test('what was told before the log began is no finding, what comes behind that is', () => {
  const entries = entriesOf(2, 5);
  const told = [{ id: 'id-3' }, { id: 'id-6' }, { id: 'id-7' }];
  expect(wordsOf(feedOf(told), entries)).toEqual([]);
  expect(wordsOf(feedOf([...told, { id: 'id-8' }]), entries)).toHaveLength(1);
  // A log that began with the first change has nothing before it.
  expect(wordsOf(feedOf([{ id: 'id-0' }, { id: 'id-1' }, { id: 'id-2' }]), entriesOf(2))).toHaveLength(1);
});

test('a memory comes back as it was, and in little it takes what it saw for looked at', () => {
  const memory = {
    vkey: 'key',
    checkpoint: 'note\n',
    edge: new Map([['tile/0/000.p/1', Uint8Array.of(1, 2)]]),
    entries: entriesOf(4),
  };
  expect(decodeAuditMemory(encodeAuditMemory(memory))).toEqual(memory);
  for (const broken of ['', 'x\n', '{}\n', encodeAuditMemory(memory).slice(0, -9)])
    expect(decodeAuditMemory(broken)).toBeUndefined();
  const brief = briefMemory(memory, ORIGIN).entries;
  expect(brief).toHaveLength(2);
  const log = knowledgeOf(brief, ORIGIN);
  expect(log.size).toBe(5);
  expect(compareFeed(feedOf([{ id: 'id-1' }, { id: 'id-4' }]), log).open).toEqual([]);
  const [, , , , , next] = entriesOf(5);
  expect(next && log.take(next.entry, 5, ORIGIN)).toBeUndefined();
});
