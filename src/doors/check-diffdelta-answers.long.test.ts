import { expect, onTestFinished, test } from 'vitest';
import { edit, edited, HEAD, LATEST, MANIFEST, OPTIONS, serveSite } from '../../test/support/checked-diffdelta.ts';
import {
  type DiffDeltaSite,
  makeDiffDeltaFiles,
  type SiteRun,
  serveDiffDelta,
} from '../../test/support/diffdelta-site.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { check, checkReport } from './check.ts';

test.each([
  ['DD-T6', 'answers its own ETag with the whole file', { isKnown: false }],
  ['DD-T13', 'leaves out Cache-Control in its 304', { isKnown: true }],
])('%s: a server that %s is found', async (id, _, { isKnown }) => {
  const site = await serveSite();
  const asked = new Set<string>();
  site.intercept = (path, response) => {
    if (!path.endsWith('head.json') || !asked.has(path)) {
      asked.add(path);
      return false;
    }
    const etag = `"${edited(site.files.get(path), {}).cursor}"`;
    response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? undefined : site.files.get(path));
    return true;
  };
  const found = await check(site.origin, OPTIONS);
  expect(found).toMatchObject([{ clause: id, seen: expect.stringContaining('2 more of the responses') }]);
});

test('limits that no response has are a hint: a static host cannot send them', async () => {
  const site = await serveSite();
  const none = { 'x-ratelimit-limit': undefined, 'x-ratelimit-remaining': undefined, 'x-ratelimit-reset': undefined };
  site.headers = (_, headers) => ({ ...headers, ...none });
  const report = await checkReport(site.origin, OPTIONS);
  expect(report.findings).toMatchObject([{ clause: 'DD-U6', level: 'SHOULD' }]);
  expect(report.clauses.find(({ id }) => id === 'DD-U6')).toMatchObject({ status: 'not-checkable' });
  site.headers = (path, headers) => (path.includes('docs') ? { ...headers, ...none } : headers);
  expect(await check(site.origin, OPTIONS)).toMatchObject([{ clause: 'DD-U6', level: 'MUST' }]);
});

test.each([500, 503, 429])('a server that answers %i anywhere is not judged', async (status) => {
  for (const broken of [MANIFEST, '/diff/latest.json', HEAD, LATEST]) {
    const site = await serveSite();
    site.intercept = (path, response) => {
      if (path === broken) response.writeHead(status).end();
      return path === broken;
    };
    const failure = check(site.origin, OPTIONS);
    await expect(failure).rejects.toThrow(UnreadableTargetError);
    await expect(failure).rejects.toMatchObject({ recovery: 'retry-later' });
  }
});

test('a redirect to another origin is found', async () => {
  const [site, other] = [await serveSite(), await serveSite()];
  site.intercept = (path, response) => {
    if (path === HEAD) response.writeHead(302, { location: new URL(path, other.origin).href }).end();
    return path === HEAD;
  };
  expect(await check(site.origin, OPTIONS)).toMatchObject([
    { clause: 'DD-R2', where: `${site.origin}diff/docs/head.json`, seen: expect.stringContaining(other.origin) },
  ]);
});

test('a body without an end is a finding, and is not read to its end', async () => {
  const site = await serveSite();
  let sent = 0;
  site.intercept = (path, response) => {
    if (path !== HEAD) return false;
    const piece = Buffer.alloc(65_536, ' ');
    const pour = () => {
      while (!response.destroyed && response.write(piece)) sent += piece.length;
    };
    response.writeHead(200, { 'content-type': 'application/json' }).on('drain', pour);
    pour();
    return true;
  };
  const found = await check(site.origin, OPTIONS);
  expect(found.map(({ clause }) => clause)).toEqual(['DD-R2', 'DD-D5']);
  expect(sent).toBeLessThan(32 * 1024 * 1024);
});

test('of a hundred thousand broken items a few are shown and the others counted', async () => {
  const site = await serveSite();
  edit(site, LATEST, { 'buckets.new': Array.from({ length: 100_000 }, (_, at) => ({ id: `${at}` })) });
  const found = await check(`${site.origin}diff/docs/latest.json`, OPTIONS);
  const ofItems = found.filter(({ clause }) => clause === 'DD-I2');
  expect(ofItems).toHaveLength(21);
  expect(ofItems.at(-1)?.seen).toBe('and 99980 more');
});

/** A service with so many sources, which all are one. */
async function serveMany(count: number): Promise<DiffDeltaSite> {
  const runs = Array.from(
    { length: count },
    (_, at): SiteRun => ({
      source: `s${at}`,
      pages: { a: { action: 'create' } },
    }),
  );
  const site = await serveDiffDelta((origin) => makeDiffDeltaFiles(runs, origin));
  onTestFinished(() => site[Symbol.asyncDispose]());
  return site;
}

test('of many sources twenty are read, and it is said how many were left out', async () => {
  const site = await serveMany(23);
  const { findings, notes } = await checkReport(site.origin, OPTIONS);
  expect(findings).toEqual([]);
  expect(notes).toEqual(['3 of 23 sources were left out: at most 20 are read.']);
  expect(new Set(site.paths.filter((path) => /^\/diff\/s\d+\/head/.test(path))).size).toBe(20);
});

test('a server that allows sixty requests a minute is asked no more, and it is said what was left out', async () => {
  const site = await serveMany(23);
  let left = 60;
  site.headers = (_, headers) => {
    left -= 1;
    return { ...headers, 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': String(left) };
  };
  const { findings, notes } = await checkReport(site.origin, OPTIONS);
  expect(findings).toEqual([]);
  expect(left).toBeGreaterThanOrEqual(0);
  expect(notes).toEqual([
    expect.stringMatching(/^Of \d+ sources neither 304 nor earlier archives were tried/),
    expect.stringMatching(
      /^\d+ of 23 sources were left out: the server allows no more requests now\. A key \(TIDINGS_/,
    ),
  ]);
});
