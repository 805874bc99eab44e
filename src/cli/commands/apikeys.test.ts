import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { keyLab } from '../../../test/support/key-lab.ts';
import { serveRoutes } from '../../../test/support/serve-routes.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { linesIn } from '../../../test/support/tidings-here.ts';
import { startHub } from '../../doors/hub.ts';
import { hashApiKey } from '../../hub/keys/api-key.ts';
import { createKeyRing } from '../../hub/keys/key-ring.ts';
import { openSqliteHubStore } from '../../io/sqlite/hub-store.ts';

/** The token that `serveRoutes` takes for the right one. */
const TOKEN = 'right-token';
const KEY = /^dd_live_[0-9A-Za-z]{32}$/;

/** `tidings apikeys …` with its data in a folder of its own. */
function terminal(env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const tidings = linesIn(env);
  const apikeys = (...args: string[]) => tidings('apikeys', ...args);
  return {
    folder,
    data: join(folder.path, 'data'),
    /** On the data folder. */
    local: (...args: string[]) => apikeys(...args, '--data', join(folder.path, 'data')),
    apikeys,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test('a life on a data folder: issue, list, revoke', async () => {
  using at = terminal();
  expect(await at.local('list')).toEqual({ code: 0, out: expect.stringContaining('no API key'), err: '' });
  const issued = await at.local('issue', '--label', 'ACME,\nsearch');
  expect(issued).toEqual({
    code: 0,
    out: expect.stringMatching(KEY),
    err: expect.stringMatching(/1000 requests.*hash/),
  });
  const more = await at.local('issue', '--tier', 'enterprise', '--json');
  const other = JSON.parse(more.out);
  expect([more.err, other]).toEqual([
    '',
    expect.objectContaining({ key: expect.stringMatching(KEY), tier: 'enterprise', hash: hashApiKey(other.key) }),
  ]);

  const prefix = issued.out.slice(0, 12);
  const listed = (await at.local('list')).out.split('\n');
  expect(listed[0]).toMatch(/^KEY +HASH +TIER +CREATED +STATE +LABEL$/);
  expect(listed[1]).toMatch(new RegExp(`^${prefix}… +[0-9a-f]{12} +pro +20.*Z +counts +ACME, search$`));
  expect(listed).toHaveLength(3);
  expect(listed.join()).not.toContain(issued.out);

  // As list shows it, with the dots.
  expect(await at.local('revoke', `${prefix}…`)).toEqual({ code: 0, out: `${prefix}…: revoked.`, err: '' });
  const again = await at.local('revoke', issued.out);
  expect(again).toMatchObject({ code: 3, out: '', err: expect.stringContaining(`called "${prefix}"`) });
  expect(again.err).not.toContain(issued.out);
  expect(JSON.parse((await at.local('revoke', other.hash, '--json')).out)).toMatchObject({ revoked_for: 'revoked' });
  expect(JSON.parse((await at.local('list', '--json')).out).keys).toMatchObject([
    { prefix, revoked_for: 'revoked', label: 'ACME,\nsearch' },
    { hash: other.hash, revoked_for: 'revoked' },
  ]);
});

clause(['DD-U8', 'DD-U10'], 'a key that was issued counts in the hub, of which it has only the hash', async () => {
  using at = terminal();
  const { out: key } = await at.local('issue');
  expect(key).toMatch(KEY);
  await using store = await openSqliteHubStore({ folder: at.data });
  expect((await createKeyRing(store.keys)).find(key)).toMatchObject({ hash: hashApiKey(key), tier: 'pro' });
  expect(at.folder.read('data/tidings.db')).not.toContain(key.slice(12));
});

test('the limits of the settings are said', async () => {
  using at = terminal();
  at.folder.write({ 'x.json': '{"data":"./data","limits":{"perMinute":{"free":5,"pro":7}}}' });
  const { out } = await at.apikeys('issue', '--json', '--config', join(at.folder.path, 'x.json'));
  expect(JSON.parse(out).limit_per_minute).toBe(7);
});

test.each<[string, string[], number, RegExp]>([
  ['nothing', [], 2, /Usage: tidings apikeys/],
  ['an unknown verb', ['isue'], 2, /unknown command 'isue'/],
  ['the free tier', ['issue', '--tier', 'free'], 2, /pro, enterprise/],
  ['an empty label', ['issue', '--label', ''], 2, /label "" is refused/],
  ['no key', ['revoke'], 2, /missing required argument/],
  ['an unknown key', ['revoke', 'dd_live_0000'], 3, /No API key that counts is called "dd_live_0000"/],
  ['no hub', ['list', '--hub', '127.0.0.1:8080'], 2, /--hub "127/],
])('%s is one complaint and nothing on stdout: %j', async (_, args, code, message) => {
  using at = terminal();
  const [verb, ...rest] = args;
  const ended = verb === undefined ? await at.apikeys() : await at.apikeys(verb, '--data', at.data, ...rest);
  expect(ended).toEqual({ code, out: '', err: expect.stringMatching(message) });
});

test('every verb has help with an example', async () => {
  using at = terminal();
  for (const verb of ['issue', 'list', 'revoke', 'usage']) {
    const { code, out } = await at.apikeys(verb, '--help');
    expect([code, out]).toEqual([0, expect.stringContaining(`$ tidings apikeys ${verb}`)]);
  }
});

test('beside a hub that runs: looking goes on, changing asks for its address', async () => {
  using at = terminal();
  const { out: key } = await at.local('issue');
  await using _hub = await startHub({ port: 0, data: at.data }, { base: at.folder.path });
  for (const args of [['issue'], ['revoke', key]]) {
    expect(await at.local(...args)).toEqual({
      code: 2,
      out: '',
      err: `tidings: A hub is running on ${at.data}. Give --hub <its address> and TIDINGS_TOKEN.`,
    });
  }
  expect(await at.local('list')).toMatchObject({ code: 0, out: expect.stringContaining(key.slice(0, 12)) });
});

test('the same through a hub that runs', async () => {
  using at = terminal({ TIDINGS_TOKEN: TOKEN });
  const { routes, keys } = await keyLab();
  const { server, logged } = await serveRoutes(routes, { logRequests: true });
  const apikeys = (...args: string[]) => at.local(...args, '--hub', server.url);
  const { out: key } = await apikeys('issue', '--tier', 'enterprise', '--label', 'ACME');
  expect(keys.find(key)).toMatchObject({ tier: 'enterprise', label: 'ACME' });
  expect((await apikeys('list')).out).toMatch(/enterprise .* counts +ACME$/m);
  expect(await apikeys('revoke', 'dd_live_0000')).toMatchObject({
    code: 3,
    err: expect.stringContaining('No API key'),
  });
  expect(await apikeys('issue', '--label', 'x'.repeat(201))).toMatchObject({ code: 2, out: '' });
  // Named by itself, a key is sent as its hash: addresses are logged.
  expect(await apikeys('revoke', key)).toMatchObject({ code: 0, out: `${key.slice(0, 12)}…: revoked.` });
  expect(keys.find(key)).toBeUndefined();
  expect(JSON.stringify(logged)).toContain(hashApiKey(key));
  expect(JSON.stringify(logged)).not.toContain(key);

  using stranger = terminal({ TIDINGS_TOKEN: 'wrong-token-of-a-stranger' });
  const refused = await stranger.local('issue', '--hub', server.url);
  expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('token is missing or wrong') });
});

test('usage: every key in a table, one key by its days, the same from a folder and from a hub', async () => {
  using at = terminal({ TIDINGS_TOKEN: TOKEN });
  expect(await at.local('usage')).toMatchObject({ code: 0, out: expect.stringContaining('no API key') });
  const { routes, folder, usage, issue, keys, time } = await keyLab();
  time.nowMs = Date.now();
  const now = new Date(time.nowMs).toISOString();
  const { server } = await serveRoutes(routes);
  const { key } = await issue('enterprise');
  const record = keys.find(key);
  if (record === undefined) throw new Error('The key counts.');
  usage.answered(record.hash);
  usage.sent(record.hash, 1234);
  await usage.flush();
  usage.refused(record.hash);
  const prefix = key.slice(0, 12);
  const local = await at.apikeys('usage', '--data', folder.path);
  expect(local.out).toMatch(new RegExp(`${prefix}… .* enterprise +1 +1234 +0 +${now.slice(0, 19)}Z$`, 'm'));
  const asked = async (...args: string[]) => (await at.local('usage', ...args, '--hub', server.url)).out;
  expect(await asked()).toMatch(/enterprise +1 +1234 +1 +20/);
  expect((await asked(key)).split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
    `${prefix}… (enterprise), last used ${now.slice(0, 19)}Z`,
    'DAY REQUESTS BYTES REFUSED',
    `${now.slice(0, 10)} 1 1234 1`,
    'total 1 1234 1',
  ]);
  expect(JSON.parse(await asked(`${prefix}…`, '--json'))).toMatchObject({
    days: [{ date: now.slice(0, 10), refused: 1 }],
  });
  expect(await at.local('usage', 'dd_live_0000', '--hub', server.url)).toMatchObject({ code: 3, out: '' });
});
