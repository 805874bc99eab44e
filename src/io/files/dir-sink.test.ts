import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../../test/support/site.ts';
import { PAGE_URL, syncedPage } from '../../../test/support/synced-page.ts';
import { pageFileUrl } from '../../sync/front-matter.ts';
import { describeSink } from '../../sync/sink.contract.ts';
import { pageUrls, type SinkLab, watchBy } from '../../sync/sink-lab.contract.ts';
import { openDirSink } from './dir-sink.ts';

const HOST = 'docs.example';

async function openDirLab(): Promise<SinkLab & { readonly root: string }> {
  const folder = temporaryFolder();
  const root = join(folder.path, 'mirror');
  const read = async (url: string) => {
    for (const file of await markdownFiles(root)) {
      const text = await readFile(join(root, file), 'utf8');
      if (pageFileUrl(text) === url) return text.replace(/^---\n[\s\S]*?\n---\n/, '').trim();
    }
    return '';
  };
  return {
    root,
    open: () => openDirSink(root),
    read,
    watch: async (url) => watchBy(() => read(url)),
    async dump() {
      const names = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
      const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      return await Promise.all(files.sort().map(async (file) => [file, await readFile(file, 'utf8')]));
    },
    breakdowns: {
      'the folder is a file': async () => {
        let fired = 0;
        await rename(root, `${root}-away`);
        await writeFile(root, 'not a folder');
        fired += 1;
        return {
          fired: () => fired,
          async mend() {
            rmSync(root);
            await rename(`${root}-away`, root);
          },
        };
      },
    },
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  };
}

async function markdownFiles(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.md'));
  return files.map(({ parentPath, name }) => relative(root, join(parentPath, name))).sort();
}

describeSink('a folder', openDirLab);

test('files lie where their addresses say, and a folder is its index', async () => {
  await using lab = await openDirLab();
  const sink = await lab.open();
  const urls = ['', 'guide/start', 'guide/', 'a.html', 'list?page=2', 'list?page=3', 'a*b', `${'x'.repeat(300)}`];
  for (const path of urls) await sink.put(syncedPage([['', 'text']], { url: `https://${HOST}/${path}` }));
  const files = await markdownFiles(lab.root);
  expect(files).toContain(`${HOST}/index.md`);
  expect(files).toContain(`${HOST}/guide/start.md`);
  expect(files).toContain(`${HOST}/guide/index.md`);
  expect(files).toContain(`${HOST}/a.html.md`);
  expect(files.filter((file) => /list-page=[23]~[0-9a-f]{8}\.md$/.test(file))).toHaveLength(2);
  expect(files).toHaveLength(urls.length);
  expect(Math.max(...files.map((file) => Math.max(...file.split('/').map((part) => part.length))))).toBeLessThan(200);
});

test('a page whose name is a folder already, or the other way round, has another name', async () => {
  await using lab = await openDirLab();
  const sink = await lab.open();
  const urls = ['a', 'a.md/b', 'c.md/d', 'c'].map((path) => `https://${HOST}/${path}`);
  for (const url of urls) await sink.put(syncedPage([['', `text of ${url}`]], { url }));
  for (const url of urls) expect(await lab.read(url)).toBe(`text of ${url}`);
});

