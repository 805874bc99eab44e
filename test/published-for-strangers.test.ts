import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publish } from '../src/doors/publish.ts';
import { temporaryFolder } from './support/site.ts';

const SITE = 'https://docs.example/';
const page = (text: string, head = '') =>
  `<!doctype html><title>T</title>${head}<main><h1 id="a">A</h1><p>${text}</p><h2 id="b">B</h2><p>More.</p></main>`;
const DATED = '<meta property="article:published_time" content="2024-05-01T10:00:00Z">';

async function published(edit: (write: (name: string, html: string) => Promise<void>) => Promise<void>, dir: string) {
  await edit((name, html) => writeFile(join(dir, name), html));
  await publish({ dir, site: SITE });
  return (path: string) => readFile(join(dir, path), 'utf8');
}

test('Change Lists have the time of each page that is there, as the Resource List has it', async () => {
  using folder = temporaryFolder();
  await published(async (write) => {
    for (const name of ['a.html', 'b.html', 'c.html']) await write(name, page(`First ${name}`));
  }, folder.path);
  const read = await published(async (write) => {
    await write('a.html', page('Second'));
    await write('d.html', page('New'));
  }, folder.path);
  const entries = (xml: string) =>
    new Map(
      xml
        .split('<url>')
        .slice(1)
        .map((entry) => [
          /<loc>(.*?)<\/loc>/.exec(entry)?.[1],
          { lastmod: /<lastmod>(.*?)<\/lastmod>/.exec(entry)?.[1], datetime: /datetime="(.*?)"/.exec(entry)?.[1] },
        ]),
    );
  const changes = entries(await read('resourcesync/changelist.xml'));
  const resources = entries(await read('resourcesync/resourcelist.xml'));
  expect(changes.size).toBe(4);
  for (const [loc, { lastmod, datetime }] of changes) {
    expect(lastmod, loc).toBe(datetime);
    expect(lastmod, loc).toBe(resources.get(loc)?.lastmod);
  }
});

test('an item of DiffDelta has the date that its page declares, keeps it, and stands in the order of these dates', async () => {
  using folder = temporaryFolder();
  const first = await published(async (write) => {
    await write('a.html', page('No date.'));
    await write('z.html', page('A date.', DATED));
  }, folder.path);
  interface Feed {
    readonly buckets: Record<string, readonly { readonly id: string; readonly published_at: string }[]>;
  }
  const feed = async (read: typeof first): Promise<Feed> => JSON.parse(await read('diff/docs_example/latest.json'));
  const created = (await feed(first)).buckets.new;
  expect(created?.map(({ id }) => id)).toEqual([`${SITE}z.html`, `${SITE}a.html`]);
  expect(created?.[0]?.published_at).toBe('2024-05-01T10:00:00.000Z');
  const second = await published(
    (write) => write('z.html', page('Edited.', DATED.replace('2024', '2025'))),
    folder.path,
  );
  expect((await feed(second)).buckets.updated?.[0]?.published_at).toBe('2024-05-01T10:00:00.000Z');
});

test('a static site says that it answers, unless it has a file of its own for that', async () => {
  using folder = temporaryFolder();
  const read = await published((write) => write('a.html', page('One')), folder.path);
  expect(JSON.parse(await read('healthz.json'))).toEqual({
    ok: true,
    service: 'tidings',
    time: JSON.parse(await read('diff/head.json')).generated_at,
  });
  expect(JSON.parse(await read('.well-known/diffdelta.json')).endpoints.healthz).toBe(`${SITE}healthz.json`);
  expect(await read('_headers')).toContain('/healthz.json');

  using other = temporaryFolder();
  await writeFile(join(other.path, 'healthz.json'), '{"status":"mine"}');
  const own = await published((write) => write('a.html', page('One')), other.path);
  expect(await own('healthz.json')).toBe('{"status":"mine"}');
  expect(JSON.parse(await own('.well-known/diffdelta.json')).endpoints).not.toHaveProperty('healthz');
});
