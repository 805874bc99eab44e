import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callRoute, jsonOf } from '../../../test/support/call-route.ts';
import type { LogStart } from '../../log/log-start.ts';
import { placeChanges } from '../../log/place-changes.ts';
import type { Change } from '../../model/change.ts';
import type { ChangeQuery } from '../store/hub-store.ts';
import { type ChangesParts, changesRoutes } from './changes-routes.ts';

const FOREIGN_ID = '7ZZZZZZZZZZZZZZZZZZZZZZZZZ';

function changesOf(sources: readonly string[], last?: Change): Change[] {
  const drafts = sources.map((source, at) => ({
    source,
    action: 'update' as const,
    url: `https://${source}.example/${at}`,
    anchor: 'Zoë',
  }));
  const nowMs = Date.parse('2026-03-01T12:00:00Z');
  return placeChanges(drafts, { last, nowMs, random: (size) => new Uint8Array(size) });
}

const NEVER_CUT: LogStart | undefined = undefined as LogStart | undefined;
const NEVER_RESTORED = undefined as string | undefined;

/** A log in memory. `beforeRead` runs between the request and the reading of the log. */
function hubWith(
  log: Change[],
  { watched = [] as string[], beforeRead = () => {}, start = NEVER_CUT, epoch = NEVER_RESTORED } = {},
) {
  let reads = 0;
  const parts: ChangesParts = {
    store: {
      async *changes({ after = 0, limit = Number.POSITIVE_INFINITY, source }: ChangeQuery) {
        reads++;
        beforeRead();
        const found = log.filter((change) => change.seq > after && (source === undefined || change.source === source));
        yield* found.slice(0, limit);
      },
      changeById: async (id) => {
        reads++;
        return log.find((change) => change.id === id);
      },
      redactions: () => 0,
      logStart: () => start,
    },
    epoch,
    newest: () => log.at(-1),
    isSource: (id) => watched.includes(id) || log.some(({ source }) => source === id),
    baseUrl: () => 'https://hub.example/base/',
  };
  const routes = changesRoutes(parts);
  return {
    reads: () => reads,
    get: (query: string, headers: Record<string, string> = {}) =>
      callRoute(routes, `GET /api/v1/changes${query}`, { headers }),
  };
}

test('without after it begins at the start, and next leads through the whole log', async () => {
  const log = changesOf(['a', 'b', 'a', 'b', 'a']);
  const { get } = hubWith(log);
  const first = jsonOf(await get('?limit=2'));
  expect(first.changes.map(({ seq }: Change) => seq)).toEqual([1, 2]);
  const second = jsonOf(await get(`?limit=2&after=${first.next}`));
  expect(second.changes.map(({ seq }: Change) => seq)).toEqual([3, 4]);
  const third = jsonOf(await get(`?limit=2&after=${second.next}`));
  expect(third).toMatchObject({ changes: [{ seq: 5 }], next: log.at(-1)?.id });
  expect(jsonOf(await get(`?limit=2&after=${third.next}`))).toEqual({ changes: [], next: third.next });
});

test('a change is given as the log has it, with its boundary', async () => {
  const [change] = changesOf(['a']);
  const page = jsonOf(await hubWith(changesOf(['a'])).get(''));
  expect(page.changes).toEqual([{ ...change, boundary: 'https://a.example/0#Zo%C3%AB' }]);
});

test('an empty log has no next', async () => {
  const { get } = hubWith([], { watched: ['a'] });
  expect(jsonOf(await get(''))).toEqual({ changes: [], next: null });
  expect(jsonOf(await get('?source=a'))).toEqual({ changes: [], next: null });
});

test('a reader of a quiet source moves on with the log', async () => {
  const log = changesOf(['quiet', ...Array(30).fill('busy')]);
  const { get } = hubWith(log);
  const page = jsonOf(await get('?source=quiet'));
  expect(page).toMatchObject({ changes: [{ seq: 1 }], next: log.at(-1)?.id });
  expect(jsonOf(await get(`?source=quiet&after=${page.next}`))).toEqual({ changes: [], next: page.next });
});

