import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { change, changeList, type HarvestLab, index, startHarvestLab } from '../../../../test/support/harvest-site.ts';
import { openHttp } from '../../../doors/open-http.ts';
import { HostPausedError } from '../../../errors/crawl-error.ts';
import type { HttpClient } from '../../../fetch/http-client.ts';
import { gunzip } from '../../../io/zlib/gunzip.ts';
import { collectionChanges } from './collection-changes.ts';
import { type HarvestPorts, harvestSource } from './harvest-source.ts';
import type { CollectionFailure, CollectionReading } from './harvested.ts';

async function read(lab: HarvestLab, ports: Partial<HarvestPorts> = {}) {
  await using http = await openHttp({ allowPrivate: true });
  const outcomes: (CollectionReading | CollectionFailure)[] = [];
  const usual: HarvestPorts = {
    http,
    gunzip,
    signal: new AbortController().signal,
    now: Date.now,
    known: undefined,
    seenAmong: async () => new Set(),
  };
  for await (const outcome of harvestSource({ url: new URL(lab.origin) }, { ...usual, ...ports }))
    outcomes.push(outcome);
  return outcomes;
}

const entries = (lab: HarvestLab, count: number) =>
  Array.from({ length: count }, (_, at) => change(`${lab.origin}/a/${at}`, 'created', '2026-01-01'));

test('the limits of a document hold: entries, bytes, and bytes that were packed', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: entries(lab, 30) });
  const limits = { maxEntries: 20, maxBytes: 10_000 };
  expect(await read(lab, { limits })).toMatchObject([{ is: 'failed', error: { code: 'RESOURCESYNC-LIMIT' } }]);
  expect(await read(lab, { limits: { maxEntries: 30 } })).toMatchObject([{ is: 'read', changes: { length: 30 } }]);
  const bomb = gzipSync(changeList(lab.origin, 'a', entries(lab, 300)));
  expect(bomb.length).toBeLessThan(limits.maxBytes);
  lab.put('/a/changelist.xml', { body: bomb });
  const [failed] = await read(lab, { limits });
  expect(failed).toMatchObject({ is: 'failed', error: { code: 'RESOURCESYNC-LIMIT' } });
});

test('a host that asks for a pause is left in peace, and what is behind that is read afterwards', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: entries(lab, 1), b: entries(lab, 2) });
  await using http = await openHttp({ allowPrivate: true });
  let isPaused = false;
  const waited: number[] = [];
  const pausing: HttpClient = {
    async get(request) {
      if (request.url.pathname === '/a/changelist.xml' && waited.length === 0) isPaused = true;
      if (isPaused) throw new HostPausedError(request.url, 1500);
      return await http.get(request);
    },
    [Symbol.asyncDispose]: async () => {},
  };
  const wait = async (ms: number) => {
    waited.push(ms);
    isPaused = false;
  };
  expect(await read(lab, { http: pausing, wait })).toMatchObject([
    { changes: { length: 1 } },
    { changes: { length: 2 } },
  ]);
  expect(waited).toEqual([1500]);
});

test('a source is stopped on request', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: entries(lab, 1) });
  const stop = new AbortController();
  lab.put('/a/changelist.xml', () => stop.abort());
  await expect(read(lab, { signal: stop.signal })).rejects.toThrow('stopped on request');
});

test('keys name the collection too; sections are changes of their own, and a fragment is an anchor', async () => {
  await using lab = await startHarvestLab();
  const page = `${lab.origin}/p`;
  const section = `<rs:ln rel="section" href="${page}#one"/><rs:ln rel="section" href="${page}#two"/>`;
  const told = [
    change(page, 'updated', '2026-01-02', section),
    change(`${page}#three`, 'updated', '2026-01-03T12:00:00+02:00'),
    change('https://elsewhere.invalid/x', 'deleted', '2026-01-01'),
  ];
  lab.publish({ a: told, b: told });
  const readings = (await read(lab)).filter((outcome) => outcome.is === 'read');
  expect(new Set(readings.flatMap(({ changes }) => changes.map(({ key }) => key))).size).toBe(6);
  const [reading] = readings;
  if (reading === undefined) throw new Error('nothing was read');
  expect([...collectionChanges(reading)].map(({ action, url, anchor, time }) => [action, url, anchor, time])).toEqual([
    ['delete', 'https://elsewhere.invalid/x', undefined, '2026-01-01T00:00:00Z'],
    ['update', page, 'one', '2026-01-02T00:00:00Z'],
    ['update', page, 'two', '2026-01-02T00:00:00Z'],
    ['update', page, 'three', '2026-01-03T10:00:00Z'],
  ]);
  expect(reading.changes.map(({ isOwn }) => isOwn)).toEqual([false, true, true]);
});

test('a closed list that was read when it was open is read again', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: [] });
  const list = { loc: `${lab.origin}/a/1.xml` };
  lab.put('/a/changelist.xml', index('changelist', [list]));
  lab.put('/a/1.xml', changeList(lab.origin, 'a', entries(lab, 1)));
  const [first] = await read(lab);
  if (first?.is !== 'read') throw new Error('it was not read');
  const collections = { [`${lab.origin}/a/`]: first.known };
  lab.put('/a/changelist.xml', index('changelist', [{ ...list, until: '2026-01-01' }]));
  lab.paths();
  const [second] = await read(lab, { known: { collections } });
  expect(lab.paths()).toContain('/a/1.xml');
  if (second?.is !== 'read') throw new Error('it was not read');
  await read(lab, { known: { collections: { [`${lab.origin}/a/`]: second.known } } });
  expect(lab.paths()).not.toContain('/a/1.xml');
});
