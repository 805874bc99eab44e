import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { changedPage, entriesIn, openAtomLab } from '../../../../test/support/atom-lab.ts';
import { validAtom } from '../../../../test/support/xml-validity.ts';
import { decodeAtomFeed } from '../../../codecs/atom/decode-feed.ts';
import { LogFullError } from '../../../errors/log-error.ts';
import { openSqliteAtomStore } from '../../../io/sqlite/atom-store.ts';
import { backUpDatabase } from '../../../io/sqlite/backup.ts';
import { openSqliteHubStore } from '../../../io/sqlite/hub-store.ts';
import { openLogDatabase } from '../../../io/sqlite/log.ts';
import { ALL_ATOM, type AtomStore } from './atom-store.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-atom-'));
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'hub-'));

function decoded(text: string) {
  const feed = decodeAtomFeed(text);
  if (!feed.ok) throw new Error(feed.issues[0].message);
  return feed.value;
}

clause(
  ['RS-U5', 'RS-U6'],
  'each check that found changes is one entry, valid and never changed, in the feed of its source and in that of all',
  async () => {
    await using hub = await openAtomLab({ folder: await newFolder(), titles: { docs: 'Docs & more', api: 'API' } });
    await hub.commit('docs', [changedPage('a'), changedPage('b', { anchor: 'limits' }), changedPage('c')]);
    const [first] = entriesIn(hub.text('docs'));
    for (const page of ['a', 'b', 'c']) expect(first).toContain(`https://docs.example/${page}`);
    await hub.commit('api', [changedPage('v1', { kind: 'endpoint', summary: 'POST /v1/things is gone.' })]);
    await hub.commit('docs', []);
    await hub.commit('docs', [changedPage('a', { action: 'delete' })]);

    const [docs, api, all] = ['docs', 'api', ALL_ATOM].map((name) => hub.text(name)) as [string, string, string];
    expect(await validAtom(docs, api, all)).toEqual([]);
    expect(entriesIn(docs)).toHaveLength(2);
    expect(entriesIn(docs)[1], 'the first entry keeps its bytes').toBe(first);
    expect(entriesIn(all)).toEqual([entriesIn(docs)[0], entriesIn(api)[0], first]);
    expect(new Set([docs, api, all].map((text) => decoded(text).id)).size).toBe(3);
    expect(decoded(docs)).toMatchObject({
      title: 'Docs & more',
      url: 'https://docs.example/',
      selfUrl: 'https://hub.example/atom/docs.atom',
      updatedMs: decoded(docs).items[0]?.updatedMs,
    });
    expect(api).toContain('POST /v1/things is gone.');
    expect(hub.documents.current('unknown')).toBeUndefined();
  },
);

clause(['RS-G5', 'RS-G6'], 'each collection has a feed of its own besides that of its source', async () => {
  const folder = await newFolder();
  const of = (collection: string, rest = {}) => ({ provenance: { by: 'resourcesync', collection, ...rest } });
  const [inari, twin] = ['https://docs.example/inari/', 'https://docs.example/inari'];
  let ids: unknown;
  {
    await using hub = await openAtomLab({ folder, titles: { docs: 'Shrines' } });
    await hub.commit('docs', [
      changedPage('inari/a', { action: 'create', ...of(inari, { isFirst: true }) }),
      changedPage('x', { url: 'https://elsewhere.example/x', title: 'Foreign', ...of(inari, { isForeign: true }) }),
    ]);
    await hub.commit('docs', [changedPage('inari/t', of(twin)), changedPage('z', of('javascript:alert(1)'))]);
    const [one, two, source] = ['docs/inari', 'docs/inari-2', 'docs'].map((name) => hub.text(name));
    expect(await validAtom(one ?? '', two ?? '', source ?? '')).toEqual([]);
    const told = [one, two, source, hub.text(ALL_ATOM)].map((text) => entriesIn(text ?? ''));
    expect(told.map(({ length }) => length)).toEqual([1, 1, 3, 3]);
    expect(told[2], 'the same entries, to the byte').toEqual(told[3]);
    expect(told[2]).toEqual([expect.stringContaining('/z'), ...(told[1] ?? []), ...(told[0] ?? [])]);
    expect(one).toContain('Foreign');
    expect(one).not.toContain('https://elsewhere.example/x');
    expect(two).toContain('https://docs.example/inari/t');
    expect(two).not.toContain('inari/a');
    expect(decoded(one ?? '')).toMatchObject({ title: 'Shrines: docs.example/inari/', url: inari });
    ids = [one, two, source].map((text) => decoded(text ?? '').id);
    expect(new Set(ids as string[]).size).toBe(3);
  }
  // Names stay with their collections, whoever comes first.
  await using again = await openAtomLab({ folder, startMs: Date.now() });
  await again.commit('docs', [changedPage('inari/u', of(twin)), changedPage('inari/b', of(inari))]);
  const texts = ['docs/inari', 'docs/inari-2', 'docs'].map((name) => again.text(name));
  expect(texts.map((text) => decoded(text).id)).toEqual(ids);
  expect(texts[0]).toContain('inari/b');
  expect(decoded(texts[0] ?? '').title, 'its source is gone, its title stays').toBe('Shrines: docs.example/inari/');
});

