import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { draftSite, filesOf } from '../../test/support/agent-feed-site.ts';
import { CHANGES, folderOf, shrine } from '../../test/support/check-resourcesync-site.ts';
import { makeDiffDeltaFiles } from '../../test/support/diffdelta-site.ts';
import { type FeedServer, startFeedServer } from '../../test/support/feed-server.ts';
import { listen } from '../../test/support/guarded-client.ts';
import { encodeDiscovery, encodeEvent } from '../codecs/aicf/encode.ts';
import { check, checkReport } from './check.ts';

const AICF = '/.well-known/ai-changefeed';
const DIFFDELTA = '/.well-known/diffdelta.json';
const RESOURCESYNC = '/.well-known/resourcesync';
const AGENT_FEED = '/.well-known/agent-feed.xml';
const TLOG = '/.well-known/tidings/checkpoint';
const NO_DOCUMENT = '/.well-known/tidings-no-such-document';
const PROBES = [AICF, DIFFDELTA, RESOURCESYNC, AGENT_FEED, TLOG];
const LIVE = { allowPrivate: true };

async function startSite(): Promise<FeedServer> {
  const server = await startFeedServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

function putAicf(server: FeedServer): void {
  const { origin } = server;
  const event = {
    id: '01K35T3R0000000000000000A0',
    action: 'update',
    url: `${origin}a`,
    checksum: 'sha256:0',
  } as const;
  server.put(AICF, encodeDiscovery({ aicf_version: '0.1', self: `${origin}feed.ndjson` }));
  server.put('/feed.ndjson', encodeEvent({ ...event, time: '2025-08-21T10:15:00Z' }));
  server.put('/a', '<h1>Page</h1>');
}

function putDiffDelta(server: FeedServer): void {
  const runs = [{ source: 'docs', pages: { a: { action: 'create' } } }] as const;
  for (const [path, text] of makeDiffDeltaFiles(runs, server.origin)) server.put(path, text);
}

function putResourceSync(server: FeedServer): void {
  for (const [path, body] of Object.entries(shrine())) {
    const here = String(body).replaceAll('https://example.com/', server.origin);
    server.put(`/${path.replace(/index\.html$/, '')}`, { body: here, headers: { 'content-type': 'application/xml' } });
  }
}

function putAgentFeed(server: FeedServer): void {
  for (const [path, body] of filesOf(draftSite())) server.put(`/${path}`, String(body));
}

const PUT = { aicf: putAicf, diffdelta: putDiffDelta, resourcesync: putResourceSync, 'agent-feed': putAgentFeed };

test.each(Object.keys(PUT))('a live site with %s alone has the report that --spec gives', async (spec) => {
  const server = await startSite();
  PUT[spec as keyof typeof PUT](server);
  const asked = await checkReport(server.origin, { ...LIVE, spec });
  expect(asked.clauses.filter(({ status }) => status === 'pass').length).toBeGreaterThan(5);
  expect(await checkReport(server.origin, LIVE)).toEqual(asked);
});

test('a live site with several dialects has one report for all of them, and a fault of each is found', async () => {
  const server = await startSite();
  for (const put of Object.values(PUT)) put(server);
  server.put('/feed.ndjson', 'x\n');
  server.put('/diff/docs/head.json', '<!doctype html>');
  const { spec, findings, others = [], unread } = await checkReport(server.origin, LIVE);
  expect(unread).toBeUndefined();
  expect([spec, ...others.map((other) => other.spec)]).toEqual(['aicf', 'diffdelta', 'resourcesync', 'agent-feed']);
  expect(findings.map(({ clause }) => clause)).toContain('AICF-F4');
  expect(others[0]?.findings.map(({ clause }) => clause)).toContain('DD-H1');
  const all = [findings, ...others.map((other) => other.findings)].flat();
  expect(await check(server.origin, LIVE)).toEqual(all);
});

test('to look for the dialects costs one request each, and what was read for it is not asked for again', async () => {
  const server = await startSite();
  putAicf(server);
  await check(server.origin, LIVE);
  expect(server.takePaths()).toEqual([...PROBES, '/feed.ndjson', '/feed.ndjson', '/a', NO_DOCUMENT]);
  await check(`${server.origin}docs/page`, LIVE);
  const paths = server.takePaths();
  expect(paths.filter((path) => path === AICF)).toHaveLength(1);
  expect(paths.filter((path) => path.startsWith('/docs/'))).toEqual([
    `/docs${DIFFDELTA}`,
    `/docs${RESOURCESYNC}`,
    `/docs${TLOG}`,
    `/docs${AICF}`,
    `/docs${NO_DOCUMENT}`,
  ]);
});

test('where nothing is there, the first dialect says what is missing', async () => {
  const server = await startSite();
  const report = await checkReport(server.origin, LIVE);
  expect(report).toMatchObject({ spec: 'aicf', findings: [{ clause: 'AICF-D1', seen: 'The answer has status 404.' }] });
  const traces = ['/ai-changes.ndjson', '/diff/head.json', '/resourcesync/capabilitylist.xml'];
  expect(server.takePaths()).toEqual([...PROBES, ...traces, NO_DOCUMENT]);
});

test('a host that dropped .well-known is told from a site without feeds', async () => {
  const server = await startSite();
  server.put('/ai-changes.ndjson', '{}');
  const { others = [] } = await checkReport(server.origin, { ...LIVE, fixHints: true });
  expect(others).toMatchObject([
    {
      spec: 'hosting',
      findings: [{ clause: 'HOST-1', where: `${server.origin.slice(0, -1)}${AICF}` }],
      hints: { 'HOST-1': { write: expect.stringContaining('include-hidden-files: true') } },
    },
  ]);
});

test('a host that answers 200 for everything is told so, and its pages are no feeds', async () => {
  const page = '<!doctype html><title>Home</title>';
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page));
  const { port } = (await listen(server, '127.0.0.1')).address() as AddressInfo;
  const { others = [], findings } = await checkReport(`http://127.0.0.1:${port}/`, LIVE);
  expect(findings.map(({ clause }) => clause)).toContain('AICF-D3');
  expect(others.flatMap((other) => other.findings)).toMatchObject([{ clause: 'HOST-2', level: 'SHOULD' }]);
});

