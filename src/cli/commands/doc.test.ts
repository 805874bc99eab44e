import { join } from 'node:path';
import { expect, test } from 'vitest';
import { htmlPage, temporaryFolder } from '../../../test/support/site.ts';
import { respond, startOriginServer } from '../../../test/torture/origin-server.ts';
import { run } from '../run.ts';

const PAGE = htmlPage('Limits', [
  { id: 'tiers', heading: 'Tiers', text: 'There are two tiers, and they are counted.' },
]);

test.each<[string, string[], number, RegExp]>([
  ['a file without --url', ['page.html'], 2, /--url/],
  ['a file that is not there', ['missing.html', '--url', 'https://docs.example/'], 3, /no such file/],
  ['a folder', ['.', '--url', 'https://docs.example/'], 3, /is a folder/],
  ['a file that is no page', ['image.html', '--url', 'https://docs.example/'], 3, /no page that can be read/],
  ['a file that refreshes', ['page.html', '--url', 'https://docs.example/', '--refresh'], 2, /--refresh/],
  ['a file that renders', ['page.html', '--url', 'https://docs.example/', '--render'], 2, /--render/],
  ['a file with a URL that is none', ['page.html', '--url', 'docs'], 2, /no URL/],
  ['a URL with a URL', ['https://docs.example/', '--url', 'https://docs.example/'], 2, /--url is for a file/],
  ['another scheme', ['ftp://docs.example/'], 2, /https:\/\//],
  ['a password', ['https://me:secret@docs.example/'], 2, /user name or a password/],
  ['no time', ['https://docs.example/', '--timeout', '0'], 2, /seconds/],
  ['two forms', ['https://docs.example/', '--json', '--markdown'], 2, /--json/],
  ['a private address', ['http://127.0.0.1:9/'], 2, /--allow-private/],
  ['nothing', [], 2, /missing required argument/],
])('%s ends with one complaint and nothing on stdout', async (_, args, code, message) => {
  using folder = temporaryFolder();
  folder.write({ 'page.html': PAGE, 'image.html': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1, 2) });
  const placed = args.map((arg) => (/^(?:\w+\.html|\.)$/.test(arg) ? join(folder.path, arg) : arg));
  const { printed, complaints, ...ended } = await doc(...placed, '--cache', join(folder.path, 'cache'));
  expect({ ...ended, printed }).toEqual({ code, printed: [] });
  expect(complaints.join('\n')).toMatch(message);
  expect(complaints.join('\n')).not.toContain('secret');
});

test.each<[string, number, Record<string, string>, string, RegExp]>([
  ['robots.txt', 200, {}, 'User-agent: *\nDisallow: /', /robots\.txt .* forbids/],
  ['a wall', 403, {}, '', /not public.*403/],
  ['a page that is gone', 404, {}, '', /no page.*404/],
  ['a busy origin', 503, {}, '', /503/],
  ['a PDF', 200, { 'content-type': 'application/pdf' }, '', /application\/pdf/],
  ['a page of scripts', 200, { 'content-type': 'text/html' }, '', /no readable content.*--render/],
])('%s: exit 3, one line, nothing on stdout', async (_, status, headers, robots, message) => {
  await using server = await startOriginServer((socket, { path }) => {
    if (path === '/robots.txt') return respond(socket, robots === '' ? { status: 404 } : { body: robots });
    respond(socket, { status, headers, body: '<html><body><div id="app"></div></body></html>' });
  });
  using cache = temporaryFolder();
  const result = await doc(`${server.origin}page`, '--allow-private', '--cache', cache.path);
  expect(result).toEqual({ code: 3, printed: [], complaints: [expect.stringMatching(message)] });
  expect(server.requests.map(({ path }) => path)).toEqual(robots === '' ? ['/robots.txt', '/page'] : ['/robots.txt']);
});

test('who runs it stands in the User-Agent: as the config says, unless a flag says otherwise', async () => {
  await using server = await startOriginServer((socket, { path }) =>
    respond(socket, path === '/robots.txt' ? { status: 404 } : { status: 410 }),
  );
  using cache = temporaryFolder();
  const config = '{"botUrl":"https://lab.example/bot","cooldownMs":0}';
  const local = ['--allow-private', '--cache', cache.path];
  await docWith(config, `${server.origin}page`, ...local);
  await docWith(config, `${server.origin}page`, ...local, '--bot-url', 'https://other.example/bot');
  expect(server.requests.map(({ headers }) => headers['user-agent'])).toEqual([
    ...Array(2).fill('AIWebIndex/2.0 (+https://lab.example/bot; tidings)'),
    ...Array(2).fill('AIWebIndex/2.0 (+https://other.example/bot; tidings)'),
  ]);
});

test('rules leave elements out, of a file and of a page; a copy that was read by other rules is not handed out', async () => {
  using folder = temporaryFolder();
  const page = '<main><h1>Limits</h1><p>Ten a day.</p><p class="extra">Buy.</p></main>';
  folder.write({ 'page.html': page });
  const file = [join(folder.path, 'page.html'), '--url', 'https://docs.example/', '--markdown'];
  expect((await doc(...file, '--ignore', '.extra')).printed).toEqual(['# Limits\n\nTen a day.']);
  expect((await docWith('{"only":[".extra"]}', ...file)).printed).toEqual(['Buy.']);
  expect(await doc(...file, '--only', '.extra:first-child')).toMatchObject({
    code: 2,
    complaints: [expect.stringContaining('only ".extra:first-child" is refused.')],
  });

  await using server = await startOriginServer((socket, { path }) => {
    if (path === '/robots.txt') return respond(socket, { status: 404 });
    respond(socket, { headers: { 'content-type': 'text/html', 'cache-control': 'max-age=600' }, body: page });
  });
  const live = [`${server.origin}page`, '--allow-private', '--cooldown', '0', '--cache', folder.path, '--markdown'];
  expect((await doc(...live)).printed).toEqual(['# Limits\n\nTen a day.\n\nBuy.']);
  // A path chooses no part of the one page that was asked for.
  const ruled = [...live, '--ignore', '.extra', '--ignore', '/page'];
  for (const _ of [1, 2]) expect((await doc(...ruled)).printed).toEqual(['# Limits\n\nTen a day.']);
  expect(server.requests.filter(({ path }) => path === '/page')).toHaveLength(2);
});

interface Ended {
  readonly code: number;
  readonly printed: readonly string[];
  readonly complaints: readonly string[];
}

async function doc(...args: string[]): Promise<Ended> {
  return await docWith('{}', ...args);
}

/** The same in a folder with this tidings.config.json. */
async function docWith(config: string, ...args: string[]): Promise<Ended> {
  const printed: string[] = [];
  const complaints: string[] = [];
  const world = {
    env: {},
    config: { file: 'tidings.config.json', folder: '/', value: JSON.parse(config) },
    isTerminal: false,
    version: '0.0.0',
    signal: new AbortController().signal,
    print: async (line: string) => void printed.push(line),
    complain: (line: string) => void complaints.push(line),
    status: () => {},
  };
  return { code: await run(['doc', ...args], world), printed, complaints };
}