test.each([
  'Plain title',
  'Limits: what to ask for',
  '- not a list',
  '#hash',
  'a "quoted" \\ title',
  'two\nlines: x\n---\nurl: https://evil.example/',
  '2026-11-17',
  'null',
  'yes',
  '1.0',
  '',
  ' spaces ',
  'line\u2028end\u0085and\u007f',
  '{a: b}',
  '👩‍👩‍👧 = family',
  '漢字',
  'ends with colon:',
  'a #comment',
  '%YAML 1.2',
  '@at `tick` | pipe > gt & amp * star ! bang',
])('front matter says a title as it is: %j', async (title) => {
  await using lab = await openDirLab();
  const page = syncedPage([['', 'text']], { title });
  await (await lab.open()).put(page);
  const [file = ''] = await markdownFiles(lab.root);
  const text = readFileSync(join(lab.root, file), 'utf8');
  const [, header = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const { url, checksum, updated, source } = page;
  expect(parse(header)).toEqual({ url, title, checksum, updated, source });
  expect(parse(header, { version: '1.1', schema: 'failsafe' })).toMatchObject({ title });
});

test('what sync did not write is neither changed nor removed', async () => {
  await using lab = await openDirLab();
  const file = join(lab.root, HOST, 'guide/index.md');
  mkdirSync(join(lab.root, HOST, 'guide'), { recursive: true });
  writeFileSync(file, '# Mine\n');
  const sink = await lab.open();
  await expect(sink.put(syncedPage([['', 'text']]))).rejects.toMatchObject({
    name: 'ForeignFileError',
    recovery: 'fix-input',
    message: expect.stringContaining(file),
  });
  await sink.remove(PAGE_URL);
  expect(readFileSync(file, 'utf8')).toBe('# Mine\n');
  expect(await pageUrls(sink)).toEqual([]);
});

test('a file that somebody has replaced stays when its page is removed', async () => {
  await using lab = await openDirLab();
  const sink = await lab.open();
  await sink.put(syncedPage([['', 'text']]));
  const file = join(lab.root, HOST, 'guide/index.md');
  writeFileSync(file, '# Mine\n');
  await sink.remove(PAGE_URL);
  expect(readFileSync(file, 'utf8')).toBe('# Mine\n');
  expect(await pageUrls(sink)).toEqual([]);
});

test('a file that was edited or deleted is not held as it was, and the next put writes it again', async () => {
  await using lab = await openDirLab();
  const sink = await lab.open();
  const page = syncedPage([['', 'text']]);
  await sink.put(page);
  const file = join(lab.root, HOST, 'guide/index.md');
  const written = readFileSync(file, 'utf8');
  for (const damage of [() => writeFileSync(file, `${written}more`), () => rmSync(file)]) {
    damage();
    expect((await sink.held(PAGE_URL))?.checksum).toBe('');
    await sink.put(page);
    expect(readFileSync(file, 'utf8')).toBe(written);
    expect((await sink.held(PAGE_URL))?.checksum).toBe(page.checksum);
  }
});

test('folders that are empty go with their last page, and others stay', async () => {
  await using lab = await openDirLab();
  const sink = await lab.open();
  const [deep, other] = ['x/y/z', 'x/w'].map((path) => `https://${HOST}/${path}`);
  await sink.put(syncedPage([['', 'text']], { url: deep ?? '' }));
  await sink.put(syncedPage([['', 'text']], { url: other ?? '' }));
  await sink.remove(deep ?? '');
  expect(existsSync(join(lab.root, HOST, 'x/y'))).toBe(false);
  expect(readdirSync(join(lab.root, HOST, 'x'))).toEqual(['w.md']);
});

test('facts that are damaged, or name a file outside, are none', async () => {
  await using lab = await openDirLab();
  const sink = await lab.open();
  await sink.put(syncedPage([['', 'text']]));
  const [name = ''] = readdirSync(join(lab.root, '.tidings-sync'));
  const facts = join(lab.root, '.tidings-sync', name);
  const outside = join(lab.root, '..', 'outside.md');
  writeFileSync(outside, readFileSync(join(lab.root, HOST, 'guide/index.md')));
  const whole = JSON.parse(readFileSync(facts, 'utf8'));
  for (const text of ['{', 'null', '[]', JSON.stringify({ ...whole, file: '../outside.md' })]) {
    writeFileSync(facts, text);
    expect(await sink.held(PAGE_URL)).toBeUndefined();
    await sink.remove(PAGE_URL);
    expect(existsSync(outside)).toBe(true);
  }
  await sink.put(syncedPage([['', 'new']]));
  expect(await lab.read(PAGE_URL)).toBe('new');
});
