import { join } from 'node:path';
import { expect, test } from 'vitest';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { ForeignFileError } from '../errors/foreign-file-error.ts';
import { createFileBuiltSite } from '../io/files/built-site.ts';
import { createFileFolder } from '../io/files/folder.ts';
import { openFileLog } from '../io/state/log.ts';
import { builtSource } from '../produce/built-source.ts';
import { LOG_FILE } from '../produce/load-state.ts';
import { produce } from '../produce/produce.ts';
import { type PublishOptions, publish, STATE_PATH } from './publish.ts';

const SITE = 'https://docs.example/';
const FORMATS = ['aicf', 'llms-txt'];

const build = (text = 'Ten a month.') => ({
  'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text: 'Welcome.' }]),
  'pricing.html': htmlPage('Pricing', [{ id: 'tiers', heading: 'Tiers', text }]),
  'guides/index.html': htmlPage('Guides', [{ id: 'a', heading: 'All', text: 'Each of them.' }]),
  'guides/über uns.html': htmlPage('Us', [{ id: 'a', heading: 'We', text: 'Who we are.' }]),
});

const publishTo = (folder: TestFolder, options: Partial<PublishOptions> = {}) =>
  publish({ dir: folder.path, site: SITE, formats: FORMATS, ...options });

const markdownIn = (folder: TestFolder) => Object.keys(folder.fingerprint()).filter((name) => /\.md$|llms/.test(name));