test('bytes that a proxy changed are told, and judged as they were meant', async () => {
  const server = await startSite();
  putAicf(server);
  const discovery = encodeDiscovery({ aicf_version: '0.1', self: `${server.origin}feed.ndjson` });
  const digest = `sha-256=:${hash('sha256', discovery, 'base64')}:`;
  const proxy = createServer(async ({ url: path, headers }, response) => {
    if (path !== AICF) return void response.writeHead(302, { location: server.origin.slice(0, -1) + path }).end();
    const mayPack = headers['accept-encoding']?.includes('gzip') ?? false;
    const fields = { 'content-type': 'application/json', 'repr-digest': digest };
    response.writeHead(200, { ...fields, ...(mayPack && { 'content-encoding': 'gzip' }) });
    response.end(mayPack ? gzipSync(discovery) : discovery);
  });
  const { port } = (await listen(proxy, '127.0.0.1')).address() as AddressInfo;
  const { others = [], unread, spec } = await checkReport(`http://127.0.0.1:${port}/`, LIVE);
  expect([spec, unread]).toEqual(['aicf', undefined]);
  expect(others.flatMap((other) => other.findings)).toMatchObject([
    { clause: 'HOST-3', where: expect.stringContaining(AICF) },
  ]);
});

test('a server that answers everything with a page offers nothing by that', async () => {
  const server = await startSite();
  const page = { body: '<!DOCTYPE html>\n<title>App</title>', headers: { 'content-type': 'text/html' } };
  for (const path of PROBES) server.put(path, page);
  const report = await checkReport(server.origin, LIVE);
  expect(report).toMatchObject({ spec: 'aicf', findings: [{ clause: 'AICF-D2' }, { clause: 'AICF-D3' }, {}] });
  expect(report.others).toBeUndefined();
});

