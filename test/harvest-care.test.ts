import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { type HarvestFlowPorts, type HarvestWish, harvestSite } from '../src/dialects/resourcesync/harvest/harvest.ts';
import { openHttp } from '../src/doors/open-http.ts';
import { createFileFolder } from '../src/io/files/folder.ts';
import { openSqliteFollowState } from '../src/io/sqlite/follow-state.ts';
import { gunzip } from '../src/io/zlib/gunzip.ts';
import { listenOnFreshPort } from './support/fresh-port.ts';
import { capabilityList, change, type HarvestLab, sourceDescription, startHarvestLab } from './support/harvest-site.ts';
import { tidingsHere } from './support/tidings-here.ts';

const created = (lab: HarvestLab, path: string) => change(`${lab.origin}/${path}`, 'created', '2026-01-01');
const HTML = { 'content-type': 'text/html' };

interface Parts {
  readonly wish?: Partial<HarvestWish>;
  readonly ports?: Partial<HarvestFlowPorts>;
}

/** One run with parts of the test's own. */
async function run(lab: HarvestLab, { wish, ports }: Parts) {
  await using http = await openHttp({ allowPrivate: true });
  await using state = await openSqliteFollowState({ file: join(lab.out, '.harvest.db') });
  return await harvestSite(
    { url: new URL(lab.origin), isFromNow: false, maxTitles: 0, ...wish },
    {
      http,
      gunzip,
      state,
      signal: new AbortController().signal,
      now: Date.now,
      titleOf: async () => undefined,
      feeds: { folder: createFileFolder(lab.out), changes: (after) => state.changes(after) },
      ...ports,
    },
  );
}

test('titles are looked for on the site alone, and a look that failed is one', async () => {
  await using lab = await startHarvestLab();
  const foreign: (string | undefined)[] = [];
  const other = createServer(({ url }, response) => {
    foreign.push(url);
    response.writeHead(200, HTML).end('<title>Of somebody else</title>');
  });
  const port = await listenOnFreshPort(other);
  lab.publish({ a: [created(lab, 'a/1'), created(lab, 'a/2')], b: [created(lab, 'b/1')], c: [created(lab, 'c/1')] });
  lab.put('/robots.txt', { status: 404, body: '' });
  lab.put('/a/1', { status: 302, headers: { location: `http://localhost:${port}/x` }, body: '' });
  lab.put('/b/1', { headers: HTML, body: '<title>Too late</title>' });
  expect((await lab.harvest({ titles: 2, cooldownMs: 0 })).errors).toEqual([]);
  expect(lab.paths().filter((path) => /\/\d$/.test(path))).toEqual(['/a/1', '/a/2']);
  expect(foreign).toEqual([]);
  await new Promise((resolve) => other.close(resolve));
});

test('what a site says of itself is asked for once in a run', async () => {
  await using lab = await startHarvestLab();
  const names = ['a', 'b', 'c'];
  lab.publish(Object.fromEntries(names.map((name) => [name, [created(lab, `${name}/1`)]])));
  const head = `<rs:ln rel="describedby" href="${lab.origin}/about.json"/>`;
  lab.put('/.well-known/resourcesync', sourceDescription(lab.origin, names, head));
  lab.put('/about.json', '{"name":"Site"}');
  await lab.harvest({ site: `${lab.origin}/a` });
  expect(lab.paths().filter((path) => path === '/about.json')).toHaveLength(1);
  // With a slash behind it is the same source, and has the same feeds.
  lab.publish({ a: [created(lab, 'a/2')] });
  expect(await lab.harvest({ site: `${lab.origin}/a/` })).toMatchObject({ errors: [], collections: [{ changes: 1 }] });
});

