import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageOf, startLiveSite } from '../../../test/support/live-site.ts';
import { operate } from '../../../test/support/operator.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { createTestAuthority } from '../../../test/support/test-ca.ts';
import { startTlsSite } from '../../../test/support/tls-site.ts';
import type { Diagnosis } from '../../doors/diagnosis.ts';
import { examineMachine } from '../../doors/doctor.ts';
import { startHub } from '../../doors/hub.ts';
import { openRawDatabase } from '../../io/sqlite/database.ts';
import { checkDatabase } from '../../io/sqlite/examination.ts';
import { openSqliteHubStore } from '../../io/sqlite/hub-store.ts';

const PAGE_BYTES = 4096;
const DRAFT = { source: 'docs', action: 'update', url: 'https://docs.example/' } as const;

/** A folder with a config and what `doctor` says of it. */
function patient(settings: object = {}, env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const config = join(folder.path, 'tidings.config.json');
  folder.write({ 'tidings.config.json': JSON.stringify({ port: 0, ...settings }) });
  return {
    folder,
    data: join(folder.path, 'data'),
    configure: (others: object) => folder.write({ 'tidings.config.json': JSON.stringify(others) }),
    async examine(...args: string[]) {
      const { code, out } = await operate(['doctor', '--json', '--config', config, ...args], env);
      const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Diagnosis[] };
      expect(ok).toBe(code === 0);
      for (const { level, remedy } of checks) expect(remedy !== undefined).toBe(level !== 'ok');
      const bad = checks.filter(({ level }) => level !== 'ok').map(({ check, level }) => `${level} ${check}`);
      return { code, bad, says: (name: string) => checks.find(({ check }) => check === name)?.says };
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

async function seed(data: string, { changes = 1, now = Date.now } = {}): Promise<void> {
  await using store = await openSqliteHubStore({ folder: data, now });
  await store.commit({ source: 'docs', drafts: Array.from({ length: changes }, () => DRAFT) });
}

test('where everything is well it says so, one line a check, and exits with 0', async () => {
  using at = patient();
  await seed(at.data);
  const { code, out } = await operate(['doctor', '--data', at.data, '--port', '0']);
  expect(code).toBe(0);
  expect(out).toMatch(/^ok {4}node {10}Node v\d/m);
  expect(out).toMatch(/^ok {4}sqlite {8}SQLite 3\.\d+\.\d+ by /m);
  expect(out).toMatch(/^ok {4}database {6}Its format is known; 1 changes, 0 sources\.$/m);
  expect(out).toMatch(/^ok {4}integrity/m);
  expect(out.split('\n').at(-1)).toMatch(/ 0 fail\.$/);
});

test('before the first start nothing is missing', async () => {
  using at = patient();
  const { code, bad, says } = await at.examine();
  expect([code, bad]).toEqual([0, []]);
  expect(says('data')).toMatch(/the first start makes it/);
  expect(at.folder.fingerprint()).toEqual({ 'tidings.config.json': expect.anything() });
});

test('a config or a token that is refused is exit 2, and what needs no config is still looked at', async () => {
  using at = patient({ prot: 80 });
  const refused = await at.examine();
  expect([refused.code, refused.bad]).toEqual([2, ['fail config']]);
  expect(refused.says('config')).toContain('prot');
  expect(refused.says('sqlite')).toBeDefined();
  expect(refused.says('data')).toBeUndefined();
  using withToken = patient({}, { TIDINGS_TOKEN_FILE: '/nowhere/token' });
  expect(await withToken.examine()).toMatchObject({ code: 2, bad: ['fail token'] });
  using withAuthority = patient({ ca: './none.pem' });
  expect(await withAuthority.examine()).toMatchObject({ code: 2, bad: ['fail ca'] });
  expect((await operate(['doctor', '--config', join(at.folder.path, 'none.json')])).code).toBe(2);
  expect((await operate(['doctor', '--url', 'nonsense'])).code).toBe(2);
});

test('a hub that runs on the folder is fine; one that runs elsewhere, or another program on the port, is not', async () => {
  using at = patient();
  using other = patient();
  await using hub = await startHub({ port: 0, data: at.data });
  const port = Number(new URL(hub.url).port);
  at.configure({ port });
  const running = await at.examine();
  expect([running.code, running.bad]).toEqual([0, []]);
  expect(running.says('lock')).toMatch(/A hub runs on it/);
  expect(running.says('port')).toMatch(/The hub that runs answers/);
  other.configure({ port });
  expect(await other.examine()).toMatchObject({ code: 3, bad: ['fail port'] });
  at.configure({ port: 0 });
  const program = createServer((_, response) => response.end('{}'));
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
  other.configure({ port: (program.address() as AddressInfo).port });
  const taken = await other.examine();
  expect([taken.bad, taken.says('port')]).toEqual([['fail port'], expect.stringMatching(/taken by another program/)]);
  program.close();
  program.closeAllConnections();
  other.configure({ host: '192.0.2.1', port });
  expect((await other.examine()).says('port')).toMatch(/no address of this machine/);
});

test('a damaged database, one of something else and one of a later Tidings are told apart', async () => {
  using at = patient();
  await seed(at.data, { changes: 500 });
  const file = join(at.data, 'tidings.db');
  const bytes = readFileSync(file);
  at.folder.write({
    'data/tidings.db': Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(bytes.length - 8192, 7)]),
  });
  expect((await at.examine()).bad).toEqual(
    expect.arrayContaining([expect.stringMatching(/^fail (integrity|database)$/)]),
  );
  at.folder.write({ 'data/tidings.db': 'no database '.repeat(1000) });
  expect(await at.examine()).toMatchObject({ code: 3, bad: ['fail database'] });
  at.folder.write({ 'data/tidings.db': bytes });
  const database = await openRawDatabase(file);
  database.exec('PRAGMA user_version = 99');
  database.close();
  expect((await at.examine()).says('database')).toMatch(/format 99.*Upgrade/);
});

