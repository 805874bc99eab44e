import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tidings } from './support/cli.ts';
import { listenOnFreshPort } from './support/fresh-port.ts';
import { linking, pageOf } from './support/live-site.ts';
import { temporaryFolder } from './support/site.ts';
import { createTestAuthority } from './support/test-ca.ts';

const ENTRIES = ['a', 'b', 'c'].map(
  (path) =>
    `<entry><id>urn:a:${path}</id><title>The ${path} page</title><updated>2026-01-02T03:04:05Z</updated><link href="${path}"/></entry>`,
);
const FEED = `<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:a</id><title>News</title><updated>2026-01-02T03:04:05Z</updated>${ENTRIES.join('')}</feed>`;
const PAGES: Readonly<Record<string, string>> = {
  '/': linking('Home', 'a', 'b', 'c'),
  '/a': pageOf('A'),
  '/b': pageOf('B'),
};
const WITH_FEED = {
  ...PAGES,
  '/': PAGES['/']?.replace('<head>', '<head><link rel="alternate" type="application/atom+xml" href="news.atom">') ?? '',
  '/news.atom': FEED,
};

/** A page of somebody who has bought the name. */
function shop(wares: string): string {
  return pageOf(`${wares} for little money`, 'Buy now.')
    .replaceAll('part of', 'wares of')
    .replace('</body>', '<a href="a">a</a> <a href="b">b</a></body>');
}

/** A site over TLS whose certificate can be another one from some moment on. */
async function openLab(first: Readonly<Record<string, string>>) {
  let pages = first;
  const authority = createTestAuthority();
  const server = createServer(authority.issue('127.0.0.1'), ({ url = '/' }, response) => {
    const body = pages[url];
    const type = url.endsWith('.atom') ? 'application/atom+xml' : 'text/html';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type, connection: 'close' }).end(body);
  });
  const port = await listenOnFreshPort(server);
  const folder = temporaryFolder();
  const ca = join(folder.path, 'ca.pem');
  writeFileSync(ca, authority.cert);
  const common = ['--once', '--allow-private', '--cooldown', '0', '--ca', ca];
  return {
    folder: folder.path,
    common,
    url: `https://127.0.0.1:${port}/`,
    becomes: (others: Readonly<Record<string, string>>) => {
      pages = others;
    },
    isAs: (name: string) => server.setSecureContext(authority.issue(name)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      folder[Symbol.dispose]();
    },
  };
}

test.each([
  ['its pages', PAGES],
  ['a feed', WITH_FEED],
])(
  'a site that is followed by %s and answers under another name is a safety stop, and goes on under its own',
  async (_, pages) => {
    await using lab = await openLab(pages);
    const run = () => tidings('follow', lab.url, '--state', join(lab.folder, 'state.db'), ...lab.common);
    lab.isAs('elsewhere.example');
    // Nobody knows it yet: it cannot be read, and that is all.
    expect((await run()).code).toBe(3);
    lab.isAs('127.0.0.1');
    const first = await run();
    expect(first.code, first.stderr).toBe(0);
    lab.isAs('elsewhere.example');
    const stopped = await run();
    expect(stopped, stopped.stderr).toMatchObject({ code: 4, stdout: '' });
    expect(stopped.stderr).toMatch(/somebody else's: its certificate is for another name/);
    lab.isAs('127.0.0.1');
    expect(await run()).toMatchObject({ code: 0, stdout: '' });
  },
);

test('an index of a site that answers under another name stays as it is', async () => {
  await using lab = await openLab(PAGES);
  const mirror = join(lab.folder, 'mirror');
  const run = () =>
    tidings('sync', lab.url, '--to', `dir:${mirror}`, '--state', join(lab.folder, 'state'), ...lab.common);
  expect((await run()).code).toBe(0);
  const files = () => readdirSync(mirror, { recursive: true }).toSorted();
  const before = files();
  lab.isAs('elsewhere.example');
  const stopped = await run();
  expect(stopped.code, stopped.stderr).toBe(4);
  expect(existsSync(mirror) && files()).toEqual(before);
});

test.each([
  ['its pages', PAGES],
  ['a feed', WITH_FEED],
])(
  'a site that was followed by %s and says nothing of what it said is a safety stop, in follow and in sync',
  async (_, pages) => {
    await using lab = await openLab(pages);
    const mirror = join(lab.folder, 'mirror');
    const follow = (...more: string[]) =>
      tidings('follow', lab.url, '--state', join(lab.folder, 'state.db'), ...lab.common, ...more);
    const sync = () =>
      tidings('sync', lab.url, '--to', `dir:${mirror}`, '--state', join(lab.folder, 'state'), ...lab.common);
    expect([(await follow()).code, (await sync()).code]).toEqual([0, 0]);
    const files = readdirSync(mirror, { recursive: true }).toSorted();
    lab.becomes({ '/': shop('Casino'), '/a': shop('Watches'), '/b': shop('Shoes'), '/c': shop('Coins') });
    const stopped = await follow();
    expect(stopped, stopped.stderr).toMatchObject({ code: 4, stdout: '' });
    expect(stopped.stderr).toMatch(/somebody else's/);
    const held = await sync();
    expect(held.code, held.stderr).toBe(4);
    expect(readdirSync(mirror, { recursive: true }).toSorted()).toEqual(files);
    const allowed = await follow('--allow-deletes');
    expect(allowed.code, allowed.stderr).toBe(0);
  },
);