test('no word of a document steers a terminal or passes for a line of ours', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: [created(lab, 'a/1'), change(`${lab.origin}/a/2`, 'cre\u009b31mated', '2026-01-01')], b: [] });
  const list = capabilityList(lab.origin, 'a', [`${lab.origin}/a/changelist.xml`]);
  const hostile = `${lab.origin}/a/&#10;https://bank.example/: 0 changes&#x9B;31m`;
  lab.put('/a/capabilitylist.xml', list.replace(`describes" href="${lab.origin}/a/`, `describes" href="${hostile}`));
  lab.put('/b/changelist.xml', '\u009b31m');
  const site = [lab.origin, '--allow-private', '--cache', lab.out, '--out'];
  for (const more of [[], ['--json']]) {
    const { stdout, stderr } = await tidingsHere('harvest', ...site, join(lab.out, `out${more.length}`), ...more);
    expect(stdout + stderr).toMatch(/RS-L7|change/);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(stdout + stderr).not.toMatch(/^https:\/\/bank/m);
  }
});

test('pages of others are called by their host too', async () => {
  await using lab = await startHarvestLab();
  const bank = 'https://bank.example/login';
  const titled = change('https://bank.example/other', 'created', '2026-01-02', '', ' xlink:title="Sign in"');
  lab.publish({ a: [change(bank, 'created', '2026-01-02'), titled] });
  await lab.harvest();
  const text = await readFile(join(lab.out, 'a.atom'), 'utf8');
  expect(text).toContain('bank.example/login');
  expect(text).toContain('Sign in (bank.example)');
});

test('more than can be told at once is remembered with --from-now, and said otherwise', async () => {
  await using lab = await startHarvestLab();
  const many = Array.from({ length: 30 }, (_, at) => created(lab, `a/${at}`));
  lab.publish({ a: many });
  const ports = { limits: { maxNewChanges: 20 } };
  const { errors } = await run(lab, { ports });
  expect(errors).toMatchObject([{ code: 'RESOURCESYNC-LIMIT', message: expect.stringContaining('--from-now') }]);
  const wish = { isFromNow: true };
  expect(await run(lab, { ports, wish })).toMatchObject({ errors: [], collections: [{ changes: 0 }] });
  lab.publish({ a: [...many, created(lab, 'a/new')] });
  expect(await run(lab, { ports })).toMatchObject({ errors: [], collections: [{ changes: 1 }] });
});

test('collections that were not read for long come first', async () => {
  await using lab = await startHarvestLab();
  const changes = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, [created(lab, `${name}/1`)]]));
  lab.publish(changes);
  await lab.harvest();
  lab.put('/b/changelist.xml', { status: 500, body: '' });
  expect((await lab.harvest()).collections).toHaveLength(2);
  lab.publish(changes);
  lab.paths();
  await lab.harvest();
  expect(lab.paths().slice(1)).toEqual(
    ['capabilitylist', 'changelist'].flatMap((kind) => ['b', 'a', 'c'].map((name) => `/${name}/${kind}.xml`)),
  );
});

test('feeds of a state that is lost are not told a second time', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: [created(lab, 'a/1')] });
  await lab.harvest();
  const before = await readFile(join(lab.out, 'a.atom'), 'utf8');
  const state = join(lab.out, 'other.db');
  // A run that begins anew, with the same lists, makes the same entry: nothing is told twice.
  expect(await lab.harvest({ state: join(lab.out, 'again.db') })).toMatchObject({
    errors: [],
    collections: [{ changes: 1 }],
  });
  expect(await readFile(join(lab.out, 'a.atom'), 'utf8')).toBe(before);
  lab.publish({ a: [created(lab, 'a/1'), created(lab, 'a/0')] });
  const { code, stderr } = await tidingsHere(
    'harvest',
    lab.origin,
    '--out',
    lab.out,
    '--state',
    state,
    '--allow-private',
  );
  expect([code, stderr]).toEqual([3, expect.stringMatching(/a\.atom was made with another state.*--from-now/)]);
  expect(await readFile(join(lab.out, 'a.atom'), 'utf8')).toBe(before);
  expect(await lab.harvest({ state, fromNow: true })).toMatchObject({ errors: [], collections: [{ changes: 0 }] });
  expect(await readFile(join(lab.out, 'a.atom'), 'utf8')).toBe(before);
  lab.publish({ a: [created(lab, 'a/1'), created(lab, 'a/0'), created(lab, 'a/2')] });
  expect(await lab.harvest({ state })).toMatchObject({ errors: [], collections: [{ changes: 1 }] });
  for (const name of ['a', 'site']) {
    const text = await readFile(join(lab.out, `${name}.atom`), 'utf8');
    expect([text.split('<entry>').length - 1, text.includes('/a/1'), text.includes('/a/2')]).toEqual([2, true, true]);
  }
  // Feeds that were moved away are made anew.
  for (const name of ['a', 'site']) await rm(join(lab.out, `${name}.atom`));
  expect(await lab.harvest({ state: join(lab.out, 'third.db') })).toMatchObject({ collections: [{ changes: 3 }] });
});

