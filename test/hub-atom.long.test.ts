import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type RunningHub, startHub } from '../src/doors/hub.ts';
import { clause } from './clause.ts';
import { entriesIn } from './support/atom-lab.ts';
import { type LiveSite, startLiveSite } from './support/live-site.ts';
import { validAtom } from './support/xml-validity.ts';

const TOKEN = 'test-token-of-the-atom-hub';
const PAGE = (limit: string) => `<title>Limits</title><h1>Limits</h1><h2 id="rate">Rate</h2><p>${limit}</p>`;

let folder: string;
let hub: RunningHub;
let shrine: LiveSite;

function start(): Promise<RunningHub> {
  const docs = {
    id: 'docs',
    kind: 'folder' as const,
    path: './site',
    site: 'https://docs.example/',
    title: 'The docs',
  };
  const quiet = { id: 'quiet', kind: 'folder' as const, path: './not-there', site: 'https://quiet.example/' };
  const collections = { id: 'shrine', kind: 'feed' as const, dialect: 'resourcesync' as const, url: shrine.url };
  const sources = [{ ...docs, intervalSeconds: 1 }, quiet, collections];
  return startHub({ port: 0, allowPrivate: true, sources }, { base: folder, token: TOKEN });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-hub-atom-'));
  await writeSite('60 requests a minute.');
  shrine = await startShrine();
  hub = await start();
  await untilEntries(1);
});