test('a check of the database ends in time', async () => {
  using at = patient();
  await seed(at.data);
  expect(await checkDatabase(at.data, 10_000)).toEqual({ is: 'sound' });
  expect(await checkDatabase(at.data, 1)).toMatchObject({ is: 'undone', because: expect.stringContaining('longer') });
  expect(await checkDatabase(join(at.data, 'none'), 10_000)).toMatchObject({ is: 'undone' });
});

test('a page that is lost is found, and so is one that nothing uses', async () => {
  using at = patient();
  await seed(at.data, { changes: 5000 });
  const bytes = readFileSync(join(at.data, 'tidings.db'));
  const middle = Math.floor(bytes.length / 2 / PAGE_BYTES) * PAGE_BYTES;
  const lost = Buffer.from(bytes).fill(0, middle, middle + PAGE_BYTES);
  at.folder.write({ 'data/tidings.db': lost });
  expect(await checkDatabase(at.data, 10_000)).toMatchObject({ is: 'damaged' });
  expect(await at.examine()).toMatchObject({ code: 3, bad: ['fail integrity'] });
  const more = Buffer.concat([bytes, Buffer.alloc(PAGE_BYTES)]);
  // https://sqlite.org/fileformat.html §1.3.7: the size of the database in pages.
  more.writeUInt32BE(more.length / PAGE_BYTES, 28);
  using other = patient();
  other.folder.write({ 'data/tidings.db': more });
  expect(await checkDatabase(other.data, 10_000)).toMatchObject({
    is: 'damaged',
    faults: [expect.stringMatching(/never used/)],
  });
  expect(await other.examine()).toMatchObject({ code: 3, bad: ['fail integrity'] });
});

test('a clock behind the log, a file in place of the folder, and names that do not resolve', async () => {
  using at = patient();
  await seed(at.data, { now: () => Date.now() + 3600_000 });
  const behind = await at.examine();
  expect([behind.code, behind.bad]).toEqual([0, ['warn clock']]);
  expect(behind.says('clock')).toMatch(/60 minutes from now/);
  at.configure({ port: 0, data: './tidings.config.json' });
  expect(await at.examine()).toMatchObject({ code: 3, bad: ['fail data'] });
  at.configure({ port: 0, data: './new', sources: [{ id: 'x', kind: 'page', url: 'https://nothing.invalid/' }] });
  expect(await at.examine()).toMatchObject({ code: 3, bad: ['fail dns'] });
});

test('--url says how far a fetch comes', async () => {
  await using site = await startLiveSite({ '/': pageOf('Home'), '/robots.txt': 'User-agent: *\nDisallow: /secret' });
  using closed = patient();
  expect(await closed.examine('--url', site.url)).toMatchObject({ code: 3, bad: ['fail url: address'] });
  using open = patient({ allowPrivate: true, cooldownMs: 0 });
  const { code, bad, says } = await open.examine('--url', site.url);
  expect([code, bad, says('url: answer')]).toEqual([0, [], 'It answers with status 200.']);
  expect(await open.examine('--url', `${site.url}secret`)).toMatchObject({ code: 3, bad: ['fail url: robots'] });
  expect(await open.examine('--url', `${site.url}none`)).toMatchObject({ code: 0, bad: ['warn url: answer'] });
  const authority = createTestAuthority();
  await using secure = await startTlsSite(authority.issue('localhost'));
  secure.put('localhost', '/', { body: 'Home' });
  const url = `https://localhost:${secure.port}/`;
  expect(await open.examine('--url', url)).toMatchObject({ code: 3, bad: ['fail url: tls'] });
  open.folder.write({ 'ca.pem': authority.cert });
  const trusting = await open.examine('--url', url, '--ca', join(open.folder.path, 'ca.pem'));
  expect([trusting.bad, trusting.says('url: tls')]).toEqual([[], 'The certificate is good.']);
  expect(await open.examine('--url', 'https://nothing.invalid/')).toMatchObject({ code: 3, bad: ['fail url: name'] });
});

test('a Node that is too old is one that package.json does not take', async () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  const levels: string[] = [];
  for (const version of ['v20.18.3', 'v20.19.0', 'v22.1.0', 'v18.20.8']) {
    for await (const { check, level } of examineMachine(version)) if (check === 'node') levels.push(level);
  }
  expect([engines.node, ...levels]).toEqual(['>=20.19', 'fail', 'ok', 'ok', 'fail']);
});
