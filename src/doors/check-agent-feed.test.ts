import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { type DraftSite, draftSite, filesOf } from '../../test/support/agent-feed-site.ts';
import { testSurface } from '../../test/support/surface-site.ts';
import { createTestAuthority, type TestCertificate } from '../../test/support/test-ca.ts';
import { startTlsSite, type TlsSite } from '../../test/support/tls-site.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { check, checkReport } from './check.ts';
import {
  announceEndpoint,
  archiveEntries,
  changeSchema,
  deprecateEndpoint,
  initSurface,
  migrateFeed,
  rotateSigningKey,
  terminateFeed,
} from './surface.ts';

const ORDERS = {
  endpointId: 'orders-api',
  endpoint: 'https://api.example/orders',
  protocol: 'rest',
  version: '1.0',
} as const;
const PATHS = ['/.well-known/did.json', '/.well-known/agent-feed.xml', '/.well-known/agent-card.json'] as const;
const authority = createTestAuthority();

interface LiveSurface {
  readonly site: TlsSite;
  readonly origin: string;
  readonly options: { readonly spec: 'agent-feed'; readonly allowPrivate: true; readonly ca: string };
  serve(edit?: (draft: DraftSite) => void): void;
  put(path: string, headers: Readonly<Record<string, string>>, body?: string | Uint8Array, status?: number): void;
}

/** A surface on https://localhost, right until a test changes it. Without a certificate it speaks plain http. */
async function liveSurface(tls: TestCertificate | undefined = authority.issue('localhost')): Promise<LiveSurface> {
  return await surfaceOn(tls, 'https');
}

