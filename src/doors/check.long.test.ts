import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { type FeedServerOptions, startFeedServer } from '../../test/support/feed-server.ts';
import { AICF_CLAUSES } from '../codecs/aicf/clauses.ts';
import { encodeDiscovery, encodeEvent } from '../codecs/aicf/encode.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { check, checkReport } from './check.ts';

const WELL_KNOWN = '/.well-known/ai-changefeed';
const NO_DOCUMENT = '/.well-known/tidings-no-such-document';
const ID = '01K35T3R0000000000000000';
const event = (end: string, url: string, fields: object = {}) =>
  encodeEvent({ id: ID + end, action: 'update', url, time: '2025-08-21T10:15:00Z', checksum: 'sha256:0', ...fields });

/** A good site on loopback: three pages, of which one was deleted. */
async function serveSite(options: FeedServerOptions = {}) {
  const server = await startFeedServer(options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { origin } = server;
  const discovery = (fields: object = {}) =>
    encodeDiscovery({ aicf_version: '0.1', self: `${origin}feed.ndjson`, ...fields });
  server.put(WELL_KNOWN, discovery());
  server.put(
    '/feed.ndjson',
    event('A0', `${origin}a`) +
      event('B0', `${origin}b`, { anchor: 'x' }) +
      event('C0', `${origin}c`, { action: 'delete' }),
  );
  for (const path of ['/a', '/b']) server.put(path, '<h1>Page</h1>');
  return { server, origin, discovery, found: () => check(origin, { allowPrivate: true }) };
}

async function makeFolder(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-check-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const DISCOVERY = encodeDiscovery({ aicf_version: '0.1', self: 'https://docs.example/feed.ndjson' });
const HEADERS = `${WELL_KNOWN}\n  Content-Type: application/json\n/feed.ndjson\n  Content-Type: application/x-ndjson\n`;
const FOLDER = {
  '.well-known/ai-changefeed': DISCOVERY,
  'feed.ndjson': event('A0', 'https://docs.example/a'),
  _headers: HEADERS,
};
const statusOf = (report: Awaited<ReturnType<typeof checkReport>>, id: string) =>
  report.clauses.find((verdict) => verdict.id === id)?.status;

test('a good live site has no findings; every clause is in the report', async () => {
  const { server, origin } = await serveSite();
  const report = await checkReport(origin, { allowPrivate: true });
  expect(report).toMatchObject({ target: origin, spec: 'aicf', findings: [] });
  expect(report.clauses.map(({ id }) => id)).toEqual(AICF_CLAUSES.map(({ id }) => id));
  expect(
    report.clauses.filter(({ status, reason }) => (status === 'not-checkable') !== (reason !== undefined)),
  ).toEqual([]);
  for (const id of ['AICF-D1', 'AICF-D2', 'AICF-F1', 'AICF-E3', 'AICF-H1', 'AICF-H2'])
    expect(statusOf(report, id)).toBe('pass');
  for (const id of ['AICF-C1', 'AICF-F2', 'AICF-P1']) expect(statusOf(report, id)).toBe('not-checkable');
  expect(server.takeRequests().map(({ path, status }) => [path, status])).toEqual([
    [WELL_KNOWN, 200],
    ['/.well-known/diffdelta.json', 404],
    ['/.well-known/resourcesync', 404],
    ['/.well-known/agent-feed.xml', 404],
    ['/.well-known/tidings/checkpoint', 404],
    ['/feed.ndjson', 200],
    ['/feed.ndjson', 304],
    ['/b', 200],
    ['/a', 200],
    [NO_DOCUMENT, 404],
  ]);
});

clause('AICF-D1', 'a site without a discovery document is a finding, not an error', async () => {
  const { server, origin, found } = await serveSite();
  server.remove(WELL_KNOWN);
  expect(await found()).toMatchObject([
    { clause: 'AICF-D1', where: `${origin}.well-known/ai-changefeed`, seen: 'The answer has status 404.' },
  ]);
});

clause('AICF-D1', 'a discovery document below the root is found and the feed read all the same', async () => {
  const { server, origin, discovery } = await serveSite();
  server.remove(WELL_KNOWN);
  server.put(`/docs${WELL_KNOWN}`, discovery());
  const report = await checkReport(`${origin}docs/`, { allowPrivate: true });
  expect(report.findings).toMatchObject([{ clause: 'AICF-D1', seen: expect.stringContaining('/docs/.well-known/') }]);
  expect(statusOf(report, 'AICF-E1')).toBe('pass');
});

test('the feed itself can be named when nothing points at it', async () => {
  const { server, origin } = await serveSite();
  server.remove(WELL_KNOWN);
  const report = await checkReport(`${origin}feed.ndjson`, { allowPrivate: true });
  expect(report.findings).toMatchObject([{ clause: 'AICF-D1' }]);
  expect(statusOf(report, 'AICF-E1')).toBe('pass');
});

/** A host of several feeds, as a hub is one: that of all is good, that of one source is not. */
async function serveHub() {
  const { server, origin, discovery } = await serveSite();
  server.put('/aicf/x.ndjson', 'x\n');
  server.put(`/aicf/x${WELL_KNOWN}`, discovery({ self: `${origin}aicf/x.ndjson` }));
  const wrongAt = async (path: string) => {
    const { findings } = await checkReport(origin + path, { allowPrivate: true });
    return findings.filter(({ clause: id }) => id === 'AICF-F4').map(({ where }) => where);
  };
  return { server, origin, discovery, wrongAt, wrong: [`${origin}aicf/x.ndjson:1`] };
}

test.each(['aicf/x.ndjson', 'aicf/x/', 'aicf/x/.well-known/ai-changefeed'])(
  'of a host with several feeds, %s is the one that is checked',
  async (path) => {
    const { server, origin, wrongAt, wrong } = await serveHub();
    expect(await wrongAt('')).toEqual([]);
    expect(await wrongAt(path)).toEqual(wrong);
    const { findings, clauses } = await checkReport(origin + path, { allowPrivate: true });
    expect(findings.map(({ clause: id }) => id)).toEqual(['AICF-F4', 'AICF-S2']);
    for (const id of ['AICF-D1', 'AICF-D2', 'AICF-D5'])
      expect(clauses.find((each) => each.id === id)?.status).toBe('pass');
    // The one at the root is missed there as well.
    server.remove(WELL_KNOWN);
    const [first] = await check(origin + path, { allowPrivate: true });
    expect(first).toMatchObject({ clause: 'AICF-D1', where: `${origin}.well-known/ai-changefeed` });
    expect(await wrongAt(path)).toEqual(wrong);
  },
);

test('the discovery document that was named is checked, also one that is broken or missing', async () => {
  const { server, origin } = await serveHub();
  const named = `${origin}aicf/x/.well-known/ai-changefeed`;
  server.put(`/aicf/x${WELL_KNOWN}`, '<!doctype html>');
  expect(await check(named, { allowPrivate: true })).toMatchObject([
    { clause: 'AICF-D3', where: named, seen: 'It is an HTML page.' },
    { clause: 'AICF-S1' },
  ]);
  server.remove(`/aicf/x${WELL_KNOWN}`);
  expect(await check(named, { allowPrivate: true })).toMatchObject([{ clause: 'AICF-D1', where: named }]);
});

test('of a feed that was named, a discovery document about another one says nothing', async () => {
  const { server, origin, discovery, wrongAt, wrong } = await serveHub();
  server.remove(`/aicf/x${WELL_KNOWN}`);
  server.put(WELL_KNOWN, discovery({ ttl_seconds: -1, aicf_version: '9.0', archives: ['x'] }));
  expect(await wrongAt('aicf/x.ndjson')).toEqual(wrong);
  const report = await checkReport(`${origin}aicf/x.ndjson`, { allowPrivate: true });
  expect(report.findings.map(({ clause: id }) => id)).toEqual(['AICF-F4', 'AICF-S2']);
  for (const id of ['AICF-D1', 'AICF-D9', 'AICF-S1', 'AICF-P6', 'AICF-X6']) {
    const reason = `The feed was named itself, and ${origin}.well-known/ai-changefeed is about another one.`;
    expect(report.clauses.find((each) => each.id === id)).toMatchObject({ status: 'not-checkable', reason });
  }
  expect(statusOf(report, 'AICF-F1')).toBe('pass');
});

test('a server that answers whatever it is asked for has its discovery document at the root', async () => {
  const { server, origin } = await serveSite();
  server.put(`/docs${WELL_KNOWN}`, { body: '<!doctype html>', headers: { 'content-type': 'text/html' } });
  expect(await check(`${origin}docs/`, { allowPrivate: true })).toEqual([]);
});

clause(['AICF-D2', 'AICF-F1'], 'wrong media types of a live site are found', async () => {
  const { server, discovery, found } = await serveSite();
  server.put(WELL_KNOWN, { body: discovery(), headers: { 'content-type': 'application/octet-stream' } });
  server.put('/feed.ndjson', { body: '', headers: { 'content-type': 'text/plain' } });
  expect(await found()).toMatchObject([{ clause: 'AICF-D2' }, { clause: 'AICF-F1' }]);
});

clause('AICF-F1', 'a feed that is gone, cut short or HTML is a finding', async () => {
  const { server, origin, found } = await serveSite();
  server.fail('/feed.ndjson', { kind: 'cut', afterBytes: 50 });
  expect(await found()).toMatchObject([
    { clause: 'AICF-F1', where: `${origin}feed.ndjson`, seen: expect.stringContaining('cut short') },
  ]);
  expect(server.faultsFired).toBe(1);
  server.put('/feed.ndjson', { body: '<!doctype html>', headers: { 'content-type': 'text/html' } });
  expect(await found()).toMatchObject([{ clause: 'AICF-F1', seen: 'It is an HTML page.' }]);
  server.remove('/feed.ndjson');
  expect(await found()).toMatchObject([{ clause: 'AICF-F1', seen: 'The answer has status 404.' }]);
});

clause(['AICF-H1', 'AICF-H2'], 'a live site without validators is found', async () => {
  const { origin, found } = await serveSite({ validators: 'none' });
  expect(await found()).toMatchObject([
    { clause: 'AICF-H1', where: `${origin}feed.ndjson` },
    { clause: 'AICF-H2', where: `${origin}b` },
    { clause: 'AICF-H2', where: `${origin}a` },
  ]);
});

test('Last-Modified alone is a validator', async () => {
  const { found } = await serveSite({ validators: 'last-modified' });
  expect(await found()).toEqual([]);
});

test('at most five pages are asked for, the newest first', async () => {
  const { server, origin } = await serveSite();
  server.put('/feed.ndjson', [...'ABCDEFGH'].map((end) => event(`${end}0`, `${origin}${end}`)).join(''));
  await check(origin, { allowPrivate: true, spec: 'aicf' });
  expect(server.takePaths().slice(3)).toEqual(['/H', '/G', '/F', '/E', '/D']);
});

clause('AICF-P6', 'earlier files that a live site names are read', async () => {
  const { server, origin, discovery, found } = await serveSite();
  server.put(WELL_KNOWN, discovery({ archives: [`${origin}1.ndjson`] }));
  expect(await found()).toMatchObject([{ clause: 'AICF-P6', where: `${origin}1.ndjson` }]);
  server.put('/1.ndjson', event('90', `${origin}a`) + event('A0', `${origin}a`));
  expect(await found()).toEqual([]);
});

test('other faults of the discovery document do not hide the feed', async () => {
  const { server, discovery, found } = await serveSite();
  server.put(WELL_KNOWN, discovery({ ttl_seconds: -1 }));
  server.put('/feed.ndjson', 'x\n');
  expect((await found()).map((finding) => finding.clause)).toEqual(['AICF-D9', 'AICF-S1', 'AICF-F4', 'AICF-S2']);
});

test('a site that cannot answer is not judged', async () => {
  const busy = await serveSite();
  busy.server.fail(WELL_KNOWN, { kind: 'status', status: 503 });
  await expect(busy.found()).rejects.toMatchObject({
    name: 'UnreadableTargetError',
    recovery: 'retry-later',
    message: expect.stringContaining('503'),
  });
  expect(busy.server.faultsFired).toBe(1);

  const { server, origin, found } = await serveSite();
  server.fail(WELL_KNOWN, { kind: 'reset' });
  await expect(found()).rejects.toMatchObject({ name: 'UnreadableTargetError', recovery: 'retry-later' });
  expect(server.faultsFired).toBe(1);
  await expect(check(origin)).rejects.toMatchObject({
    recovery: 'fix-config',
    message: expect.stringContaining('--allow-private'),
  });
});

test.each([503, 429])('a site whose feed answers %i is not judged', async (status) => {
  const { server, found } = await serveSite();
  server.fail('/feed.ndjson', { kind: 'status', status });
  await expect(found()).rejects.toMatchObject({
    name: 'UnreadableTargetError',
    recovery: 'retry-later',
    message: expect.stringContaining(`feed.ndjson answers with status ${status}`),
  });
  expect(server.faultsFired).toBe(1);
});

test('a good folder has no findings; what only a server shows is not checkable', async () => {
  const folder = await makeFolder(FOLDER);
  const report = await checkReport(`${folder}/`);
  expect(report).toMatchObject({ target: folder, findings: [] });
  for (const id of ['AICF-D1', 'AICF-D2', 'AICF-F1', 'AICF-E1']) expect(statusOf(report, id)).toBe('pass');
  for (const id of ['AICF-H1', 'AICF-H2']) expect(statusOf(report, id)).toBe('not-checkable');
});

clause(
  ['AICF-D2', 'AICF-F1'],
  'media types of a folder come from its _headers file, or are not checkable',
  async () => {
    const wrong = await makeFolder({ ...FOLDER, _headers: HEADERS.replaceAll(/application\/.*/g, 'text/plain') });
    expect(await check(wrong)).toMatchObject([{ clause: 'AICF-D2' }, { clause: 'AICF-F1' }]);
    const { _headers: _, ...files } = FOLDER;
    const report = await checkReport(await makeFolder(files));
    expect([report.findings, statusOf(report, 'AICF-D2'), statusOf(report, 'AICF-F1')]).toEqual([
      [],
      'not-checkable',
      'not-checkable',
    ]);
  },
);

test('a folder that is served below the root of its host is read by the end of the path', async () => {
  const folder = await makeFolder({
    '.well-known/ai-changefeed': encodeDiscovery({
      aicf_version: '0.1',
      self: 'https://docs.example/my%20docs/v1/feed.ndjson',
    }),
    'v1/feed.ndjson': 'x\n',
    _headers: HEADERS.replaceAll(/^\//gm, '/my%20docs/').replace('/feed.', '/v1/feed.'),
  });
  const report = await checkReport(folder);
  expect(report.findings).toMatchObject([
    { clause: 'AICF-F4', where: `${folder}/v1/feed.ndjson:1` },
    { clause: 'AICF-S2' },
  ]);
  expect([statusOf(report, 'AICF-D2'), statusOf(report, 'AICF-F1')]).toEqual(['pass', 'pass']);
});

test('no URL leads out of the folder', async () => {
  const outer = await makeFolder({
    'secret.ndjson': 'x\n',
    'site/.well-known/ai-changefeed': encodeDiscovery({
      aicf_version: '0.1',
      self: 'https://h.example/..%2Fsecret.ndjson',
    }),
  });
  expect(await check(join(outer, 'site'))).toMatchObject([{ clause: 'AICF-F1', seen: 'The answer has status 404.' }]);
});

test('a folder with a feed but no discovery document is a finding; one with neither cannot be checked', async () => {
  const folder = await makeFolder({ 'ai-changes.ndjson': FOLDER['feed.ndjson'] });
  const [discovery, ...others] = await check(folder);
  expect(others).toMatchObject([{ clause: 'HOST-1', seen: expect.stringContaining('/ai-changes.ndjson is') }]);
  expect([discovery]).toMatchObject([{ clause: 'AICF-D1', where: `${folder}${WELL_KNOWN}` }]);
  const empty = await makeFolder({ 'index.html': '<p>' });
  await expect(check(empty)).rejects.toMatchObject({ recovery: 'fix-input', target: empty });
  await expect(check(join(empty, 'nowhere'))).rejects.toBeInstanceOf(UnreadableTargetError);
});

test('a target that is no URL we read, or a specification that we do not know, is refused', async () => {
  await expect(check('ftp://h.example/')).rejects.toMatchObject({ recovery: 'fix-input' });
  await expect(check('https://')).rejects.toMatchObject({ recovery: 'fix-input' });
  await expect(check('x', JSON.parse('{"spec":"rss"}'))).rejects.toMatchObject({
    recovery: 'fix-config',
    message: expect.stringContaining('rss'),
  });
});

test('a milder finding does not fail the clause that it names', async () => {
  const folder = await makeFolder({ ...FOLDER, 'feed.ndjson': FOLDER['feed.ndjson'].replace('\n', '\r\n') });
  const report = await checkReport(folder);
  expect(report.findings).toMatchObject([{ clause: 'AICF-F4', level: 'SHOULD' }]);
  expect(statusOf(report, 'AICF-F4')).toBe('pass');
});