test('a site gets a list of its pages and a Markdown twin of each, announced by few rules', async () => {
  using folder = temporaryFolder();
  folder.write(build());
  const { artifacts, suggestions } = await publishTo(folder, { title: 'Docs' });
  const written = ['guides/index.html.md', 'guides/über uns.html.md', 'index.html.md', 'llms.txt', 'pricing.html.md'];
  expect(markdownIn(folder)).toEqual(['.well-known/tidings/llms.json', ...written].sort());
  expect(artifacts).toEqual(expect.arrayContaining(written));
  expect(folder.read('pricing.html.md')).toMatch(/# Pricing\n[\s\S]*## Tiers\n\nTen a month\.\n\n<!-- tidings: https:/);
  expect(folder.read('llms.txt')).toBe(`# Docs

> An introduction to Home. First Welcome.

Each page is also there as Markdown: its address with .md behind it, index.html.md for a folder. Tidings writes both anew when a page changes.

## Pages

- [Home](https://docs.example/index.html.md): An introduction to Home. First Welcome.
- [Pricing](https://docs.example/pricing.html.md): An introduction to Pricing. Tiers Ten a month.

## guides

- [Guides](https://docs.example/guides/index.html.md): An introduction to Guides. All Each of them.
- [Us](https://docs.example/guides/%C3%BCber%20uns.html.md): An introduction to Us. We Who we are.
`);
  const headers = folder.read('_headers');
  expect(headers).toContain('/*.md\n  Content-Type: text/markdown; charset=utf-8\n');
  const link = (path: string) => `  Link: <${path}>; rel="alternate"; type="text/markdown"\n`;
  expect(headers).toContain(`\n/\n${link('/index.html.md')}`);
  expect(headers).toContain(`\n/*/\n${link('/:splat/index.html.md')}`);
  expect(headers).toContain(`\n/*.html\n${link('/:splat.html.md')}`);
  expect(headers.match(/\.md/g)).toHaveLength(4);
  expect(suggestions).toEqual([expect.stringContaining('<link rel="alternate" type="text/markdown"')]);
});

test('it is off unless it is asked for, and then nothing of it is loaded', async () => {
  using folder = temporaryFolder();
  folder.write(build());
  await publish({ dir: folder.path, site: SITE });
  expect(markdownIn(folder)).toEqual([]);
  const asked: string[] = [];
  const dialects = DIALECTS.map((dialect): Dialect => {
    const { name, projection } = dialect;
    if (projection === undefined) return dialect;
    const watched = () => {
      asked.push(name);
      return projection();
    };
    return { ...dialect, projection: watched };
  });
  await produceWith(folder, { dialects });
  expect(asked).toEqual(['aicf', 'diffdelta', 'resourcesync', 'atom', 'agent-feed', 'html', 'tlog']);
});

test('a page that changed has another twin, one that is gone has none, and the others are neither read nor written', async () => {
  using folder = temporaryFolder();
  folder.write(build());
  await publishTo(folder);
  const before = folder.fingerprint();
  expect(await publishTo(folder)).not.toHaveProperty('suggestions');
  expect(folder.fingerprint()).toEqual(before);

  folder.write({ 'pricing.html': build('Twelve a month.')['pricing.html'] });
  folder.remove('guides/über uns.html');
  const read: string[] = [];
  await produceWith(folder, { onRead: (url) => read.push(url) });
  expect(read).toEqual([]);
  const after = folder.fingerprint();
  expect(Object.keys(after)).not.toContain('guides/über uns.html.md');
  expect(folder.read('pricing.html.md')).toContain('Twelve a month.');
  expect(folder.read('llms.txt')).toContain('Tiers Twelve a month.');
  expect(folder.read('llms.txt')).not.toContain('[Us]');
  expect(after['index.html.md']).toBe(before['index.html.md']);
  // Noise in the HTML changes no twin.
  folder.write({ 'index.html': build()['index.html'].replace('© Docs', '© Docs 2027') });
  await publishTo(folder);
  expect(folder.fingerprint()['index.html.md']).toBe(before['index.html.md']);
});

test('a site that was published without it gets a twin of every page, also after its memory was lost', async () => {
  using folder = temporaryFolder();
  folder.write(build());
  await publish({ dir: folder.path, site: SITE, formats: ['aicf'] });
  expect((await publishTo(folder)).changes).toEqual([]);
  const twins = folder.fingerprint();
  expect(markdownIn(folder)).toHaveLength(6);
  folder.remove(`${STATE_PATH}/llms.json`);
  folder.remove('pricing.html.md');
  folder.remove('guides/index.html');
  await publishTo(folder);
  expect(folder.fingerprint()['pricing.html.md']).toBe(twins['pricing.html.md']);
  expect(markdownIn(folder)).toHaveLength(5);
});

test.each([
  ['llms.txt', '# Ours\n'],
  ['pricing.html.md', '# A page of the author\n'],
])('a file of the author stays as it is, and nothing is written: %s', async (name, text) => {
  using folder = temporaryFolder();
  folder.write({ ...build(), [name]: text });
  const before = folder.fingerprint();
  await expect(publishTo(folder)).rejects.toThrow(ForeignFileError);
  await expect(publishTo(folder)).rejects.toThrow(/Move it to another name, or leave llms-txt out of --formats/);
  expect(folder.fingerprint()).toEqual(before);
  // In the folder of the site it counts as well, where the output is elsewhere.
  await expect(publishTo(folder, { out: join(folder.path, 'out') })).rejects.toThrow(ForeignFileError);

  folder.remove(name);
  await publishTo(folder);
  folder.write({ [name]: text });
  await expect(publishTo(folder)).rejects.toThrow(ForeignFileError);
  expect(folder.read(name)).toBe(text);
});

test('without excerpts the list has none; a twin is the page itself, and goes with what it says', async () => {
  using folder = temporaryFolder();
  folder.write(build('hunter2'));
  await publishTo(folder);
  await publishTo(folder, { excerpts: false });
  expect(folder.read('llms.txt')).toContain('- [Pricing](https://docs.example/pricing.html.md)\n');
  expect(folder.read(`${STATE_PATH}/llms.json`)).not.toContain('hunter2');
  folder.write(build('a secret'));
  await publishTo(folder, { excerpts: false });
  expect(folder.read('pricing.html.md')).not.toContain('hunter2');
});

test('below a path, and with clean addresses', async () => {
  using folder = temporaryFolder();
  folder.write(build());
  await publishTo(folder, { site: 'https://people.example/~ann/', cleanUrls: true });
  expect(markdownIn(folder)).toContain('pricing.md');
  expect(folder.read('llms.txt')).toContain('(https://people.example/~ann/pricing.md)');
  const headers = folder.read('_headers');
  expect(headers).toContain('/~ann/*/\n  Link: </~ann/:splat/index.html.md>;');
  expect(headers).not.toContain('*.html');
});

/** Two folders of thirty pages each. */
const manyPages = (text = 'Short.') =>
  Object.fromEntries(
    Array.from({ length: 60 }, (_, page) => {
      const html = htmlPage(`Page ${page}`, [{ id: 'a', heading: 'First', text: page === 7 ? text : 'Short.' }]);
      return [`${page % 2 === 0 ? 'even' : 'odd'}/${page}.html`, html];
    }),
  );

test('a list that grows too long is one for each folder, and an edit writes that of its folder alone', async () => {
  using folder = temporaryFolder();
  folder.write({ ...build(), ...manyPages() });
  const small = { llmsBytes: 4000 };
  await publishTo(folder);
  expect(folder.read('llms.txt')).toContain('## odd\n');
  const { artifacts } = await publishTo(folder, small);
  expect(artifacts).toEqual(expect.arrayContaining(['llms.txt', 'even/llms.txt', 'odd/llms.txt']));
  const before = folder.fingerprint();
  for (const path of ['llms.txt', 'even/llms.txt', 'odd/llms.txt']) expect(folder.read(path).length).toBeLessThan(5000);
  expect(folder.read('llms.txt')).toContain('- [odd](https://docs.example/odd/llms.txt): 30 pages\n');
  expect(folder.read('odd/llms.txt')).toContain('](https://docs.example/odd/7.html.md): ');
  expect(folder.read('_headers')).toContain('/*/llms.txt\n  Content-Type: text/plain; charset=utf-8\n');
  const { artifacts: again } = await publishTo(folder, small);
  expect(again).toEqual(artifacts);
  expect(folder.fingerprint()).toEqual(before);

  folder.write(manyPages('Another text.'));
  const read: string[] = [];
  await produceWith(folder, { onRead: (url) => read.push(url), ...small });
  expect(read).toEqual([]);
  const after = folder.fingerprint();
  const written = Object.keys(after).filter((path) => after[path] !== before[path] && /llms|\.md$/.test(path));
  expect(written).toHaveLength(3);
  expect(written).toEqual(expect.arrayContaining(['odd/7.html.md', 'odd/llms.txt']));

  // Where they are not wanted any more they go, and the memory of pages stays.
  await produceWith(folder, { onRead: (url) => read.push(url) });
  expect(read).toEqual([]);
  expect(Object.keys(folder.fingerprint())).not.toContain('odd/llms.txt');
  expect(folder.read('llms.txt')).toContain('## odd\n');
});

test('the list of an author in a folder stays as it is, also when the folder wants one', async () => {
  using folder = temporaryFolder();
  folder.write({ ...build(), ...manyPages(), 'odd/llms.txt': '# By hand\n' });
  await publishTo(folder);
  await expect(publishTo(folder, { llmsBytes: 4000 })).rejects.toThrow(ForeignFileError);
  expect(folder.read('odd/llms.txt')).toBe('# By hand\n');
  folder.remove('odd/llms.txt');
  await publishTo(folder, { llmsBytes: 4000 });
  expect(folder.read('odd/llms.txt')).toContain('# docs.example: odd\n');
});

/** One publish with a look at what it asks for. */
async function produceWith(
  folder: TestFolder,
  {
    dialects,
    onRead = () => {},
    ...options
  }: {
    readonly dialects?: readonly Dialect[];
    readonly onRead?: (url: string) => void;
    readonly llmsBytes?: number;
  },
): Promise<void> {
  const state = join(folder.path, STATE_PATH);
  const source = builtSource(createFileBuiltSite(folder.path));
  const watched = {
    ...source,
    readPage(url: string) {
      onRead(url);
      return source.readPage?.(url);
    },
  };
  await produce(
    { site: SITE, ...options, ...(dialects === undefined && { formats: FORMATS }) },
    {
      dialects: dialects ?? DIALECTS,
      source: watched,
      dir: createFileFolder(folder.path),
      out: createFileFolder(folder.path),
      state: createFileFolder(state),
      statePath: STATE_PATH,
      otherStates: [],
      previous: undefined,
      nonce: () => 'nonce',
      salt: () => '0'.repeat(64),
      version: 'test',
      now: Date.now,
      openLog: (address, { changes, logParts }) =>
        openFileLog({
          file: join(state, LOG_FILE),
          site: address.href,
          known: { parts: logParts, last: changes.at(-1) },
        }),
    },
  );
}
