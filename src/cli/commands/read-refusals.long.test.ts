import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { agentFeedOrigin } from '../../../test/support/agent-feed-origin.ts';
import { readLab } from '../../../test/support/read-lab.ts';
import { tidingsHere } from '../../../test/support/tidings-here.ts';
import { startTlsSite } from '../../../test/support/tls-site.ts';
import { createReader } from '../../doors/agent-feed.ts';

test('a pause is said to be the origin’s, and --refresh is not offered against it', async () => {
  const { api, read } = await readLab(tidingsHere);
  api.put('/.well-known/agent-feed.xml', { status: 429, headers: { 'retry-after': '120' } });
  const limited = await read('--state', '--json');
  for (const more of [[], ['--refresh']]) {
    const { code, json, stderr } = await read('--state', '--json', ...more);
    expect([code, json.polled, json.pausedUntil]).toEqual([3, false, limited.json.pausedUntil]);
    expect(stderr).toContain(`a pause until ${json.pausedUntil}`);
    expect(stderr).not.toContain('--refresh');
  }
  expect(Date.parse(String(limited.json.pausedUntil)) - Date.now()).toBeGreaterThan(100_000);
});

clause(['AF-K3', 'AF-K5'], 'a key of 34 bytes counts only where the operator says so', async () => {
  const { api, read } = await readLab(tidingsHere);
  api.publish({ entries: [api.announcement('orders-api')] });
  const did = JSON.parse(api.didText()) as { verificationMethod: { publicKeyMultibase: string }[] };
  const raw = Buffer.from(did.verificationMethod[0]?.publicKeyMultibase.slice(1) ?? '', 'base64url');
  const tagged = `u${Buffer.concat([Buffer.from('ed01', 'hex'), raw]).toString('base64url')}`;
  const [method] = did.verificationMethod;
  api.put('/.well-known/did.json', {
    body: JSON.stringify({ ...did, verificationMethod: [{ ...method, publicKeyMultibase: tagged }] }),
  });
  const refused = await read('--json');
  expect(refused).toMatchObject({ code: 3, json: { applied: 0, events: [{ event: 'key-unresolvable' }] } });
  expect(refused.stderr).toContain('--accept-multicodec-keys');
  expect(await read('--json', '--accept-multicodec-keys')).toMatchObject({ code: 0, json: { applied: 1 } });
});

test('plain http is refused, except with --insecure on this machine', async () => {
  await using site = await startTlsSite();
  const api = agentFeedOrigin(site, '127.0.0.1');
  api.publish({ entries: [api.announcement('orders-api')] });
  const plain = `http://127.0.0.1:${site.port}`;
  expect(await tidingsHere('read', plain, '--allow-private')).toMatchObject({ code: 2, stdout: '' });
  const elsewhere = await tidingsHere('read', 'http://api.example', '--insecure', '--allow-private');
  expect(elsewhere).toMatchObject({ code: 2, stdout: '' });
  expect(elsewhere.stderr).toContain('this machine alone');
  expect(site.asked).toEqual([]);
  const read = await tidingsHere('read', plain, '--insecure', '--json');
  expect(read.code).toBe(0);
  expect(JSON.parse(read.stdout)).toMatchObject({ origin: plain, applied: 1 });
});

test('an address of this machine is not asked without --allow-private', async () => {
  const { api, ca } = await readLab(tidingsHere);
  const { site } = api;
  const { code, stdout } = await tidingsHere('read', api.origin, '--ca', ca, '--json');
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ events: [{ event: 'did-unreachable' }] });
  expect(site.asked).toEqual([]);
});

