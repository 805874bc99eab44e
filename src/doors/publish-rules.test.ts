import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/site.ts';
import { serveFolder } from '../../test/support/static-server.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { GivenRules } from '../model/given-rules.ts';
import { diffSites } from './diff-sites.ts';
import { publish } from './publish.ts';

const SITE = 'https://docs.example/';

interface Said {
  readonly stamp?: string;
  readonly limit?: string;
}

function page(title: string, { stamp = 'noon', limit = 'Ten a day.' }: Said = {}): string {
  return `<!doctype html><html><head><title>${title}</title></head><body><main><h1 id="top">${title}</h1>
<p>What ${title} is for.</p><h2 id="limits">Limits</h2><p>${limit}</p>
<h2 id="news">News</h2><p>Some news. <span class="stamp">Built at ${stamp}.</span></p>
<div class="related"><h2>Related to ${stamp}</h2><p>Read ${stamp}, too.</p></div></main></body></html>`;
}

function build(said: Said = {}) {
  return {
    'index.html': page('Home', said),
    'guide.html': page('Guide', said),
    'log/index.html': page('Log', said),
    'log/one.html': page('One', said),
  };
}

const IGNORE = { ignore: ['.stamp', '.related'] };

test('what is ignored is in no feed, no state and no twin, and its edits are none', async () => {
  using folder = temporaryFolder();
  folder.write(build({ stamp: 'noonish' }));
  const options = { dir: folder.path, site: SITE, ...IGNORE, formats: ['aicf', 'diffdelta', 'atom', 'llms-txt'] };
  expect((await publish(options)).created).toBe(4);
  const written = Object.keys(folder.fingerprint()).filter((name) => !name.endsWith('.html'));
  expect(written.filter((name) => folder.read(name).includes('noonish'))).toEqual([]);
  expect(folder.read('guide.html.md')).toContain('Some news.');

  folder.write(build({ stamp: 'midnight' }));
  expect((await publish(options)).changes).toEqual([]);
  folder.write(build({ stamp: 'dawn', limit: 'Twenty a day.' }));
  const { changes } = await publish(options);
  expect(changes.map(({ action, anchor }) => `${action} ${anchor}`)).toEqual(Array(4).fill('update limits'));
});

test('another set of rules is no change: not of the same build, and not of one where only what they are about differs', async () => {
  using folder = temporaryFolder();
  folder.write(build());
  const plain = { dir: folder.path, site: SITE, formats: ['aicf', 'llms-txt'] };
  await publish(plain);
  const feed = folder.read('ai-changes.ndjson');
  expect(folder.read('guide.html.md')).toContain('noon');

  const none = { changes: [], unchanged: 4 };
  expect(await publish({ ...plain, ...IGNORE })).toMatchObject(none);
  expect(folder.read('guide.html.md')).not.toContain('noon');
  expect(await publish(plain)).toMatchObject(none);
  expect(folder.read('guide.html.md')).toContain('noon');
  folder.write(build({ stamp: 'midnight' }));
  expect(await publish({ ...plain, ...IGNORE })).toMatchObject(none);
  folder.write(build({ stamp: 'dawn' }));
  expect(await publish({ ...plain, only: ['main > h2', 'main > p'], ignore: ['.stamp'] })).toMatchObject(none);
  expect(folder.read('ai-changes.ndjson')).toBe(feed);
});

test('an edit beside what the rules are about is told, though the rules are new', async () => {
  using folder = temporaryFolder();
  folder.write(build());
  const plain = { dir: folder.path, site: SITE, formats: ['aicf'] };
  await publish(plain);
  folder.write({ ...build({ stamp: 'midnight' }), 'guide.html': page('Guide', { stamp: 'dawn', limit: 'Two.' }) });
  const { changes } = await publish({ ...plain, ...IGNORE });
  expect(changes).toMatchObject([{ action: 'update', url: `${SITE}guide.html`, anchor: 'limits', note: 'text-edit' }]);
});