test('a full page of one source ends at its last change, not beyond', async () => {
  const log = changesOf(['a', 'b', 'a', 'b']);
  const page = jsonOf(await hubWith(log).get('?source=a&limit=1'));
  expect(page).toMatchObject({ changes: [{ seq: 1 }], next: log[0]?.id });
});

test('what is appended while the log is read is left to the next request', async () => {
  const log = changesOf(['a', 'b']);
  const { get } = hubWith(log, { beforeRead: () => log.push(...changesOf(['b', 'a'], log.at(-1))) });
  const page = jsonOf(await get('?source=a'));
  expect(page.changes.map(({ seq }: Change) => seq)).toEqual([1]);
  expect(page.next).toBe(log[1]?.id);
});

test('whoever follows next sees each change of his source once, in order, while the log grows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.constantFrom('a', 'b'), { maxLength: 4 }), { maxLength: 8 }),
      fc.integer({ min: 1, max: 3 }),
      async (batches, limit) => {
        const log: Change[] = [];
        const pending = batches.map((batch) => batch);
        const { get } = hubWith(log, {
          watched: ['a'],
          beforeRead: () => log.push(...changesOf(pending.shift() ?? [], log.at(-1))),
        });
        log.push(...changesOf(['b']));
        const seen: number[] = [];
        let after: string | null = null;
        for (let round = 0; round < 60; round++) {
          const page = jsonOf(await get(`?source=a&limit=${limit}${after === null ? '' : `&after=${after}`}`));
          seen.push(...page.changes.map(({ seq }: Change) => seq));
          if (page.next === after) log.push(...changesOf(pending.shift() ?? [], log.at(-1)));
          after = page.next;
        }
        expect(seen).toEqual(log.filter(({ source }) => source === 'a').map(({ seq }) => seq));
      },
    ),
    { numRuns: 40 },
  );
});

test('a cursor that is not of this log is gone, and the answer says where the hole is filled', async () => {
  const { get } = hubWith(changesOf(['a']));
  const answer = await get(`?after=${FOREIGN_ID}&source=a&limit=7`);
  expect(answer.status).toBe(410);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(jsonOf(answer)).toMatchObject({
    status: 410,
    cursor: FOREIGN_ID,
    feed: 'https://hub.example/base/aicf/a.ndjson',
    restart: 'https://hub.example/base/api/v1/changes?source=a&limit=7',
    detail: expect.stringContaining('https://hub.example/base/aicf/a.ndjson'),
  });
  const anything = { 'if-none-match': '*' };
  expect((await get(`?after=${FOREIGN_ID}`, anything)).status).toBe(410);
  const ofAll = jsonOf(await hubWith([]).get(`?after=${FOREIGN_ID}`));
  expect(ofAll).toMatchObject({
    status: 410,
    feed: 'https://hub.example/base/ai-changes.ndjson',
    restart: 'https://hub.example/base/api/v1/changes',
  });
});

test.each([
  '?after=',
  '?after=1',
  '?after=01arz3ndektsv4rrffq69g5fav',
  '?after=81ARZ3NDEKTSV4RRFFQ69G5FAV',
  `?after=${FOREIGN_ID}&after=${FOREIGN_ID}`,
  '?limit=0',
  '?limit=1001',
  '?limit=-1',
  '?limit=1e2',
  '?limit=%2B5',
  '?limit=1.5',
  '?limit=',
  '?limit=10&limit=10',
  '?source=a&source=a',
  '?since=1',
  '?__proto__=1',
  '?constructor=1',
])('%s is a bad request', async (query) => {
  const answer = await hubWith(changesOf(['a'])).get(query);
  expect(answer.status).toBe(400);
  expect(jsonOf(answer).detail).toMatch(/is refused\. /);
});

test('a source that this hub does not know is not found; one that left changes is', async () => {
  const { get } = hubWith(changesOf(['removed']));
  expect(jsonOf(await get('?source=removed')).changes).toHaveLength(1);
  expect((await get('?source=nobody')).status).toBe(404);
  expect((await get('?source=..%2F..%2Fetc')).status).toBe(404);
});