test('a site that names no collection, or one less than before, says so', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: [created(lab, 'a/1')], b: [] });
  expect((await lab.harvest()).notes).toEqual([]);
  lab.put('/.well-known/resourcesync', sourceDescription(lab.origin, ['a']));
  const fewer = await lab.harvest();
  expect(fewer).toMatchObject({ errors: [], isComplete: true, collections: [{ describes: `${lab.origin}/a/` }] });
  expect(fewer.notes).toEqual([expect.stringContaining(`no longer names ${lab.origin}/b/`)]);
  expect((await lab.harvest({ collection: `${lab.origin}/a/` })).notes).toEqual([]);
  lab.remove('/a/capabilitylist.xml');
  expect((await lab.harvest()).notes).toHaveLength(1);
  lab.remove('/.well-known/resourcesync');
  expect((await lab.harvest()).notes).toEqual([]);

  lab.put('/.well-known/resourcesync', sourceDescription(lab.origin, []));
  const none = await lab.harvest({ out: join(lab.out, 'none') });
  expect(none).toMatchObject({ errors: [], isComplete: true, collections: [] });
  expect(none.notes).toEqual([expect.stringContaining('It names no collection.')]);
  const wanted = await lab.harvest({ out: join(lab.out, 'none'), collection: `${lab.origin}/a/` });
  expect(wanted.errors).toMatchObject([{ code: 'RS-U2' }]);
});

test('what a collection describes names it and leads nowhere else', async () => {
  await using lab = await startHarvestLab();
  const names = ['script', 'urn', 'foreign'];
  lab.publish(Object.fromEntries(names.map((name) => [name, [created(lab, `${name}/1`)]])));
  const describe = (name: string, href: string) => {
    const list = capabilityList(lab.origin, name, [`${lab.origin}/${name}/changelist.xml`]);
    lab.put(
      `/${name}/capabilitylist.xml`,
      list.replace(`describes" href="${lab.origin}/${name}/`, `describes" href="${href}`),
    );
  };
  describe('script', 'javascript:alert(1)');
  describe('urn', 'urn:x:y');
  describe('foreign', 'https://bank.example/');
  const { errors, collections } = await lab.harvest();
  expect(errors.map(({ code, message }) => [code, message])).toEqual(
    ['javascript:alert(1)', 'urn:x:y'].map((href) => [
      'RS-G7',
      expect.stringContaining(`"${href}", which is not an http(s) URL`),
    ]),
  );
  const note = expect.stringContaining('https://bank.example/ is on another site');
  expect(collections).toMatchObject([{ describes: 'https://bank.example/', notes: expect.arrayContaining([note]) }]);
  for (const name of [basename(collections[0]?.feed ?? ''), 'site.atom'])
    expect(await readFile(join(lab.out, name), 'utf8')).not.toMatch(/href="[^"]*(?:bank|script:)/);
});

test('no more is told of a moment than its author wrote', async () => {
  await using lab = await startHarvestLab();
  const updated = (path: string, ...times: string[]) =>
    times.map((time) => change(`${lab.origin}/a/${path}`, 'updated', time));
  lab.publish({
    a: [
      ...updated('1', '2026'),
      ...updated('2', '2026-11'),
      ...updated('3', '2026-11-10T10:00:10Z', '2026-11-10T10:00:50Z'),
    ],
  });
  await lab.harvest();
  const text = await readFile(join(lab.out, 'a.atom'), 'utf8');
  for (const told of ['(2026)', '(2026-11)', 'updated 2026-11-10 10:00:10 UTC', 'updated 2026-11-10 10:00:50 UTC'])
    expect(text).toContain(told);
});
