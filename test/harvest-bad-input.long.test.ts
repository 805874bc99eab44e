import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  capabilityList,
  change,
  changeList,
  type HarvestLab,
  index,
  sourceDescription,
  startHarvestLab,
} from './support/harvest-site.ts';

/** Puts something else in the place of a collection's documents. */
type Spoil = (lab: HarvestLab, name: string) => void;

const list = (name: string) => `/${name}/changelist.xml`;
const good = (lab: HarvestLab, name: string, ...paths: string[]) =>
  changeList(
    lab.origin,
    name,
    paths.map((path) => change(`${lab.origin}/${name}/${path}`, 'updated', '2026-01-01')),
  );
const many = (count: number) => Array.from({ length: count }, (_, at) => `n-${at}`);

/** What the author of a collection may do to it, and the code of the error that says so. */
const SPOILED: Readonly<Record<string, readonly [string, Spoil]>> = {
  'XML that is not well-formed': [
    'RESOURCESYNC-FORM',
    (lab, name) => lab.put(list(name), good(lab, name, 'x').replace('</loc>', '</lok>')),
  ],
  'XML that breaks off behind thousands of entries': [
    'RESOURCESYNC-FORM',
    (lab, name) => lab.put(list(name), good(lab, name, ...many(3000)).slice(0, -20)),
  ],
  'a DOCTYPE': ['RESOURCESYNC-FORM', (lab, name) => lab.put(list(name), `<!DOCTYPE urlset>${good(lab, name, 'x')}`)],
  'a wrong root': [
    'RESOURCESYNC-KIND',
    (lab, name) => lab.put(list(name), good(lab, name, 'x').replaceAll('urlset', 'urls')),
  ],
  'a wrong namespace': [
    'RS-S2',
    (lab, name) => lab.put(list(name), good(lab, name, 'x').replace('sitemap/0.9', 'sitemap/0.8')),
  ],
  'an unknown capability': [
    'RS-L4',
    (lab, name) =>
      lab.put(list(name), good(lab, name, 'x').replace('capability="changelist"', 'capability="wishlist"')),
  ],
  'an index in an index': [
    'RS-X3',
    (lab, name) => {
      lab.put(list(name), index('changelist', [{ loc: `${lab.origin}/${name}/inner.xml` }]));
      lab.put(`/${name}/inner.xml`, index('changelist', [{ loc: `${lab.origin}/${name}/list.xml` }]));
      lab.put(`/${name}/list.xml`, good(lab, name, 'x'));
    },
  ],
  'an index that lists itself': [
    'RS-X3',
    (lab, name) => lab.put(list(name), index('changelist', [{ loc: `${lab.origin}${list(name)}` }])),
  ],
  'a Capability List that lists itself': [
    'RS-L4',
    (lab, name) =>
      lab.put(
        `/${name}/capabilitylist.xml`,
        capabilityList(lab.origin, name, [`${lab.origin}/${name}/capabilitylist.xml`]),
      ),
  ],
  'redirects in a circle': [
    'RedirectRefusedError',
    (lab, name) => lab.put(list(name), { status: 302, headers: { location: list(name) }, body: '' }),
  ],
  'a redirect to another site': [
    'RESOURCESYNC-SITE',
    (lab, name) => {
      lab.put(list(name), {
        status: 302,
        headers: { location: `${lab.origin.replace('127.0.0.1', 'localhost')}/${name}/moved.xml` },
        body: '',
      });
      lab.put(`/${name}/moved.xml`, good(lab, name, 'x'));
    },
  ],
  'a Change List on another site': [
    'RESOURCESYNC-SITE',
    (lab, name) =>
      lab.put(`/${name}/capabilitylist.xml`, capabilityList(lab.origin, name, ['https://elsewhere.invalid/c.xml'])),
  ],
  'a Change List without a whole address': [
    'RS-L9',
    (lab, name) => lab.put(`/${name}/capabilitylist.xml`, capabilityList(lab.origin, name, [list(name)])),
  ],
  'a Change List with a password, beside another': [
    'RS-L9',
    (lab, name) => {
      const lists = [`${lab.origin}${list(name)}`, `${lab.origin.replace('//', '//me:secret@')}${list(name)}`];
      lab.put(`/${name}/capabilitylist.xml`, capabilityList(lab.origin, name, lists));
    },
  ],
  'an index with a list without a whole address': [
    'RS-L9',
    (lab, name) => {
      lab.put(list(name), index('changelist', [{ loc: `${lab.origin}/${name}/1.xml` }, { loc: '2.xml' }]));
      lab.put(`/${name}/1.xml`, good(lab, name, 'x'));
    },
  ],
  'a Change List behind another port': [
    'RESOURCESYNC-SITE',
    (lab, name) =>
      lab.put(`/${name}/capabilitylist.xml`, capabilityList(lab.origin, name, ['http://127.0.0.1:22/changelist.xml'])),
  ],
  'a huge entry': [
    'RESOURCESYNC-LIMIT',
    (lab, name) => lab.put(list(name), good(lab, name, 'x').replace('</url>', `<x a="${'x'.repeat(300_000)}"/></url>`)),
  ],
  'a million entries': [
    'BodyTooLargeError',
    (lab, name) =>
      lab.put(list(name), (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': 110_000_000 });
        response.write(good(lab, name, ...many(100)));
      }),
  ],
  'another encoding': [
    'RESOURCESYNC-FORM',
    (lab, name) => lab.put(list(name), { body: Buffer.from(good(lab, name, 'caf\u00e9'), 'latin1') }),
  ],
  'an HTML page': [
    'RESOURCESYNC-FORM',
    (lab, name) => lab.put(list(name), '<!doctype html><title>Not found</title><p>Sorry'),
  ],
  'nothing at all': ['RESOURCESYNC-FORM', (lab, name) => lab.put(list(name), '')],
  'gzip that is damaged': [
    'RESOURCESYNC-LIMIT',
    (lab, name) => lab.put(list(name), { body: gzipSync(good(lab, name, 'x')).subarray(0, -12) }),
  ],
  'a body that is cut': [
    'TruncatedBodyError',
    (lab, name) =>
      lab.put(list(name), (response: ServerResponse) => {
        const body = good(lab, name, 'x');
        response.writeHead(200, { 'content-length': body.length + 10 });
        response.write(body, () => response.destroy());
      }),
  ],
  'a body that never ends': [
    'DeadlineError',
    (lab, name) =>
      lab.put(list(name), (response: ServerResponse) => void response.write(good(lab, name, 'x').slice(0, -9))),
  ],
  'a list that is gone': ['HTTP-404', (lab, name) => lab.remove(list(name))],
  'a server that fails': ['HTTP-500', (lab, name) => lab.put(list(name), { status: 500, body: good(lab, name, 'x') })],
};