test('what is older is in archives, which stay as they are and together with the feed hold everything', async () => {
  const folder = await newFolder();
  await using hub = await openAtomLab({ folder, titles: { docs: 'Docs' }, isDeaf: true });
  for (let at = 1; at <= 49; at++) await hub.commit('docs', [changedPage(`p${at}`)]);
  await hub.shelf.mend();
  expect(hub.documents.archive('docs', { number: 1 })).toBeUndefined();
  expect(hub.text('docs')).not.toContain('prev-archive');
  await hub.commit('docs', [changedPage('p50')]);
  await hub.shelf.mend();
  const first = hub.text('docs', 1);
  for (let at = 51; at <= 120; at++) await hub.commit('docs', [changedPage(`p${at}`)]);
  await hub.shelf.mend();
  expect(hub.text('docs', 1)).toBe(first);
  expect([0, 3, -1].map((number) => hub.documents.archive('docs', { number }))).toEqual(Array(3).fill(undefined));

  const [second, current] = [hub.text('docs', 2), hub.text('docs')];
  expect(await validAtom(first, second, current)).toEqual([]);
  const chain = [current, second, first].map((text) => decoded(text));
  expect(chain.map(({ prevArchiveUrl }) => prevArchiveUrl)).toEqual([
    'https://hub.example/atom/docs/_archive/2.atom',
    'https://hub.example/atom/docs/_archive/1.atom',
    undefined,
  ]);
  expect(chain.map(({ isArchive }) => isArchive)).toEqual([false, true, true]);
  expect(new Set(chain.map(({ id }) => id)).size).toBe(1);
  const all = new Set([current, second, first].flatMap(entriesIn));
  expect(all.size).toBe(120);
  expect(entriesIn(current)).toHaveLength(50);
  expect([...all].map((entry) => /Page p(\d+)/.exec(entry)?.[1])).toEqual(
    Array.from({ length: 120 }, (_, at) => String(120 - at)),
  );
});