test('a 304 touches no database, and a new change ends it', async () => {
  const log = changesOf(['a']);
  const { get, reads } = hubWith(log);
  const first = await get(`?after=${log[0]?.id}`);
  const etag = first.headers.etag ?? '';
  expect(etag).toMatch(/^"[^"]+"$/);
  const before = reads();
  const again = await get(`?after=${log[0]?.id}`, { 'if-none-match': `"other", W/${etag}` });
  expect(again).toEqual({ status: 304, headers: { etag, 'cache-control': 'no-cache' } });
  expect(reads()).toBe(before);
  const cold = hubWith(log);
  expect((await cold.get(`?after=${log[0]?.id}`, { 'if-none-match': etag })).status, 'nobody asked before').toBe(304);
  expect(cold.reads()).toBe(0);
  expect((await get('', { 'if-none-match': etag })).status, 'another query').toBe(200);
  log.push(...changesOf(['a'], log.at(-1)));
  expect((await get(`?after=${log[0]?.id}`, { 'if-none-match': etag })).status).toBe(200);
});

test('of a cut log it is said where it begins, and a cursor before that is told where the rest is', async () => {
  const all = changesOf(['a', 'a', 'a', 'a', 'a', 'a']);
  const log = all.slice(3);
  const start = { seq: 3, id: all[2]?.id ?? '' };
  const hub = hubWith(log, { start });
  const first = jsonOf(await hub.get(''));
  expect(first).toMatchObject({ begins_after: start.id, next: log[2]?.id });
  expect(first.changes).toHaveLength(3);
  expect((await hub.get(`?after=${start.id}`)).status, 'who had all that was cut misses nothing').toBe(200);
  const lost = await hub.get(`?after=${all[1]?.id}`);
  expect(lost.status).toBe(410);
  expect(jsonOf(lost)).toMatchObject({
    archives: 'https://hub.example/base/api/v1/archives',
    restart: 'https://hub.example/base/api/v1/changes',
  });
});

test('a page is written once for all who ask for it, a full one also while the log grows', async () => {
  const log = changesOf(['a', 'a', 'a', 'a', 'a']);
  const hub = hubWith(log);
  const full = (await hub.get('?limit=2')).body;
  const open = (await hub.get(`?after=${log[2]?.id}`)).body;
  const reads = hub.reads();
  expect((await hub.get('?limit=2')).body).toBe(full);
  expect((await hub.get(`?after=${log[2]?.id}`)).body).toBe(open);
  expect(hub.reads()).toBe(reads);

  log.push(...changesOf(['a'], log.at(-1)));
  const again = await hub.get('?limit=2');
  expect(again.body).toBe(full);
  expect(hub.reads()).toBe(reads);
  expect(jsonOf(await hub.get(`?after=${log[2]?.id}`)).changes).toHaveLength(3);
});

test('once a backup was restored cursors name the log, and ids of changes are taken all the same', async () => {
  const log = changesOf(['a', 'b', 'a']);
  const { get } = hubWith(log, { epoch: '5f0c93aa' });
  const first = jsonOf(await get('?limit=2'));
  expect(first.next).toBe(`${log[1]?.id}.5f0c93aa`);
  for (const after of [first.next, log[1]?.id, `${log[1]?.id}.00000000`]) {
    const page = jsonOf(await get(`?after=${after}`));
    expect(
      page.changes.map(({ seq }: Change) => seq),
      after,
    ).toEqual([3]);
    expect(page.next).toBe(`${log[2]?.id}.5f0c93aa`);
  }
  expect(jsonOf(await get(`?after=${log[2]?.id}`))).toEqual({ changes: [], next: `${log[2]?.id}.5f0c93aa` });
  expect((await get(`?after=${FOREIGN_ID}.5f0c93aa`)).status).toBe(410);
  expect((await get(`?after=${log[1]?.id}.`)).status).toBe(400);
});

test('the cursor before all changes is the start, as long as nothing was cut', async () => {
  const log = changesOf(['a', 'b']);
  const start = '0'.repeat(26);
  expect(jsonOf(await hubWith(log).get(`?after=${start}`)).changes).toHaveLength(2);
  const cut = { seq: 1, id: log[0]?.id ?? '' };
  expect((await hubWith(log.slice(1), { start: cut }).get(`?after=${start}`)).status).toBe(410);
});
