import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import type { FeedMemory, ReaderCommit, ReaderState, SeenEntry } from './reader-state.ts';

const FEED = 'https://api.example/.well-known/agent-feed.xml';
const OTHER = 'https://other.example/.well-known/agent-feed.xml';
const MEMORY: FeedMemory = {
  feedUrl: FEED,
  isTrusted: true,
  feedStatus: 'active',
  specVersion: '0',
  lastSeen: 'urn:af:api.example:1',
  applied: 1,
  endpoints: [
    {
      protocol: 'rest',
      endpointId: 'orders-api',
      url: 'https://api.example/orders',
      version: '1.1',
      migrations: [
        { from: '1.0', to: '1.1', delta: { add: ['/currency'], later: [1] }, effectiveAt: '2026-01-01T00:00:00Z' },
      ],
      deprecation: {
        sunset: '2027-01-01T00:00:00Z',
        replacement: null,
        reason: null,
        announcedAt: '2026-02-01T00:00:00Z',
      },
      announcement: 1,
    },
  ],
  baselines: { 'orders-api': { '/total': 'number' } },
  poll: { lastMs: 1, nextMs: 2, pausedUntilMs: 3, problem: 'feed-unreachable' },
  did: { text: '{"id":"did:web:api.example"}', hash: 'd', freshUntilMs: 9, validators: { etag: '"d"' } },
  feed: { hash: 'f', keysHash: 'k' },
  told: { 'unverified-entry urn:x': 5 },
  retrustedAt: ['2026-03-01T00:00:00Z'],
};
const FACT: ReaderCommit['facts'][number] = {
  entryId: 'urn:af:api.example:1',
  fact: {
    type: 'endpoint-announcement',
    endpointId: 'orders-api',
    endpoint: '/orders',
    protocol: 'rest',
    version: '1.0',
    assertedAt: '2026-01-01T00:00:00Z',
  },
  updated: '2026-01-01T00:00:00Z',
  signer: 'did:web:api.example#key-1',
  learnedMs: 7,
};