test('what is wrong with a collection is an error of it alone, changes nothing, and is forgotten when it is mended', async () => {
  await using lab = await startHarvestLab();
  const cases = Object.entries(SPOILED).map(([title, [code, spoil]], at) => ({
    title,
    code,
    spoil,
    name: `bad-${at}`,
  }));
  const collections = (path: string, healthy: readonly string[] = []) => ({
    ...Object.fromEntries(
      cases.map(({ name }) => [name, [change(`${lab.origin}/${name}/${path}`, 'updated', '2026-01-01')]]),
    ),
    healthy,
  });
  lab.publish(collections('before'));
  expect((await lab.harvest()).errors).toEqual([]);
  const feeds = () => Promise.all(cases.map(({ name }) => readFile(join(lab.out, `${name}.atom`), 'utf8')));
  const before = await feeds();

  const healthy = change(`${lab.origin}/healthy/1`, 'created', '2026-01-01');
  lab.publish(collections('before', [healthy]));
  for (const { spoil, name } of cases) spoil(lab, name);
  const failed = await lab.harvest({ timeoutMs: 1000 });
  const codes = cases.map(({ title, name }) => {
    const errors = failed.errors.filter(({ describes }) => describes === `${lab.origin}/${name}/`);
    return [title, errors.map(({ code }) => code)];
  });
  expect(codes).toEqual(cases.map(({ title, code }) => [title, [code]]));
  expect(failed.collections).toMatchObject([{ describes: `${lab.origin}/healthy/`, changes: 1 }]);
  expect(await feeds()).toEqual(before);
  expect(await readFile(join(lab.out, 'site.atom'), 'utf8')).not.toMatch(/bad-\d+\/(?:x|n-)/);

  lab.publish(collections('x', [healthy]));
  const mended = await lab.harvest();
  expect(mended.collections.map(({ changes }) => changes)).toEqual([...cases.map(() => 1), 0]);
});