test('behind a restored backup archives have names of their own: a number may have been published with other entries', async () => {
  const [folder, backup] = [await newFolder(), join(await newFolder(), 'copy')];
  const published = new Map<string, string>();
  {
    await using hub = await openAtomLab({ folder });
    for (let at = 1; at <= 60; at++) await hub.commit('docs', [changedPage(`p${at}`)]);
    published.set('1', hub.text('docs', 1));
    await backUpDatabase(folder, join(folder, 'copy.db'));
    for (let at = 61; at <= 100; at++) await hub.commit('docs', [changedPage(`p${at}`)]);
    published.set('2', hub.text('docs', 2));
  }
  await mkdir(backup);
  await cp(join(folder, 'copy.db'), join(backup, 'tidings.db'));
  await using hub = await openAtomLab({ folder: backup, epoch: '0a1b2c3d', startMs: Date.now() });
  expect(hub.text('docs', 1)).toBe(published.get('1'));
  expect(hub.documents.archive('docs', { number: 2 })).toBeUndefined();
  for (let at = 61; at <= 170; at++) await hub.commit('docs', [changedPage(`other${at}`)]);
  expect(hub.documents.archive('docs', { number: 2 }), 'never other bytes').toBe('gone');
  expect(hub.documents.archive('docs', { number: 1, epoch: '0a1b2c3d' })).toBe('gone');
  const chain = [hub.text('docs'), hub.text('docs', 3, '0a1b2c3d'), hub.text('docs', 2, '0a1b2c3d')].map(decoded);
  expect(chain.map(({ prevArchiveUrl }) => prevArchiveUrl)).toEqual([
    'https://hub.example/atom/docs/_archive/3-0a1b2c3d.atom',
    'https://hub.example/atom/docs/_archive/2-0a1b2c3d.atom',
    'https://hub.example/atom/docs/_archive/1.atom',
  ]);
});

test('another public address or title changes the head, but no entry and no id', async () => {
  const folder = await newFolder();
  const texts: string[][] = [];
  for (const [baseUrl, title] of [
    ['https://hub.example/', 'Docs'],
    ['https://other.example/tidings/', 'New name'],
  ] as const) {
    await using hub = await openAtomLab({ folder, baseUrl, titles: { docs: title } });
    if (texts.length === 0) for (let at = 0; at < 51; at++) await hub.commit('docs', [changedPage(`p${at}`)]);
    texts.push([hub.text('docs'), hub.text('docs', 1)]);
  }
  const [before = [], after = []] = texts;
  expect(after[0]).toContain('https://other.example/tidings/atom/docs/_archive/1.atom');
  expect(
    after.map((text) => decoded(text).title),
    'an archive stays as it was',
  ).toEqual(['New name', 'Docs']);
  expect(after.map(entriesIn)).toEqual(before.map(entriesIn));
  expect(after.map((text) => decoded(text).id)).toEqual(before.map((text) => decoded(text).id));
});

test('a date that a client has is older than every head that it has not, also over restarts', async () => {
  const folder = await newFolder();
  const titles = { docs: 'Docs' };
  let dateMs = 0;
  {
    await using hub = await openAtomLab({ folder, titles });
    await hub.commit('docs', [changedPage('a')]);
    const dateOf = () => hub.documents.current('docs')?.lastModifiedMs ?? 0;
    const firstMs = dateOf();
    hub.advance(10_000);
    expect(dateOf(), 'while nothing changes').toBe(firstMs);
    titles.docs = 'The docs';
    dateMs = dateOf();
    expect(dateMs, 'another title').toBe(firstMs + 10_000);
    await hub.commit('docs', [changedPage('b')]);
    expect(dateOf(), 'a new entry').toBe(dateMs + 60_000);
    dateMs = dateOf();
  }
  await using hub = await openAtomLab({ folder, titles, baseUrl: 'https://new.example/', startMs: dateMs + 5000 });
  expect(hub.documents.current('docs')?.lastModifiedMs).toBe(dateMs + 5000);
});

test('what the log has more than the feeds becomes entries on opening, each once, also after a crash', async () => {
  const [folder, crashed] = [await newFolder(), join(await newFolder(), 'copy')];
  let served = '';
  {
    await using hub = await openAtomLab({ folder });
    await hub.commit('docs', [changedPage('a')]);
    served = entriesIn(hub.text('docs'))[0] ?? '';
  }
  {
    // A hub that ends between the commit and the entries leaves a log like this.
    await using store = await openSqliteHubStore({ folder });
    await store.commit({ source: 'docs', drafts: [{ ...changedPage('b'), source: 'docs' }] });
    await store.commit({ source: 'docs', drafts: [{ ...changedPage('c'), source: 'docs' }] });
  }
  await cp(folder, crashed, { recursive: true });
  const seen = [];
  for (const place of [folder, crashed, folder]) {
    await using again = await openAtomLab({ folder: place });
    expect(again.shelf.seq).toBe(3);
    seen.push(entriesIn(again.text('docs')));
  }
  expect(seen[0]).toHaveLength(3);
  expect(seen[0]?.[2]).toBe(served);
  expect(seen[1]).toEqual(seen[0]);
  expect(seen[2]).toEqual(seen[0]);
});

