import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/site.ts';
import { openSqliteHubStore } from '../../io/sqlite/hub-store.ts';
import type { ChangeDraft } from '../../model/change.ts';
import { ChangeTail } from './change-tail.ts';
import { changeLog } from './push-log.ts';

function page(name: string): ChangeDraft {
  const url = `https://docs.example/${name}`;
  return { source: 'docs', kind: 'page', action: 'update', url, time: '2026-03-01T12:00:00Z', provenance: {} };
}

async function openLog(folder: string) {
  const store = await openSqliteHubStore({ folder });
  const tail = new ChangeTail({ store, newest: await store.lastChange(), keptEvents: 2 });
  return { store, log: changeLog({ tail, store, epoch: undefined }) };
}

test('changes are events: the same in the memory of the tail and from the store', async () => {
  using folder = temporaryFolder();
  const { store, log } = await openLog(folder.path);
  await using _ = store;
  const told: number[] = [];
  log.onEvents((events) => told.push(...events.map(({ seq }) => seq)));
  const changes = await store.commit({ source: 'docs', drafts: [page('a'), page('b'), page('c')] });
  expect([log.seq, log.epoch, told]).toEqual([3, '', [1, 2, 3]]);
  const [first, ...rest] = await log.read(0, 10);
  expect(log.held(0, 10)).toBeUndefined();
  expect(first).toMatchObject({ seq: 1, id: changes[0]?.id, type: 'change', timestamp: '2026-03-01T12:00:00Z' });
  expect(JSON.parse(first?.json ?? '')).toEqual({ ...changes[0], boundary: 'https://docs.example/a' });
  expect(log.held(1, 10)?.map(({ json }) => json)).toEqual(rest.map(({ json }) => json));
  expect(log.held(2, 10)?.[0]).toBe(log.held(2, 10)?.[0]);
});

test('a place is found by its id, that behind which a cut log begins too, and others not', async () => {
  using folder = temporaryFolder();
  const { store, log } = await openLog(folder.path);
  await using _ = store;
  const [a, b, c] = await store.commit({ source: 'docs', drafts: [page('a'), page('b'), page('c')] });
  await store.cutLog(2);
  expect(log.begins()).toEqual({ seq: 2, id: b?.id });
  expect(await log.find(b?.id ?? '')).toEqual({ seq: 2, id: b?.id });
  expect(await log.find(c?.id ?? '')).toEqual({ seq: 3, id: c?.id });
  expect(await log.find(a?.id ?? '')).toBeUndefined();
});
