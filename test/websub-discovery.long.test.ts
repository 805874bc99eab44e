import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeWebFeed } from '../src/codecs/atom/decode-feed.ts';
import { clause } from './clause.ts';
import { type TestFolder, temporaryFolder } from './support/site.ts';
import { openWebSubLab, PATIENCE, type WebSubLab } from './support/websub-lab.ts';
import { startSubscriber } from './support/websub-subscriber.ts';
import { validAtom } from './support/xml-validity.ts';

const BASE = 'https://hub.example/tidings/';
const TOPICS = ['changes.atom', 'atom/docs.atom', 'ai-changes.ndjson', 'aicf/docs.ndjson', 'aicf/blog.ndjson'];
let folder: TestFolder;
let lab: WebSubLab;

beforeAll(async () => {
  folder = temporaryFolder();
  lab = await openWebSubLab({ folder: folder.path, settings: { baseUrl: BASE } });
  for (let times = 0; times < 51; times += 1) await lab.change();
});

afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function linksOf(path: string): string {
  return `<${BASE}hub>; rel="hub", <${BASE}${path}>; rel="self"`;
}

/** Each line of the header by itself. */
function linkLines(path: string, method: string, headers: Record<string, string> = {}): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const asking = request(new URL(path, lab.url), { method, headers }, (response) => {
      response.resume();
      const { rawHeaders } = response;
      resolve(
        rawHeaders.flatMap((name, at) =>
          at % 2 === 0 && name.toLowerCase() === 'link' ? [rawHeaders[at + 1] ?? ''] : [],
        ),
      );
    });
    asking.on('error', reject);
    asking.end();
  });
}

clause(
  ['WS-D1', 'WS-D2', 'WS-D3'],
  'every feed names the hub and itself in one header, for GET, HEAD and nothing new',
  async () => {
    for (const path of TOPICS) {
      await expect.poll(() => linkLines(path, 'GET'), PATIENCE).toEqual([linksOf(path)]);
      expect(await linkLines(path, 'HEAD')).toEqual([linksOf(path)]);
      const { headers } = await lab.get(path, { headers: { 'accept-encoding': 'identity' } });
      const known = { 'if-none-match': headers.get('etag') ?? '', 'accept-encoding': 'identity' };
      expect((await lab.get(path, { headers: known })).status).toBe(304);
      expect(await linkLines(path, 'GET', known)).toEqual([linksOf(path)]);
    }
  },
);

clause('WS-D4', 'an Atom feed has both links at its own level, and no archive has one', async () => {
  await expect.poll(async () => (await lab.get('changes/_archive/1.atom')).status, PATIENCE).toBe(200);
  for (const path of ['changes.atom', 'atom/docs.atom']) {
    const text = await (await lab.get(path)).text();
    expect(await validAtom(text)).toEqual([]);
    const head = text.slice(0, text.indexOf('<entry>'));
    expect(head.match(/<link rel="hub" href="([^"]+)"\/>/g)).toEqual([`<link rel="hub" href="${BASE}hub"/>`]);
    expect(head.match(/<link rel="self" [^>]*href="([^"]+)"/)?.[1]).toBe(BASE + path);
    expect(text.slice(head.length)).not.toContain('rel="hub"');
    const decoded = decodeWebFeed(text, { url: BASE + path });
    expect(decoded.ok && decoded.value.hubUrls).toEqual([`${BASE}hub`]);
  }
  for (const path of ['changes/_archive/1.atom', 'atom/docs/_archive/1.atom']) {
    const answer = await lab.get(path);
    expect([answer.status, answer.headers.get('link')]).toEqual([200, null]);
    expect(await answer.text()).not.toContain('rel="hub"');
  }
});

clause('WS-D6', 'the address of a feed has one representation, whatever is asked for', async () => {
  for (const path of TOPICS) {
    const answers = await Promise.all(
      ['*/*', 'text/html', 'application/json'].map(async (accept) => {
        const answer = await lab.get(path, { headers: { accept, 'accept-language': 'de' } });
        return [answer.headers.get('content-type'), answer.headers.get('link'), await answer.text()];
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  }
});

clause('WS-T4', 'an address of https is named as such, and one of http is warned of', async () => {
  expect((await lab.list()).warning).toBeUndefined();
  expect(lab.logged.filter(({ level }) => level === 'warn')).toEqual([]);
  using other = temporaryFolder();
  await using plain = await openWebSubLab({ folder: other.path, settings: { baseUrl: 'http://hub.example/' } });
  expect((await plain.list()).warning).toContain('not https');
  expect(plain.logged.filter(({ level }) => level === 'warn')).toHaveLength(1);
});

test('where there is no hub, feeds name none', async () => {
  using other = temporaryFolder();
  await using without = await openWebSubLab({ folder: other.path, settings: { websubHub: { enabled: false } } });
  await without.change();
  await expect.poll(async () => (await without.get('changes.atom')).text(), PATIENCE).toContain('<entry>');
  expect((await without.get('changes.atom')).headers.get('link')).toBeNull();
  expect(await (await without.get('changes.atom')).text()).not.toContain('rel="hub"');
  expect((await without.post({})).status).toBe(404);
});

test('what a subscriber finds is what it subscribes to, also behind a path of a proxy', async () => {
  await using reader = await startSubscriber();
  await lab.subscribe('atom/docs.atom', reader.url('/cb'));
  await lab.change();
  await expect.poll(() => reader.delivered('/cb').length, PATIENCE).toBe(1);
  expect(reader.delivered('/cb')[0]?.headers.link).toBe(linksOf('atom/docs.atom'));
});

test('a ping has the source read whose page or feed it names, and nothing else', async () => {
  const ping = async (...urls: string[]) => {
    const body = ['hub.mode=publish', ...urls.map((url) => `hub.url=${encodeURIComponent(url)}`)].join('&');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await lab.get('hub', { method: 'POST', body, headers });
    return { code: answer.status, text: await answer.text() };
  };
  const { hastened } = lab.watch;
  hastened.length = 0;
  expect((await ping('https://docs.example/some/page', 'https://docs.example/other')).code).toBe(202);
  expect(new Set(hastened)).toEqual(new Set(['docs']));
  hastened.length = 0;
  expect((await ping(`${BASE}changes.atom`)).code).toBe(202);
  expect(await ping('https://nobody.example/')).toEqual({ code: 404, text: expect.stringContaining('nobody.example') });
  expect(hastened).toEqual([]);
  const mixed = await ping('https://nobody.example/', 'https://blog.example/new');
  expect(mixed).toEqual({ code: 202, text: expect.stringContaining('1 of 2 taken') });
  hastened.length = 0;
  lab.time.skip(61_000);
  expect(new Set(hastened), 'a page may come later than its ping').toEqual(new Set(['docs', 'blog']));
});

test('who pings and then changes is looked at once', async () => {
  const { hastened } = lab.watch;
  hastened.length = 0;
  await lab.post({ 'hub.mode': 'publish', 'hub.topic': 'https://blog.example/x' });
  await lab.change('blog');
  lab.time.skip(61_000);
  expect(hastened).toEqual(['blog']);
});