async function surfaceOn(tls: TestCertificate | undefined, scheme: 'http' | 'https'): Promise<LiveSurface> {
  const site = await startTlsSite(tls);
  onTestFinished(() => site[Symbol.asyncDispose]());
  const folder = await mkdtemp(join(tmpdir(), 'tidings-check-af-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, authority.cert);
  const origin = `${scheme}://localhost:${site.port}`;
  const put: LiveSurface['put'] = (path, headers, body = '', status = 200) =>
    site.put('localhost', path, { status, headers, body });
  const surface: LiveSurface = {
    site,
    origin,
    options: { spec: 'agent-feed', allowPrivate: true, ca },
    put,
    serve(edit = () => {}) {
      const draft = draftSite(`https://localhost:${site.port}`);
      edit(draft);
      for (const [path, body] of filesOf(draft)) {
        const type = path.endsWith('.xml') ? 'application/atom+xml' : 'application/json';
        put(`/${path}`, { 'content-type': type, 'cache-control': 'max-age=60' }, body);
      }
    },
  };
  surface.serve();
  return surface;
}

const told = (findings: readonly { readonly clause: string }[]) => [...new Set(findings.map((each) => each.clause))];

clause(
  ['AF-O1', 'AF-ID1', 'AF-W1'],
  'a right origin over HTTPS passes, and is asked for three documents, each once',
  async () => {
    const { site, origin, options } = await liveSurface();
    const report = await checkReport(`${origin}/some/page?x=1`, options);
    expect(report.findings).toEqual([]);
    expect(report.unread).toBeUndefined();
    expect(site.asked.map(({ url }) => url)).toEqual(PATHS.map((path) => origin + path));
    const passed = report.clauses.filter(({ status }) => status === 'pass').map(({ id }) => id);
    expect(passed).toEqual(
      expect.arrayContaining(['AF-O1', 'AF-ID1', 'AF-W1', 'AF-PB1', 'AF-PB2', 'AF-IA1', 'AF-IA2', 'AF-ID2']),
    );
  },
);

test('a document that is named below another path is not what readers ask for', async () => {
  const { origin, options } = await liveSurface();
  const below = await checkReport(`${origin}/docs/.well-known/agent-feed.xml`, options);
  expect(below.notes).toEqual([expect.stringContaining('/docs/.well-known/agent-feed.xml was not looked at')]);
  const right = await checkReport(origin + PATHS[1], options);
  expect(right.notes).toBeUndefined();
});

test('a bare port in the DID is told as what it is', async () => {
  const { site, origin, options, serve } = await liveSurface();
  serve((draft) => {
    const id = `did:web:localhost:${site.port}`;
    draft.did.id = id;
    draft.did.verificationMethod = [
      { ...Object(Reflect.get(Object(draft.did.verificationMethod), 0)), controller: id },
    ];
  });
  expect(told(await check(origin, options))).toEqual(['AF-ID2']);
});

test('wrong types and no caching are told for each document', async () => {
  const { origin, options, put } = await liveSurface();
  const files = filesOf(draftSite(origin));
  for (const path of PATHS) put(path, { 'content-type': 'text/plain' }, files.get(path.slice(1)));
  const findings = await check(origin, options);
  expect(findings.map(({ clause: id, where }) => `${id} ${where.slice(origin.length)}`)).toEqual([
    `AF-IA1 ${PATHS[1]}`,
    `AF-IA2 ${PATHS[0]}`,
    `AF-IA2 ${PATHS[2]}`,
    `AF-PB2 ${PATHS[0]}`,
    `AF-PB2 ${PATHS[1]}`,
  ]);
});

clause('AF-O1', 'a redirect to another host is found, one on the same origin is not', async () => {
  const { site, origin, options } = await liveSurface(authority.issue('localhost', '127.0.0.1'));
  const files = filesOf(draftSite(origin));
  site.put('127.0.0.1', '/feed', {
    headers: { 'content-type': 'application/atom+xml', 'cache-control': 'max-age=60' },
    body: files.get('.well-known/agent-feed.xml') ?? '',
  });
  site.redirect('localhost', PATHS[1], `https://127.0.0.1:${site.port}/feed`);
  site.put('localhost', '/card', {
    headers: { 'content-type': 'application/json' },
    body: files.get('.well-known/agent-card.json') ?? '',
  });
  site.redirect('localhost', PATHS[2], '/card');
  const findings = await check(origin, options);
  expect(findings).toMatchObject([{ clause: 'AF-O1', where: origin + PATHS[1] }]);
});

clause(['AF-O1', 'AF-PB1'], 'plain http is found', async () => {
  const { origin, options } = await surfaceOn(undefined, 'http');
  const findings = await check(origin, options);
  expect(told(findings).sort()).toEqual(['AF-ID1', 'AF-O1', 'AF-PB1', 'AF-W1']);
  expect(findings.find(({ clause: id }) => id === 'AF-PB1')?.seen).toContain('plain http');
});

test('plain http that leads to https on the same host is as good as that', async () => {
  const { site, origin, options } = await liveSurface();
  const plain = await surfaceOn(undefined, 'http');
  for (const path of PATHS) plain.site.redirect('localhost', path, origin + path, 301);
  expect(await check(plain.origin, options)).toEqual([]);
  expect([plain.site.asked.length, site.asked.length]).toEqual([3, 3]);
});

clause('AF-PB1', 'a certificate of another name is found, and nothing else is said', async () => {
  const { origin, options } = await liveSurface(authority.issue('other.example'));
  const report = await checkReport(origin, options);
  expect(report.findings).toMatchObject([{ clause: 'AF-PB1', level: 'MUST', where: origin }]);
  expect(report.clauses.filter(({ status }) => status === 'pass')).toEqual([]);
});

test('what is missing or forbidden is found where it is', async () => {
  const { origin, options, put } = await liveSurface();
  put(PATHS[0], {}, '', 403);
  put(PATHS[2], {}, '', 404);
  expect(await check(origin, options)).toMatchObject([
    { clause: 'AF-ID1', where: origin + PATHS[0], seen: 'It answers with status 403.' },
    { clause: 'AF-W1', where: origin + PATHS[2], seen: 'It is not there.' },
  ]);
});

clause('AF-SC6', 'a server that asks for a pause is asked for nothing more, and what is missing is told', async () => {
  const { site, origin, options, put } = await liveSurface();
  put(PATHS[1], { 'retry-after': '120' }, '', 429);
  const report = await checkReport(origin, options);
  expect(site.asked).toHaveLength(2);
  expect(report.unread).toEqual([
    expect.stringContaining('status 429 and asks for a pause of 120 s'),
    `${PATHS[2]}: it was not asked for`,
  ]);
  expect(report.findings).toEqual([]);
  expect(report.clauses.find(({ id }) => id === 'AF-G1')?.status).toBe('not-checkable');
  await expect(check(origin, options)).rejects.toThrow(UnreadableTargetError);
  expect(site.asked).toHaveLength(2);
});

test('nobody there is nothing to check', async () => {
  const { site, origin, options } = await liveSurface();
  await site[Symbol.asyncDispose]();
  await expect(check(origin, options)).rejects.toMatchObject({
    name: 'UnreadableTargetError',
    recovery: 'retry-later',
  });
});

test('what our own publisher wrote has nothing to find, at each step of its life', async () => {
  const surface = await testSurface();
  const { target, dir } = surface;
  const expectClean = async () => {
    const { findings, spec } = await checkReport(dir, { spec: 'agent-feed' });
    expect({ findings, spec }).toEqual({ findings: [], spec: 'agent-feed' });
  };
  await initSurface(target);
  await expectClean();
  await announceEndpoint(target, ORDERS);
  await announceEndpoint(target, { ...ORDERS, endpointId: 'tools', endpoint: '/mcp?a=1&b=<2>', protocol: 'mcp' });
  await expectClean();
  surface.clock += 3600_000;
  await changeSchema(target, {
    endpointId: 'orders-api',
    from: '1.0',
    to: '1.1',
    migration: { add: ['/a~1b'], retype: { '/p': { from: 'string', to: 'nullable<nullable<number>>' } } },
  });
  await rotateSigningKey(target);
  await announceEndpoint(target, { ...ORDERS, version: '1.1', endpoint: 'https://api.example/v2/orders' });
  await deprecateEndpoint(target, {
    endpointId: 'orders-api',
    sunset: '2027-01-01T00:00:00Z',
    replacement: 'tools',
    reason: 'Ü "q" <x> & 😀\n',
  });
  await announceEndpoint(target, {
    ...ORDERS,
    endpointId: 'old',
    endpoint: '/old',
    assertedAt: '2020-01-01T00:00:00Z',
  });
  await expectClean();
  await archiveEntries(target);
  await expectClean();
  await migrateFeed(target, { to: 'https://new.example/.well-known/agent-feed.xml' });
  await expectClean();
});

test('a terminated feed of our own publisher has nothing to find, and a note', async () => {
  const { target, dir } = await testSurface('https://api.example:8443/');
  await announceEndpoint(target, { ...ORDERS, endpoint: '/orders' });
  await terminateFeed(target);
  const report = await checkReport(dir, { spec: 'agent-feed' });
  expect(report.findings).toEqual([]);
  expect(report.notes).toEqual([expect.stringContaining('terminated')]);
});

test('a folder without a wish for one dialect is checked for every feed that it holds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-check-af-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const write = async (path: string, text: string | Uint8Array) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  for (const [path, text] of filesOf(draftSite())) await write(path, text);
  const alone = await checkReport(folder);
  expect([alone.spec, alone.findings, alone.others]).toEqual(['agent-feed', [], undefined]);

  await write('ai-changes.ndjson', '');
  await write('diff/latest.json', '{}');
  const all = await checkReport(folder);
  expect([all.spec, ...(all.others ?? []).map(({ spec }) => spec)]).toEqual([
    ...['aicf', 'diffdelta', 'agent-feed'],
    // Its `.well-known` lacks what the feeds belong to.
    'hosting',
  ]);
});

test('a folder with the card of another protocol alone holds no agent-feed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-check-af-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await expect(check(folder, { spec: 'agent-feed' })).rejects.toThrow(/holds no agent-feed/);
  await mkdir(join(folder, '.well-known'));
  await writeFile(join(folder, '.well-known/agent-card.json'), '{"name":"A2A"}');
  expect(told(await check(folder, { spec: 'agent-feed' }))).toEqual(['AF-ID1', 'AF-W2']);
});