test.each<readonly [string, Spoil]>([
  ['gzip without a header', (lab, name) => lab.put(list(name), { body: gzipSync(good(lab, name, 'x')) })],
  [
    'another media type',
    (lab, name) => lab.put(list(name), { headers: { 'content-type': 'text/html' }, body: good(lab, name, 'x') }),
  ],
  ['a missing up', (lab, name) => lab.put(list(name), good(lab, name, 'x').replace(/<rs:ln rel="up"[^>]*>/, ''))],
  [
    'a foreign up',
    (lab, name) =>
      lab.put(list(name), good(lab, name, 'x').replace(/(rel="up" href=)"[^"]*"/, '$1"https://elsewhere.invalid/"')),
  ],
  [
    'other prefixes',
    (lab, name) => lab.put(list(name), good(lab, name, 'x').replaceAll('rs:', 'q:').replace('xmlns:rs', 'xmlns:q')),
  ],
])('%s is read all the same', async (_, spoil) => {
  await using lab = await startHarvestLab();
  lab.publish({ bad: [] });
  spoil(lab, 'bad');
  expect(await lab.harvest()).toMatchObject({ collections: [{ changes: 1 }], errors: [] });
});

test('a Source Description that is none is an error', async () => {
  await using lab = await startHarvestLab();
  lab.put('/.well-known/resourcesync', '<!doctype html><p>Hello');
  expect(await lab.harvest()).toMatchObject({
    collections: [],
    errors: [{ code: 'RESOURCESYNC-FORM' }],
    isComplete: false,
  });
  lab.put('/.well-known/resourcesync', index('description', [{ loc: `${lab.origin}/.well-known/resourcesync` }]));
  expect(await lab.harvest()).toMatchObject({ errors: [{ code: 'RS-X3' }] });
  const crowd = Array.from({ length: 10_001 }, (_, at) => `c-${at}`);
  lab.put('/.well-known/resourcesync', sourceDescription(lab.origin, crowd));
  expect(await lab.harvest()).toMatchObject({ collections: [], errors: [{ code: 'RESOURCESYNC-LIMIT' }] });
  // One of them is found however many there are.
  lab.put('/c-10000/capabilitylist.xml', capabilityList(lab.origin, 'c-10000', []));
  const [last] = (await lab.harvest({ collection: `${lab.origin}/c-10000/` })).collections;
  expect(last?.describes).toBe(`${lab.origin}/c-10000/`);
});

test('a Capability List without a whole address is an error, and the others are read', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: [change(`${lab.origin}/a/1`, 'created', '2026-01-01')], b: [] });
  const description = sourceDescription(lab.origin, ['a', 'b']);
  lab.put('/.well-known/resourcesync', description.replace(`<loc>${lab.origin}/b/`, '<loc>/b/'));
  const report = await lab.harvest();
  expect(report).toMatchObject({ collections: [{ changes: 1 }], errors: [{ code: 'RS-L9' }], isComplete: false });
});

test('an index may name many thousands of lists', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: [] });
  const lists = Array.from({ length: 6000 }, (_, at) => ({ loc: `${lab.origin}/a/${at}.xml`, until: '2020-02-01' }));
  lab.put('/a/changelist.xml', index('changelist', lists));
  expect(await lab.harvest()).toMatchObject({ errors: [{ code: 'HTTP-404', url: `${lab.origin}/a/0.xml` }] });
});

test('of too many Change Lists it is said how many there are and how many were read', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: [] });
  const lists = Array.from({ length: 130 }, (_, at) => `${lab.origin}/a/changelist.xml?${at}`);
  lab.put('/a/capabilitylist.xml', capabilityList(lab.origin, 'a', lists));
  for (const url of lists) lab.put(url.slice(lab.origin.length), changeList(lab.origin, 'a', []));
  const [fault] = (await lab.harvest()).errors;
  expect(fault?.message).toContain('It names 130 Change Lists');
  expect(fault?.message).toContain('Only the first 100 were read.');
});
