import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmbeddingServer } from '../../test/support/embedding-server.ts';
import { type LiveSite, linking, pageOf, startLiveSite } from '../../test/support/live-site.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import { openEmbedder } from './open-embedder.ts';
import { openSink } from './open-sink.ts';
import { isEqual, type SyncOptions, type SyncReport, sync } from './sync.ts';

interface Lab extends AsyncDisposable {
  readonly site: LiveSite;
  readonly mirror: string;
  readonly state: string;
  run(options?: Partial<SyncOptions>): Promise<SyncReport>;
  /** The Markdown files below the host, by name. */
  files(): readonly string[];
  read(file: string): string;
}

async function openLab(): Promise<Lab> {
  const site = await startLiveSite({
    '/': linking('Home', 'a', 'b', 'c'),
    '/a': pageOf('Page a'),
    '/b': pageOf('Page b'),
  });
  const folder = temporaryFolder();
  const [mirror, state] = [join(folder.path, 'mirror'), join(folder.path, 'state')];
  const { host } = new URL(site.url);
  return {
    site,
    mirror,
    state,
    async run(options = {}) {
      const signal = new AbortController().signal;
      const sink = await openSink(`dir:${mirror}`, { state, signal });
      const all = { urls: site.url, sink, state, once: true, allowPrivate: true, cooldownMs: 0, ...options };
      for await (const report of sync(all)) return report;
      throw new Error('There was no report.');
    },
    files: () => (existsSync(join(mirror, host)) ? readdirSync(join(mirror, host)).sort() : []),
    read: (file) => readFileSync(join(mirror, host, file), 'utf8'),
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

test('a folder becomes and stays equal to a site, and a page is asked for once', async () => {
  await using lab = await openLab();
  const first = await lab.run();
  expect(isEqual(first)).toBe(true);
  expect(lab.files()).toEqual(['a.md', 'b.md', 'index.md']);
  expect(lab.read('a.md')).toContain(`url: ${lab.site.url}a\ntitle: Page a\nchecksum: sha256:`);
  expect(lab.read('a.md')).toContain('## Two\n\nThe second part of Page a stays.');
  expect(lab.site.takeRequests().filter((request) => request === '200 /a')).toHaveLength(1);

  lab.site.put({ '/a': pageOf('Page a', 'It says something else.'), '/c': pageOf('Page c') });
  expect(await lab.run()).toMatchObject({ upserts: 5, deletes: 0, pages: { put: 2 } });
  expect(lab.read('a.md')).toContain('It says something else.');
  expect(lab.files()).toEqual(['a.md', 'b.md', 'c.md', 'index.md']);
  expect(await lab.run()).toMatchObject({ upserts: 0, deletes: 0, pages: { put: 0, unchanged: 4 } });
});

test('a page is gone after two looks that say so, not after one', async () => {
  await using lab = await openLab();
  await lab.run();
  lab.site.remove('/b');
  expect(isEqual(await lab.run())).toBe(true);
  expect(lab.files()).toContain('b.md');
  expect(await lab.run()).toMatchObject({ pages: { removed: 1 } });
  expect(lab.files()).not.toContain('b.md');
});

test('a site that is down keeps its pages', async () => {
  await using lab = await openLab();
  await lab.run();
  for (const path of ['/', '/a', '/b']) lab.site.put({ [path]: { status: 500 } });
  for (let look = 0; look < 3; look += 1) {
    const report = await lab.run();
    expect(isEqual(report)).toBe(false);
    expect(report.looks).toMatchObject([{ is: 'failed' }]);
  }
  expect(lab.files()).toEqual(['a.md', 'b.md', 'index.md']);
});

test('a page that cannot be read is not gone, also where the state is lost, and one that is gone then goes', async () => {
  await using lab = await openLab();
  lab.site.put({ '/': linking('Home', 'a', 'b', 'c', 'd'), '/c': pageOf('Page c'), '/d': pageOf('Page d') });
  await lab.run();
  lab.site.put({ '/b': { status: 500 } });
  lab.site.remove('/c');
  const state = `${lab.state}-new`;
  const report = await lab.run({ state });
  expect(isEqual(report)).toBe(false);
  expect(report.looks).toMatchObject([{ is: 'failed', message: expect.stringContaining(`${lab.site.url}b`) }]);
  expect(lab.files()).toEqual(['a.md', 'b.md', 'c.md', 'd.md', 'index.md']);
  lab.site.put({ '/b': pageOf('Page b') });
  expect(isEqual(await lab.run({ state }))).toBe(true);
  expect(lab.files()).toEqual(['a.md', 'b.md', 'd.md', 'index.md']);
});

test('a file that was deleted or edited is written again, and one of somebody else is left', async () => {
  await using lab = await openLab();
  const { host } = new URL(lab.site.url);
  await lab.run();
  const before = lab.read('a.md');
  writeFileSync(join(lab.mirror, host, 'a.md'), `${before}\nmine`);
  writeFileSync(join(lab.mirror, host, 'c.md'), '# mine');
  expect(await lab.run()).toMatchObject({ pages: { put: 1 } });
  expect(lab.read('a.md')).toBe(before);
  lab.site.put({ '/c': pageOf('Page c') });
  const report = await lab.run();
  expect(report.unread).toEqual([{ url: `${lab.site.url}c`, reason: expect.stringContaining('c.md') }]);
  expect(lab.read('c.md')).toBe('# mine');
});

test('only what changed is embedded, over a lost state and a lost sink, too', async () => {
  await using lab = await openLab();
  await using server = await startEmbeddingServer();
  await using embed = await openEmbedder(server.url, { model: 'test' });
  expect(await lab.run({ embed })).toMatchObject({ embeddings: 12, tokens: 120 });
  expect(server.texts).toHaveLength(12);
  lab.site.put({ '/a': pageOf('Page a', 'It says something else.') });
  expect(await lab.run({ embed, plan: true })).toMatchObject({ upserts: 1, embeddings: 1 });
  expect(await lab.run({ embed, plan: true })).toMatchObject({ upserts: 1, embeddings: 1 });
  expect(server.texts).toHaveLength(12);
  expect(await lab.run({ embed })).toMatchObject({ upserts: 1, embeddings: 1 });
  expect(await lab.run({ embed, state: `${lab.state}-new` })).toMatchObject({ upserts: 0, embeddings: 0 });
  expect(server.texts).toHaveLength(13);
});

test('pages whose terms say no are left out, unless somebody says otherwise', async () => {
  await using lab = await openLab();
  lab.site.put({ '/robots.txt': 'User-agent: *\nAllow: /\nContent-Signal: ai-input=no, search=yes\n' });
  const report = await lab.run();
  expect(report.refused.map(({ url }) => url).sort()).toEqual(['', 'a', 'b'].map((path) => lab.site.url + path));
  expect(report.refused[0]?.reason).toContain('no to ai-input, by content-signal');
  expect(lab.files()).toEqual([]);
  expect(await lab.run({ use: 'search' })).toMatchObject({ pages: { put: 3 }, refused: [] });
  expect(await lab.run()).toMatchObject({ pages: { removed: 3 } });
  expect(await lab.run({ ignoreTerms: true })).toMatchObject({ pages: { put: 3 }, refused: [] });
});

test('much that vanishes stops it until somebody says that it is meant', async () => {
  await using lab = await openLab();
  const names = Array.from({ length: 20 }, (_, at) => `p${at}`);
  lab.site.put({ '/': linking('Home', ...names) });
  for (const name of names) lab.site.put({ [`/${name}`]: pageOf(`Page ${name}`) });
  await lab.run();
  expect(lab.files()).toHaveLength(21);
  lab.site.remove(...names.slice(0, 12).map((name) => `/${name}`));
  for (let look = 0; look < 3; look += 1) {
    const report = await lab.run();
    expect(report.looks).toMatchObject([{ is: 'stopped', message: expect.stringContaining('--allow-deletes') }]);
    expect(report.looks[0]?.message).not.toContain('source resume');
  }
  expect(lab.files()).toHaveLength(21);
  expect(await lab.run({ allowDeletes: true })).toMatchObject({ pages: { removed: 12 } });
  expect(lab.files()).toHaveLength(9);
});

test('a second sync with the same state is refused', async () => {
  await using lab = await openLab();
  const running = sync({
    urls: lab.site.url,
    sink: await openSink(`dir:${lab.mirror}`, { state: lab.state, signal: new AbortController().signal }),
    state: lab.state,
    allowPrivate: true,
    cooldownMs: 0,
  });
  await running.next();
  await expect(lab.run()).rejects.toMatchObject({ name: 'LogLockedError' });
  await running.return();
});

test('running on, it takes what changes until it is stopped', async () => {
  await using lab = await openLab();
  const stop = new AbortController();
  const sink = await openSink(`dir:${lab.mirror}`, { state: lab.state, signal: stop.signal });
  const options = {
    urls: lab.site.url,
    sink,
    state: lab.state,
    allowPrivate: true,
    cooldownMs: 0,
    signal: stop.signal,
  };
  let put = 0;
  for await (const { pages } of sync(options)) {
    put += pages.put;
    if (put === 3) stop.abort();
  }
  expect(lab.files()).toEqual(['a.md', 'b.md', 'index.md']);
});

test.each(['https:docs', 'nowhere:x', 'dir:', 'mirror', ''])(
  '%j is no sink, and the ones there are are named',
  async (address) => {
    const options = { state: '.', signal: new AbortController().signal };
    await expect(openSink(address, options)).rejects.toMatchObject({ recovery: 'fix-config' });
  },
);