test('what a user gets wrong is 2, before anybody is asked', async () => {
  const { api, file } = await readLab(tidingsHere);
  const { site } = api;
  const shape = await file('shape.json', { '/a': 'string' });
  const broken = await file('broken.json', undefined);
  const wrong = [
    [],
    ['api.example'],
    ['ftp://api.example'],
    ['https://user:secret@api.example'],
    [api.origin, '--at', 'yesterday'],
    [api.origin, '--observe', 'orders-api'],
    [api.origin, '--observe', 'orders-api', 'no-such-file.json'],
    [api.origin, '--observe', 'orders-api', broken],
    [api.origin, '--observe', 'orders-api', shape, '--baseline', 'no-such-file.json'],
    [api.origin, '--baseline', shape],
    [api.origin, '--resolve', ''],
    [api.origin, '--canonical', ''],
    [api.origin, '--resolve', 'a', '--resolve', 'b'],
    [api.origin, '--canonical', 'a', '--canonical', 'b'],
    [api.origin, '--observe', '', shape],
    [api.origin, '--timeout', '0'],
    [api.origin, '--no-such-option'],
    [api.origin, '--ca', 'no-such-file.pem'],
  ];
  const results = await inTurn(wrong, (args) => tidingsHere('read', ...args, '--allow-private', '--json'));
  for (const [at, { code, stdout, stderr }] of results.entries()) {
    expect(code, wrong[at]?.join(' ')).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toContain('secret');
  }
  expect(site.asked).toEqual([]);
});

test('the path of a URL does not count, and that is said unless it is that of the feed', async () => {
  const { api, read, ca } = await readLab(tidingsHere);
  api.publish({ entries: [api.announcement('orders-api')] });
  const feed = await tidingsHere('read', api.feedUrl, '--ca', ca, '--allow-private', '--json');
  expect(feed).toMatchObject({ code: 0, stderr: '' });
  const docs = await tidingsHere('read', `${api.origin}/docs?x=1`, '--ca', ca, '--allow-private', '--json');
  expect(docs.code).toBe(0);
  expect(docs.stderr).toContain('/docs?x=1 does not count');
  expect(JSON.parse(docs.stdout).origin).toBe(api.origin);
  expect((await read('--json')).stderr).toBe('');
});

test('an origin may stand behind --observe too', async () => {
  const { api, file, ca } = await readLab(tidingsHere);
  api.publish({ entries: [api.announcement('orders-api')] });
  const shape = await file('shape.json', { '/a': 'string' });
  const { code } = await tidingsHere(
    'read',
    '--allow-private',
    '--ca',
    ca,
    '--observe',
    'orders-api',
    shape,
    api.origin,
  );
  expect(code).toBe(0);
});

test('a state that another reader holds is read beside it, which is enough until the next poll', async () => {
  const { api, read, ca, folder } = await readLab(tidingsHere);
  api.publish({ entries: [api.announcement('orders-api')] });
  await using other = createReader({ state: join(folder, 'reader.db'), ca, allowPrivate: true });
  await other.ingest(api.origin);
  const asked = api.site.asked.length;
  const [early, late] = await Promise.all([read('--state', '--json'), read('--state', '--json', '--refresh')]);
  expect(early).toMatchObject({ code: 0, json: { polled: false, endpoints: [{ endpointId: 'orders-api' }] } });
  expect(late).toMatchObject({ code: 3, json: { polled: false, endpoints: [{ endpointId: 'orders-api' }] } });
  expect(late.json.problem).toContain('in use by another reader');
  expect(api.site.asked).toHaveLength(asked);
});

test('a state that is not ours is refused with 3 and stays as it is', async () => {
  const { api, file, ca, folder } = await readLab(tidingsHere);
  const state = await file('notes.txt', 'these are my notes');
  const before = await readFile(state);
  const { code, stderr } = await tidingsHere('read', api.origin, '--state', state, '--ca', ca, '--allow-private');
  expect(code).toBe(3);
  expect(stderr).toContain('notes.txt');
  expect(stderr).toContain('who is not trusted');
  expect(await readFile(state)).toEqual(before);
  const nowhere = join(folder, 'nowhere', 'reader.db');
  const missing = await tidingsHere('read', api.origin, '--state', nowhere, '--ca', ca, '--allow-private');
  expect(missing).toMatchObject({ code: 3, stdout: '' });
  expect(missing.stderr).toContain(join(folder, 'nowhere'));
});

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
