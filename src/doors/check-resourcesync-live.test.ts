import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import {
  CAPABILITIES,
  CHANGES,
  type Files,
  PAGE,
  RESOURCES,
  shrine,
  WELL_KNOWN,
} from '../../test/support/check-resourcesync-site.ts';
import { createTestAuthority } from '../../test/support/test-ca.ts';
import { type SitePage, startTlsSite, type TlsSite } from '../../test/support/tls-site.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { type CheckReport, check, checkReport } from './check.ts';

const authority = createTestAuthority();

interface LiveShrine {
  readonly site: TlsSite;
  readonly origin: string;
  put(path: string, page: SitePage): void;
  check(target?: string): Promise<CheckReport>;
}

/** The right site at https://localhost, until a test changes it. */
async function liveShrine(files: Files = shrine()): Promise<LiveShrine> {
  const site = await startTlsSite(authority.issue('localhost', '127.0.0.1'));
  onTestFinished(() => site[Symbol.asyncDispose]());
  const folder = await mkdtemp(join(tmpdir(), 'tidings-check-rs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, authority.cert);
  const origin = `https://localhost:${site.port}`;
  const live: LiveShrine = {
    site,
    origin,
    put: (path, page) => site.put('localhost', `/${path}`, page),
    check: (target = `${origin}/`) => checkReport(target, { spec: 'resourcesync', allowPrivate: true, ca }),
  };
  for (const [path, body] of Object.entries(files)) {
    const here = typeof body === 'string' ? body.replaceAll('https://example.com', origin) : body;
    live.put(path.replace(/index\.html$/, ''), { headers: { 'content-type': 'application/xml' }, body: here });
  }
  return live;
}

clause('RS-S1', 'a right site over HTTPS passes, whatever page of it is named', async () => {
  const { check: look, origin, site } = await liveShrine();
  const { findings, clauses, unread, notes } = await look(`${origin}/some/page?x=1`);
  expect({ findings, unread, notes }).toEqual({ findings: [], unread: undefined, notes: undefined });
  expect(clauses.filter(({ status }) => status === 'fail')).toEqual([]);
  expect(site.asked.map(({ path }) => path)).toEqual([
    `/${WELL_KNOWN}`,
    '/about.json',
    `/${CAPABILITIES}`,
    `/${CHANGES}`,
    `/${RESOURCES}`,
    '/my-shrine/',
    '/changes.atom',
  ]);
});

clause('RS-S1', 'a live site without a Source Description, or with one below its root, fails', async () => {
  const live = await liveShrine({});
  const none = await live.check();
  expect(none.findings).toMatchObject([{ clause: 'RS-S1', where: `${live.origin}/${WELL_KNOWN}` }]);
  live.put(`docs/${WELL_KNOWN}`, { body: String(shrine()[WELL_KNOWN]) });
  const below = await live.check(`${live.origin}/docs/`);
  expect(below.findings[0]).toMatchObject({ clause: 'RS-S1', seen: expect.stringContaining('below the path') });
});

test('what is served as a page is told, with its place', async () => {
  const live = await liveShrine();
  const body = String(shrine()[CHANGES]).replaceAll('https://example.com', live.origin);
  live.put(CHANGES, { headers: { 'content-type': 'text/html' }, body });
  const { findings } = await live.check();
  expect(findings).toMatchObject([
    { clause: 'RESOURCESYNC-FORM', level: 'SHOULD', where: `${live.origin}/${CHANGES}` },
  ]);
});

test('a document that cannot be read now is not a fault, and is named', async () => {
  const live = await liveShrine();
  live.put(CHANGES, { status: 500 });
  const { findings, unread, clauses } = await live.check();
  expect(findings).toEqual([]);
  expect(unread).toEqual([expect.stringContaining(CHANGES)]);
  expect(clauses.find(({ id }) => id === 'RS-L1')?.status).toBe('not-checkable');
  live.put(CAPABILITIES, { status: 429 });
  const before = live.site.asked.length;
  const paused = await live.check();
  expect(paused.unread).toEqual([expect.stringContaining('429'), expect.stringContaining('not asked for')]);
  expect(live.site.asked.length - before, 'nothing is asked for behind a 429').toBe(3);
  live.put(WELL_KNOWN, { status: 503 });
  await expect(live.check()).rejects.toThrow(UnreadableTargetError);
});

test('of many resources some are asked for, spread over the list', async () => {
  const live = await liveShrine();
  const entries = Array.from({ length: 500 }, (_, at) => {
    live.put(`p${at}`, { body: PAGE });
    return `<url>\n<loc>${live.origin}/p${at}</loc>\n<rs:md length="${at < 480 ? PAGE.length : 7}"/>\n</url>\n`;
  });
  const list = String(shrine()[RESOURCES]).replaceAll('https://example.com', live.origin);
  live.put(RESOURCES, { body: list.replace('</urlset>', `${entries.join('')}</urlset>`) });
  const { findings, notes } = await live.check();
  const asked = live.site.asked.filter(({ path }) => /^\/p\d+$/.test(path)).map(({ path }) => Number(path.slice(2)));
  expect(asked.length).toBeGreaterThan(40);
  expect(asked.length).toBeLessThanOrEqual(50);
  expect(Math.max(...asked)).toBeGreaterThanOrEqual(480);
  const early = asked.filter((each) => each < 250).length;
  expect(early).toBeGreaterThan(15);
  expect(early).toBeLessThan(35);
  expect(findings.length).toBeGreaterThan(0);
  expect(findings[0]).toMatchObject({ clause: 'RESOURCESYNC-AUDIT', seen: expect.stringContaining('length="7"') });
  expect(notes).toEqual([expect.stringMatching(/^Of 501 resources .* 50 were asked for/)]);
});

test('addresses of other sites are not asked for', async () => {
  const live = await liveShrine();
  const body = String(shrine()[WELL_KNOWN])
    .replaceAll('https://example.com', live.origin)
    .replace(`<loc>${live.origin}`, `<loc>https://127.0.0.1:${live.site.port}`);
  live.put(WELL_KNOWN, { body });
  const { findings } = await live.check();
  expect(findings).toMatchObject([
    { level: 'SHOULD', where: `${live.origin}/${WELL_KNOWN}:5`, seen: expect.stringContaining('another site') },
  ]);
  expect(live.site.asked.map(({ host }) => host)).not.toContain('127.0.0.1');
});

test('a document that leads to another site is told, and the site stays the one that was named', async () => {
  const live = await liveShrine();
  const elsewhere = `https://127.0.0.1:${live.site.port}`;
  for (const path of [WELL_KNOWN, CHANGES]) {
    const body = String(shrine()[path]).replaceAll('https://example.com', path === CHANGES ? live.origin : elsewhere);
    live.site.put('127.0.0.1', `/${path}`, { body });
  }
  live.site.redirect('localhost', `/${CHANGES}`, `${elsewhere}/${CHANGES}`);
  const list = await live.check();
  expect(list.findings).toMatchObject([{ clause: 'RS-L1', seen: expect.stringContaining('on another site') }]);
  live.site.redirect('localhost', `/${WELL_KNOWN}`, `${elsewhere}/${WELL_KNOWN}`);
  const description = await live.check();
  expect(description.findings).toMatchObject([
    { clause: 'RS-S1', where: `${live.origin}/${WELL_KNOWN}`, seen: expect.stringContaining('on another site') },
  ]);
});

test('a list that is served as the gzip that it is, is read', async () => {
  const live = await liveShrine();
  const here = (path: string) => String(shrine()[path]).replaceAll('https://example.com', live.origin);
  live.put(`${CHANGES}.gz`, { body: gzipSync(here(CHANGES).replace('change="updated"', 'change="moved"')) });
  live.put(CAPABILITIES, { body: here(CAPABILITIES).replace('changelist.xml', 'changelist.xml.gz') });
  const named = await live.check();
  expect(named.findings).toMatchObject([{ clause: 'RS-L7', where: `${live.origin}/${CHANGES}.gz:6` }]);
  live.put(CAPABILITIES, { body: here(CAPABILITIES) });
  live.put(CHANGES, { body: gzipSync(here(CHANGES)) });
  const unnamed = await live.check();
  expect(unnamed.findings).toMatchObject([{ level: 'SHOULD', seen: expect.stringContaining('neither a header nor') }]);
  live.put(CHANGES, { body: gzipSync(here(CHANGES)).subarray(0, -9) });
  const damaged = await live.check();
  expect(damaged.findings).toMatchObject([{ clause: 'RS-L1', seen: expect.stringContaining('damaged') }]);
});

test('what is neither a URL nor a folder of a site is refused', async () => {
  await expect(check('ftp://example.com/', { spec: 'resourcesync' })).rejects.toThrow(UnreadableTargetError);
});

test('of a live site the packages of a dump are asked for, and not read', async () => {
  const here = (path: string) => `https://example.com/my-shrine/${path}`;
  const offer = `<url><loc>${here('dump.xml')}</loc><rs:md capability="changedump"/></url></urlset>`;
  const entry = (name: string) => `<url><loc>${here(name)}</loc><rs:md length="7"/></url>`;
  const live = await liveShrine({
    ...shrine(),
    [CAPABILITIES]: String(shrine()[CAPABILITIES]).replace('</urlset>', offer),
    'my-shrine/dump.xml': String(shrine()[CHANGES])
      .replace('changelist"', 'changedump"')
      .replace(/<url>[\s\S]*<\/url>/, entry('a.zip') + entry('b.zip')),
    'my-shrine/a.zip': 'no archive',
  });
  const { findings } = await live.check();
  expect(findings).toMatchObject([
    { clause: 'RESOURCESYNC-AUDIT', seen: expect.stringMatching(/b\.zip .* is not there/) },
  ]);
});

test('a resource that is too large to be compared is not said to be gone', async () => {
  const live = await liveShrine();
  live.put('my-shrine/', {
    headers: { 'content-encoding': 'gzip' },
    body: gzipSync(Buffer.alloc(64 * 1024 * 1024 + 1)),
  });
  expect((await live.check()).findings).toEqual([]);
});