/** What every {@link ReaderState} does. `open` gives a new, empty one. */
export function describeReaderState(name: string, open: () => Promise<ReaderState>): void {
  clause('AF-S8', `${name}: what was committed is found again, and replaced by the next commit`, async () => {
    await using state = await open();
    expect(await state.find(FEED)).toBeUndefined();
    await state.commit(commit({}));
    expect(await state.find(FEED)).toEqual(MEMORY);
    const { retrustedAt: _, did: __, ...less } = MEMORY;
    await state.commit(commit({ memory: { ...less, isTrusted: false, feedStatus: 'terminated' } }));
    expect(await state.find(FEED)).toEqual({ ...less, isTrusted: false, feedStatus: 'terminated' });
  });

  clause('AF-P1', `${name}: seen entries are found by id, as they were seen first`, async () => {
    await using state = await open();
    await state.commit(commit({ seen: [entry('a', 'p1'), entry('b', 'p2'), entry('', 'p3')] }));
    await state.commit(commit({ seen: [{ ...entry('a', 'p9'), signature: 'other' }] }));
    const seen = await state.seenAmong(FEED, ['b', 'a', 'c', 'a', '']);
    expect(new Map(seen)).toEqual(
      new Map([
        ['a', entry('a', 'p1')],
        ['b', entry('b', 'p2')],
        ['', entry('', 'p3')],
      ]),
    );
    expect(await state.seenAmong(FEED, [])).toEqual(new Map());
  });

  test(`${name}: a payload leads to the first entry that had it`, async () => {
    await using state = await open();
    await state.commit(commit({ seen: [entry('z', 'p1'), entry('a', 'p1')] }));
    await state.commit(commit({ seen: [entry('b', 'p1'), entry('c', 'p2')] }));
    expect(await state.payloadsAmong(FEED, ['p1', 'p2', 'p3'])).toEqual(
      new Map([
        ['p1', new Map([['signature of p1', 'z']])],
        ['p2', new Map([['signature of p2', 'c']])],
      ]),
    );
  });

  test(`${name}: a payload may have several signatures`, async () => {
    await using state = await open();
    const other = { ...entry('b', 'p1'), signature: 'of another key' };
    await state.commit(commit({ seen: [entry('a', 'p1'), other] }));
    const found = (await state.payloadsAmong(FEED, ['p1'])).get('p1') ?? [];
    expect(new Map(found)).toEqual(
      new Map([
        ['signature of p1', 'a'],
        ['of another key', 'b'],
      ]),
    );
  });

  clause('AF-F2', `${name}: facts keep their order and get places without a hole`, async () => {
    await using state = await open();
    const facts = [FACT, { ...FACT, entryId: '2', isVoid: true as const }, { ...FACT, entryId: '3' }];
    await state.commit(commit({ facts: facts.slice(0, 2) }));
    await state.commit(commit({ memory: { ...MEMORY, feedUrl: OTHER }, facts: [FACT] }));
    await state.commit(commit({ facts: facts.slice(2) }));
    const all = facts.map((fact, index) => ({ seq: index + 1, ...fact }));
    expect(await state.factsOf(FEED, 0, 10)).toEqual(all);
    expect(await state.factsOf(FEED, 1, 1)).toEqual(all.slice(1, 2));
    expect(await state.factsOf(FEED, 3, 10)).toEqual([]);
    expect(await state.factsOf(OTHER, 0, 10)).toEqual([{ seq: 1, ...FACT }]);
    expect(await state.factsOf('https://third.example/', 0, 10)).toEqual([]);
  });

  clause('AF-F3', `${name}: trust that is lost comes back by an operator's word alone`, async () => {
    await using state = await open();
    await state.commit(commit({ memory: { ...MEMORY, isTrusted: false } }));
    await state.commit(commit({ memory: { ...MEMORY, applied: 2 } }));
    expect(await state.find(FEED)).toMatchObject({ isTrusted: false, applied: 2 });
    await state.commit(commit({ retrust: true }));
    expect(await state.find(FEED)).toMatchObject({ isTrusted: true });
    await state.commit(commit({ memory: { ...MEMORY, applied: 3 } }));
    expect(await state.find(FEED)).toMatchObject({ isTrusted: true, applied: 3 });
  });

  clause('AF-P1', `${name}: a fact of an entry that was recorded before is not recorded again`, async () => {
    await using state = await open();
    await state.commit(commit({ seen: [entry('a', 'p1')], facts: [{ ...FACT, entryId: 'a' }] }));
    const both = ['a', 'b'].map((entryId) => ({ ...FACT, entryId }));
    await state.commit(commit({ seen: [entry('a', 'p1'), entry('b', 'p2')], facts: both }));
    const facts = await state.factsOf(FEED, 0, 10);
    expect(facts.map(({ seq, entryId }) => [seq, entryId])).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  test(`${name}: what had no effect is seen, and its payload is not said`, async () => {
    await using state = await open();
    const isVoid = { ...entry('v', 'p1'), isVoid: true as const };
    await state.commit(commit({ seen: [isVoid] }));
    expect((await state.seenAmong(FEED, ['v'])).get('v')).toEqual(isVoid);
    expect(await state.payloadsAmong(FEED, ['p1'])).toEqual(new Map());
    await state.commit(commit({ seen: [entry('w', 'p1')] }));
    expect(await state.payloadsAmong(FEED, ['p1'])).toEqual(new Map([['p1', new Map([['signature of p1', 'w']])]]));
  });

  test(`${name}: of what is committed again, changed or not, the last is found`, async () => {
    await using state = await open();
    await state.commit(commit({}));
    const found = await state.find(FEED);
    if (found === undefined) throw new Error('It was committed.');
    await state.commit(commit({ memory: { ...found, poll: { lastMs: 5 } } }));
    expect(await state.find(FEED)).toEqual({ ...MEMORY, poll: { lastMs: 5 } });
    await state.commit(commit({ memory: { ...found, endpoints: [], told: {} } }));
    expect(await state.find(FEED)).toEqual({ ...MEMORY, endpoints: [], told: {} });
    // From before: it is another one by now.
    await state.commit(commit({ memory: found }));
    expect(await state.find(FEED)).toEqual(MEMORY);
    await state.commit(commit({ memory: { ...found, feedUrl: OTHER } }));
    expect(await state.find(OTHER)).toEqual({ ...MEMORY, feedUrl: OTHER });
  });

  clause('AF-Z2', `${name}: feeds know nothing of each other`, async () => {
    await using state = await open();
    await state.commit(commit({ seen: [entry('a', 'p1')] }));
    await state.commit(commit({ memory: { ...MEMORY, feedUrl: OTHER, applied: 5 }, seen: [entry('a', 'p2')] }));
    expect((await state.find(FEED))?.applied).toBe(1);
    expect((await state.seenAmong(FEED, ['a'])).get('a')?.payloadHash).toBe('p1');
    expect((await state.seenAmong(OTHER, ['a'])).get('a')?.payloadHash).toBe('p2');
    expect(await state.payloadsAmong(OTHER, ['p1'])).toEqual(new Map());
  });

  clause('AF-S8', `${name}: what the caller does to its own copy afterwards changes nothing`, async () => {
    await using state = await open();
    const endpoints = [...MEMORY.endpoints];
    await state.commit(commit({ memory: { ...MEMORY, endpoints } }));
    endpoints.length = 0;
    expect(await state.find(FEED)).toEqual(MEMORY);
  });

  test(`${name}: ids of every kind, ten thousand at once`, async () => {
    await using state = await open();
    const odd = ["o'hara", 'with "quotes"', 'läng 😀', 'a\nb', '[1]', 'null', '\\u0041'];
    const seen = [...odd, ...Array.from({ length: 10_000 }, (_, at) => `urn:af:api.example:${at}`)].map((id) =>
      entry(id, `payload of ${id}`),
    );
    await state.commit(commit({ seen, facts: seen.map(({ entryId }) => ({ ...FACT, entryId })) }));
    const found = await state.seenAmong(
      FEED,
      seen.map(({ entryId }) => entryId),
    );
    expect([...found.values()]).toEqual(seen);
    const payloads = await state.payloadsAmong(
      FEED,
      seen.map(({ payloadHash }) => payloadHash),
    );
    expect([...payloads.values()].flatMap((firstIds) => [...firstIds.values()])).toEqual(
      seen.map(({ entryId }) => entryId),
    );
    expect(await state.factsOf(FEED, 10_000, 100)).toHaveLength(odd.length);
  });
}

function commit(parts: Partial<ReaderCommit>): ReaderCommit {
  return { memory: MEMORY, seen: [], facts: [], ...parts };
}

function entry(entryId: string, payloadHash: string): SeenEntry {
  return { entryId, payloadHash, signature: `signature of ${payloadHash}`, publicKey: 'ab'.repeat(32) };
}