afterAll(async () => {
  await hub.close();
  await shrine[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** A site of two collections, `/fox/` and `/owl/`, by ResourceSync. */
async function startShrine(): Promise<LiveSite> {
  const site = await startLiveSite();
  const document = (capability: string, body: string) => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
${body.replace('<rs:md/>', `<rs:md capability="${capability}" from="2026-01-01T00:00:00Z"/>`)}
</urlset>`;
  const listOf = (path: string, capability: string) =>
    `<url><loc>${site.url}${path}</loc><rs:md capability="${capability}"/></url>`;
  const names = ['fox', 'owl'];
  const capabilityLists = names.map((name) => listOf(`${name}/capabilitylist.xml`, 'capabilitylist'));
  site.put({ '/.well-known/resourcesync': document('description', `<rs:md/>${capabilityLists.join('')}`) });
  for (const name of names) {
    const head = `<rs:ln rel="up" href="${site.url}.well-known/resourcesync"/><rs:ln rel="describes" href="${site.url}${name}/"/><rs:md/>`;
    const change = `<url><loc>${site.url}${name}/story</loc><rs:md change="updated" datetime="2026-03-01T10:00:00Z"/></url>`;
    site.put({
      [`/${name}/capabilitylist.xml`]: document('capabilitylist', head + listOf(`${name}/changes.xml`, 'changelist')),
      [`/${name}/changes.xml`]: document(
        'changelist',
        `<rs:ln rel="up" href="${site.url}${name}/capabilitylist.xml"/><rs:md/>${change}`,
      ),
    });
  }
  return site;
}

/** In one step: a check may come at any moment. */
async function writeSite(limit: string): Promise<void> {
  await mkdir(join(folder, 'site'), { recursive: true });
  await writeFile(join(folder, 'next.html'), PAGE(limit));
  await rename(join(folder, 'next.html'), join(folder, 'site', 'index.html'));
}

async function untilEntries(count: number): Promise<void> {
  const found = async () => entriesIn(await (await ask('atom/docs.atom')).text()).length;
  await vi.waitFor(async () => expect(await found()).toBe(count), { timeout: 60_000, interval: 50 });
}

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(new URL(path, hub.url), init);
}

/** As it comes over the wire. */
function raw(path: string, headers: Record<string, string>): Promise<{ encoding: string | undefined; body: Buffer }> {
  return new Promise((resolve, reject) => {
    httpGet(new URL(path, hub.url), { headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) });
    }).on('error', reject);
  });
}

test('people follow a hub by Atom: a feed with type, ETag and CORS, whole, in gzip, or not at all when nothing is new', async () => {
  for (const path of ['atom/docs.atom', 'changes.atom']) {
    const answer = await ask(path, { headers: { 'accept-encoding': 'identity' } });
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(await validAtom(text)).toEqual([]);
    expect(text).toContain(`<link rel="self" type="application/atom+xml" href="${hub.url}${path}"/>`);
    expect(text).toContain('https://docs.example/');

    const etag = answer.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    const again = await ask(path, { headers: { 'if-none-match': etag, 'accept-encoding': 'identity' } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    const packed = await raw(path, { 'accept-encoding': 'gzip' });
    expect([packed.encoding, gunzipSync(packed.body).toString()]).toEqual(['gzip', text]);
    const head = await ask(path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      answer.headers.get('content-length'),
      '',
    ]);
  }
});

test('a source without changes has a feed without entries, and what is not there is 404', async () => {
  const empty = await (await ask('atom/quiet.atom')).text();
  expect(await validAtom(empty)).toEqual([]);
  expect(entriesIn(empty)).toEqual([]);
  for (const path of [
    'atom/nobody.atom',
    'atom/docs.xml',
    'atom/docs/none.atom',
    'atom/_all.atom',
    'atom/docs/_archive/1.atom',
    'atom/docs/none/_archive/1.atom',
    'changes/_archive/1.atom',
    'changes/_archive/0.atom',
    'changes/_archive/x.atom',
  ]) {
    const answer = await ask(path);
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 404, 'application/problem+json']);
  }
});

test('the page of the hub leads to the feeds', async () => {
  const html = await (await ask('')).text();
  expect(html).toContain(
    '<link rel="alternate" type="application/atom+xml" title="All changes" href="./changes.atom">',
  );
  expect(await (await ask('sources/docs')).text()).toContain('atom/docs.atom');
  const openApi = JSON.stringify(await (await ask('openapi.json')).json());
  expect(openApi).toContain('/atom/{source}/{collection}/_archive/{file}');
});

test('a change is one entry more, and earlier ones keep their bytes, also over a restart', async () => {
  const [first] = entriesIn(await (await ask('atom/docs.atom')).text());
  await writeSite('100 requests a minute.');
  await untilEntries(2);
  const before = await (await ask('atom/docs.atom')).text();
  expect(entriesIn(before)[1]).toBe(first);
  expect(before).toContain('https://docs.example/#rate');
  const all = entriesIn(await (await ask('changes.atom')).text());
  await hub.close();
  hub = await start();
  expect(entriesIn(await (await ask('atom/docs.atom')).text())).toEqual(entriesIn(before));
  expect(entriesIn(await (await ask('changes.atom')).text())).toEqual(all);
});

clause(
  ['RS-G5', 'RS-G6'],
  'a hub has a feed for each collection of a source, and one for the whole source',
  async () => {
    const textOf = async (path: string) => (await ask(path)).text();
    await vi.waitFor(async () => expect(entriesIn(await textOf('atom/shrine.atom'))).toHaveLength(2), 60_000);
    const [fox, owl, whole] = [
      await textOf('atom/shrine/fox.atom'),
      await textOf('atom/shrine/owl.atom'),
      await textOf('atom/shrine.atom'),
    ];
    expect(await validAtom(fox, owl, whole)).toEqual([]);
    for (const [text, own, other] of [
      [fox, 'fox', 'owl'],
      [owl, 'owl', 'fox'],
    ] as const) {
      expect(entriesIn(text)).toHaveLength(1);
      expect(entriesIn(whole), 'the same entry').toContain(entriesIn(text)[0]);
      expect(text).toContain(`${shrine.url}${own}/story`);
      expect(text).not.toContain(`${other}/story`);
      expect(text).toContain(`<link rel="alternate" type="text/html" href="${shrine.url}${own}/"/>`);
    }

    const ids = [fox, owl, whole].map((text) => /<id>(.*?)<\/id>/.exec(text)?.[1]);
    expect(new Set(ids).size).toBe(3);
    await vi.waitFor(async () => expect(await textOf('sources/shrine')).toContain('atom/shrine/owl.atom'), 60_000);
  },
);