test('pages that are ignored from now on are forgotten in silence, and come back in silence', async () => {
  using folder = temporaryFolder();
  folder.write(build());
  const plain = { dir: folder.path, site: SITE, formats: ['aicf', 'diffdelta', 'resourcesync', 'atom', 'llms-txt'] };
  const ignored = { ...plain, ignore: ['/log/**'] };
  await publish(plain);
  expect(folder.read('llms.txt')).toContain('One');
  expect(await publish(ignored)).toMatchObject({ pages: 2, deleted: 0, changes: [] });
  expect(folder.read('llms.txt')).not.toContain('One');
  expect(folder.read('resourcesync/resourcelist.xml')).not.toContain('one.html');
  expect(Object.keys(folder.fingerprint())).not.toContain('log/one.html.md');

  folder.write({ ...build(), 'log/two.html': page('Two'), 'new.html': page('New') });
  expect((await publish(ignored)).changes).toMatchObject([{ action: 'create', url: `${SITE}new.html` }]);
  expect(await publish(plain)).toMatchObject({ pages: 6, created: 0, changes: [] });
  folder.write({ 'log/two.html': page('Two', { limit: 'None.' }) });
  expect((await publish(plain)).changes).toMatchObject([{ url: `${SITE}log/two.html`, anchor: 'limits' }]);
  folder.write({ 'log/three.html': page('Three') });
  expect((await publish(plain)).changes).toMatchObject([{ action: 'create', url: `${SITE}log/three.html` }]);
});

test('only some pages; and of a page without anything that is chosen the report says so', async () => {
  using folder = temporaryFolder();
  folder.write({ ...build(), 'guide.html': '<title>Guide</title><article><p>All of it.</p></article>' });
  const options = { dir: folder.path, site: SITE, formats: ['aicf'] };
  const report = await publish({ ...options, only: ['/*', 'main'], dryRun: true });
  expect(report).toMatchObject({ created: 3, unmatched: 1 });
  expect((await publish({ ...options, only: ['/*'] })).unmatched).toBeUndefined();
});

test('a machine without state goes on by the rules that the live site was read by', async () => {
  using live = temporaryFolder();
  live.write(build());
  await publish({ dir: live.path, site: SITE, ignore: ['/log/**'], stateBytes: 2000 });
  await using server = await serveFolder(live.path);
  using fresh = temporaryFolder();
  fresh.write(build({ stamp: 'midnight' }));
  const options = { previous: server.url, allowPrivate: true, ...IGNORE };
  expect(await publish({ dir: fresh.path, site: SITE, ...options })).toMatchObject({ pages: 4, changes: [] });
});

test('a live site is read by rules, and no page is asked for that they leave out', async () => {
  using folder = temporaryFolder();
  const links = '<p><a href="/guide.html">Guide</a> <a href="/log/">Log</a></p>';
  const write = (said: Said) =>
    folder.write({ ...build(said), 'index.html': page('Home', said).replace('<h2', `${links}<h2`) });
  write({});
  await using server = await serveFolder(folder.path);
  using out = temporaryFolder();
  const options = { url: server.url, out: out.path, allowPrivate: true, force: true, cooldownMs: 0, formats: ['aicf'] };
  expect(await publish({ ...options, ignore: ['/log/**'] })).toMatchObject({ pages: 2, created: 2 });
  write({ stamp: 'midnight' });
  expect(await publish({ ...options, ignore: ['/log/**', ...IGNORE.ignore] })).toMatchObject({ pages: 2, changes: [] });
  write({ stamp: 'dawn' });
  expect(await publish({ ...options, ...IGNORE })).toMatchObject({ pages: 3, changes: [] });
});

test('rules that leave nothing stop a publish, and are named as what to look at', async () => {
  using folder = temporaryFolder();
  folder.write(build());
  await publish({ dir: folder.path, site: SITE, formats: ['aicf'] });
  const nothing = publish({ dir: folder.path, site: SITE, formats: ['aicf'], ignore: ['/**'] });
  await expect(nothing).rejects.toThrow(/what the rules leave of it/);
});

test('two builds are compared by rules, and pages without anything that is chosen are counted once', async () => {
  using before = temporaryFolder();
  using after = temporaryFolder();
  before.write(build());
  after.write(build({ stamp: 'dawn' }));
  const diff = (rules: GivenRules) => diffSites({ before: before.path, after: after.path, site: SITE, ...rules });
  expect(await diff({})).toMatchObject({ updated: 4 });
  expect(await diff({ ...IGNORE, only: ['/*'] })).toMatchObject({ pages: 3, changes: [] });
  expect(await diff({ only: ['.none'] })).toMatchObject({ updated: 4, unmatched: 4 });
  await expect(diff({ only: ['a::b'] })).rejects.toThrow(/^only "a::b" is refused/);
});

test('a wrong rule is refused by name before anything is read', async () => {
  using folder = temporaryFolder();
  const publishing = publish({ dir: folder.path, site: SITE, ignore: ['a:hover'] });
  await expect(publishing).rejects.toThrow(SettingRefusedError);
  await expect(publishing).rejects.toThrow(/^ignore "a:hover" is refused/);
});
