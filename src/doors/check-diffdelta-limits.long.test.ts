import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { type DiffDeltaSite, makeDiffDeltaFiles, serveDiffDelta } from '../../test/support/diffdelta-site.ts';
import { listenOnFreshPort } from '../../test/support/fresh-port.ts';
import { check, checkReport } from './check.ts';

const RUNS = [
  { source: 'blog', pages: { a: { action: 'create' } } },
  { source: 'docs', pages: { a: { action: 'create' } } },
  { source: 'news', pages: { a: { action: 'create' } } },
] as const;
const OPTIONS = { spec: 'diffdelta', allowPrivate: true } as const;

async function serveSite(): Promise<DiffDeltaSite> {
  const site = await serveDiffDelta((origin) => makeDiffDeltaFiles(RUNS, origin));
  onTestFinished(() => site[Symbol.asyncDispose]());
  return site;
}

/** Takes `ttl_sec` away from the head of a source. */
function spoilHead(site: DiffDeltaSite, source: string): void {
  const path = `/diff/${source}/head.json`;
  const { ttl_sec: _, ...head } = JSON.parse(site.files.get(path) ?? '');
  site.files.set(path, JSON.stringify(head));
}

function refuse(site: DiffDeltaSite, refused: RegExp, status: number, headers: Record<string, string> = {}): void {
  site.intercept = (path, response) => {
    if (refused.test(path)) response.writeHead(status, headers).end();
    return refused.test(path);
  };
}

test.each([
  [503, {}],
  [429, {}],
  [429, { 'retry-after': '120' }],
])('what was found before a %i stands, and it is said what was not read', async (status, headers) => {
  const site = await serveSite();
  spoilHead(site, 'blog');
  refuse(site, /^\/diff\/docs\/latest/, status, headers);
  const { findings, unread } = await checkReport(site.origin, OPTIONS);
  expect(findings.map(({ clause: id, where }) => [id, where])).toEqual([
    ['DD-H1', `${site.origin}diff/blog/head.json`],
    ['DD-G3', `${site.origin}diff/blog/head.json`],
  ]);
  const pause = 'retry-after' in headers ? ' and asks for a pause of 120 s' : '';
  expect(unread).toEqual([
    `the source "docs": ${site.origin}diff/docs/latest.json answers with status ${status}${pause}`,
    '1 of 3 sources',
  ]);
  expect(site.paths.filter((path) => path.includes('news'))).toEqual([]);
});

test('what was seen of a source before it failed is judged, too, and nothing else of it', async () => {
  const site = await serveSite();
  spoilHead(site, 'docs');
  refuse(site, /^\/archive\/docs/, 503);
  const { findings } = await checkReport(site.origin, OPTIONS);
  expect(findings.map(({ clause: id }) => id)).toEqual(['DD-H1', 'DD-G3']);
});

test('a head that cannot be asked for again is not held against a feed of another run', async () => {
  const site = await serveSite();
  const head = '/diff/docs/head.json';
  const other = { ...JSON.parse(site.files.get(head) ?? ''), cursor: `sha256:${'1'.repeat(64)}` };
  site.files.set(head, JSON.stringify(other));
  let asked = 0;
  site.intercept = (path, response) => {
    if (path === head) asked += 1;
    const isRefused = path === head && asked > 1;
    if (isRefused) response.writeHead(503).end();
    return isRefused;
  };
  const { findings, unread } = await checkReport(site.origin, OPTIONS);
  expect(asked).toBe(2);
  expect(findings).toEqual([]);
  expect(unread?.[0]).toContain('head.json answers with status 503');
});

test('a document that is broken on the server leaves the other sources to be read', async () => {
  const site = await serveSite();
  spoilHead(site, 'news');
  refuse(site, /^\/diff\/docs\/head|^\/schema/, 500);
  const { findings, unread } = await checkReport(site.origin, OPTIONS);
  expect(findings.map(({ where }) => where)).toEqual(Array(2).fill(`${site.origin}diff/news/head.json`));
  expect(unread).toEqual([
    `the schema: ${site.origin}schema/v1/diff.schema.json answers with status 500`,
    `the source "docs": ${site.origin}diff/docs/head.json answers with status 500`,
  ]);
  // A list of findings alone could not say that it is not all of them.
  await expect(check(site.origin, OPTIONS)).rejects.toMatchObject({ recovery: 'retry-later' });
});

test('a short pause that the server asks for is waited for', async () => {
  const site = await serveSite();
  let refusals = 1;
  site.intercept = (path, response) => {
    const isRefused = path === '/diff/docs/latest.json' && refusals > 0;
    if (isRefused) response.writeHead(429, { 'retry-after': '1' }).end();
    if (isRefused) refusals -= 1;
    return isRefused;
  };
  const lines: string[] = [];
  const report = await checkReport(site.origin, { ...OPTIONS, onStatus: (line) => void lines.push(line) });
  expect(refusals).toBe(0);
  expect(report.findings).toEqual([]);
  expect(report.unread).toBeUndefined();
  expect(lines).toEqual([`${new URL(site.origin).host} asks for a pause of 1 s (1 of 5)`, '']);
});

test('who is stopped while it waits says what was not read', async () => {
  const site = await serveSite();
  refuse(site, /^\/diff\/docs\/latest/, 429, { 'retry-after': '60' });
  const stop = new AbortController();
  const onStatus = () => stop.abort();
  const { unread } = await checkReport(site.origin, { ...OPTIONS, signal: stop.signal, onStatus });
  expect(unread).toEqual([expect.stringContaining('asked for a pause'), '1 of 3 sources']);
});

clause(['DD-U2', 'DD-U9'], 'a key goes to the origin that was named and to no other', async () => {
  const site = await serveSite();
  const strangers: (string | undefined)[] = [];
  const other = createServer(({ headers }, response) => {
    strangers.push(String(headers['x-diffdelta-key']));
    response.writeHead(404).end();
  });
  const port = await listenOnFreshPort(other);
  onTestFinished(() => void other.close());
  const keys = new Set<unknown>();
  site.intercept = (path, response) => {
    keys.add(response.req.headers['x-diffdelta-key']);
    const isAway = path === '/diff/docs/head.json';
    if (isAway) response.writeHead(302, { location: `http://127.0.0.1:${port}${path}` }).end();
    return isAway;
  };
  // Also what another document names is asked for without it.
  const manifest = JSON.parse(site.files.get('/.well-known/diffdelta.json') ?? '');
  manifest.endpoints.schemas = { diff: `http://127.0.0.1:${port}/schema.json` };
  site.files.set('/.well-known/diffdelta.json', JSON.stringify(manifest));
  await checkReport(site.origin, { ...OPTIONS, apiKey: 'dd_live_secret' });
  expect([...keys]).toEqual(['dd_live_secret']);
  expect(strangers).toEqual(['undefined', 'undefined']);
  expect(site.paths.join()).not.toContain('dd_live_secret');
});

test('with a key, the tier in the answers is as it should be, and what needs no key is not judged', async () => {
  const site = await serveSite();
  site.headers = (_, headers) => ({ ...headers, 'x-diffdelta-tier': 'pro' });
  const report = await checkReport(site.origin, { ...OPTIONS, apiKey: 'dd_live_secret' });
  expect(report.findings).toEqual([]);
  for (const id of ['DD-U1', 'DD-U7', 'DD-U15'])
    expect(report.clauses.find((each) => each.id === id)).toMatchObject({ status: 'not-checkable' });
  expect((await check(site.origin, OPTIONS)).map(({ clause: id }) => id)).toEqual(['DD-U7']);
});