test.each([{ kind: 'status', status: 503 }, { kind: 'status', status: 429 }, { kind: 'reset' }] as const)(
  'a server that cannot answer now ($kind $status) is not one without feeds, and is asked once',
  async (fault) => {
    const server = await startSite();
    putDiffDelta(server);
    server.fail(AICF, fault);
    await expect(check(server.origin, LIVE)).rejects.toMatchObject({
      name: 'UnreadableTargetError',
      recovery: 'retry-later',
    });
    expect(server.faultsFired).toBe(1);
    expect(server.takePaths()).toEqual([AICF]);
  },
);

test('one place that cannot be read costs the other dialects nothing, and the report says that it is not whole', async () => {
  const server = await startSite();
  putDiffDelta(server);
  const broken = { kind: 'status', status: 500 } as const;
  server.fail(AICF, broken);
  expect(await checkReport(server.origin, LIVE)).toMatchObject({
    spec: 'diffdelta',
    unread: [`aicf: ${server.origin}.well-known/ai-changefeed answers with status 500`],
  });

  putAicf(server);
  server.fail(RESOURCESYNC, broken);
  expect(await checkReport(server.origin, LIVE)).toMatchObject({
    spec: 'aicf',
    others: [{ spec: 'diffdelta' }],
    unread: [`resourcesync: ${server.origin}.well-known/resourcesync answers with status 500`],
  });

  server.fail('/feed.ndjson', broken);
  expect(await checkReport(server.origin, LIVE)).toMatchObject({
    spec: 'diffdelta',
    unread: [`aicf: ${server.origin}feed.ndjson answers with status 500`],
  });
  server.fail('/feed.ndjson', broken);
  await expect(check(server.origin, LIVE)).rejects.toMatchObject({ recovery: 'retry-later' });
  expect(server.faultsFired).toBe(4);
});

test('who is asked for a pause while it looks for dialects asks for nothing more', async () => {
  const server = await startSite();
  putAicf(server);
  server.fail(RESOURCESYNC, { kind: 'status', status: 503 });
  await expect(check(server.origin, LIVE)).rejects.toMatchObject({ recovery: 'retry-later' });
  expect(server.takePaths()).toEqual([AICF, DIFFDELTA, RESOURCESYNC]);
  expect(server.faultsFired).toBe(1);
});

test.each([
  ['feed.ndjson', 'aicf'],
  ['.well-known/ai-changefeed', 'aicf'],
  ['diff/docs/latest.json', 'diffdelta'],
  ['.well-known/diffdelta.json', 'diffdelta'],
  ['.well-known/resourcesync', 'resourcesync'],
  ['.well-known/agent-feed.xml', 'agent-feed'],
])('who names %s means %s alone', async (path, spec) => {
  const server = await startSite();
  for (const put of Object.values(PUT)) put(server);
  const url = server.origin + path;
  const report = await checkReport(url, LIVE);
  expect(report).toEqual(await checkReport(url, { ...LIVE, spec }));
  expect(report.spec).toBe(spec);
});

test('a key is sent for the dialect that has keys, and for no other', async () => {
  const server = await startSite();
  putAicf(server);
  putDiffDelta(server);
  await checkReport(server.origin, { ...LIVE, apiKey: 'dd_live_x' });
  const withKey = server.takeRequests().filter(({ headers }) => headers['x-diffdelta-key'] === 'dd_live_x');
  expect(withKey.map(({ path }) => path)).toContain('/diff/latest.json');
  expect(withKey.filter(({ path }) => !/diff/.test(path) && !/^\/(?:archive|schema)/.test(path))).toEqual([]);
});

test('a file is checked by the dialect that it is of', async () => {
  const folder = await folderOf({
    ...shrine(),
    'page.json': await readFile('specs/aiwebindex/vectors/valid/AWI-DOC1-spec-example.json', 'utf8'),
    'other.txt': 'Hello.',
  });
  expect(await checkReport(join(folder, CHANGES))).toMatchObject({ spec: 'resourcesync', findings: [] });
  expect(await checkReport(join(folder, 'page.json'))).toMatchObject({ spec: 'aiwebindex', findings: [] });
  await expect(check(join(folder, 'other.txt'))).rejects.toThrow('no document of ResourceSync');
  await expect(check(join(folder, CHANGES), { spec: 'aicf' })).rejects.toThrow('it is a file, and aicf is checked by');
});