test.each([0, 1, 2, 3])(
  'a write that fails at step %i changes nothing that is served, and is made good',
  async (at) => {
    let fired = 0;
    let isFaulty = false;
    const around = (store: AtomStore): AtomStore => ({
      identity: () => store.identity(),
      seq: () => store.seq(),
      feeds: () => store.feeds(),
      entries: (feed, first, last) => store.entries(feed, first, last),
      archive: (feed, number) => store.archive(feed, number),
      endedArchives: (feed) => store.endedArchives(feed),
      endArchives: (kept) => store.endArchives(kept),
      write: (step) => {
        if (!isFaulty) return store.write(step);
        fired += 1;
        const poison = undefined as never;
        const faults = [
          { after: poison },
          { entries: [...step.entries, { text: 'x', places: [{ feed: poison, number: poison }] }] },
          { archives: [{ feed: 'docs', number: 1, head: poison }] },
          { feeds: [...step.feeds, { name: poison } as never] },
        ];
        try {
          store.write({ ...step, ...faults[at] });
        } catch (error) {
          // What the database says of poison is a bug of ours; here it stands for a full disk.
          throw new LogFullError('tidings.db', error);
        }
      },
    });
    await using hub = await openAtomLab({ folder: await newFolder(), around });
    await hub.commit('docs', [changedPage('a')]);
    const before = hub.text('docs');
    isFaulty = true;
    await hub.commit('docs', [changedPage('b')]);
    await hub.commit('docs', [changedPage('c')]);
    await hub.shelf.mend();
    expect(fired).toBeGreaterThan(0);
    expect([hub.shelf.trouble !== undefined, hub.shelf.seq, hub.text('docs')]).toEqual([true, 1, before]);

    isFaulty = false;
    await hub.shelf.mend();
    expect([hub.shelf.trouble, hub.shelf.seq]).toEqual([undefined, 3]);
    expect(entriesIn(hub.text('docs'))).toHaveLength(3);
    expect(entriesIn(hub.text('docs'))[2]).toBe(entriesIn(before)[0]);
  },
);

test('changes that were never handed over are read from the log, and what comes twice counts once', async () => {
  await using hub = await openAtomLab({ folder: await newFolder(), isDeaf: true });
  for (const path of ['a', 'b', 'c']) await hub.commit('docs', [changedPage(path)]);
  const last = await hub.store.lastChange();
  if (last === undefined) throw new Error('The log is empty.');
  expect(hub.shelf.find('docs')).toBeUndefined();
  await hub.shelf.mend();
  for (let times = 0; times < 2; times++) await hub.shelf.add([last]);
  expect([hub.shelf.seq, entriesIn(hub.text('docs')).length]).toEqual([3, 3]);
});

test('an entry that is stored is never changed or deleted', async () => {
  const folder = await newFolder();
  {
    await using hub = await openAtomLab({ folder });
    await hub.commit('docs', [changedPage('a')]);
    const store = hub.store.openTables(openSqliteAtomStore);
    const entry = { text: 'other', places: [{ feed: 'docs', number: 1 }] };
    const step = { after: 1, seq: 1, feeds: [], archives: [], entries: [entry] };
    expect(() => store.write(step)).toThrow(/UNIQUE|constraint/i);
    expect(() => store.write({ ...step, after: 0 })).toThrow('do not stand at 0');
  }
  const { database, log } = await openLogDatabase({ folder });
  for (const table of ['hub_atom_entries', 'hub_atom_places']) {
    expect(() => database.exec(`DELETE FROM ${table}`)).toThrow('never deleted');
    expect(() => database.exec(`UPDATE ${table} SET entry = entry`)).toThrow('never changed');
  }
  await log.close();
});
