import { expect, test } from 'vitest';
import { encodeZip, packFile } from '../../../codecs/zip/encode-zip.ts';
import { memorySource } from '../../../codecs/zip/memory-source.ts';
import { readZipDirectory } from '../../../codecs/zip/read-directory.ts';
import { packageNames } from './package-names.ts';

const SITE = new URL('https://docs.example/base/');

function namesOf(...paths: string[]): string[] {
  return [
    ...packageNames(
      paths.map((path) => SITE.href + path),
      SITE,
    ).values(),
  ];
}

test('names are much like addresses', () => {
  expect(namesOf('', 'guide/', 'a.html', 'b', 'c.HTM', 'caf%C3%A9/')).toEqual([
    'resources/index.html',
    'resources/guide/index.html',
    'resources/a.html',
    'resources/b.html',
    'resources/c.HTM',
    'resources/caf%C3%A9/index.html',
  ]);
});

test.each([
  ['one name but for its case', ['A.html', 'a.html']],
  ['one name but for its ending', ['a', 'a.html']],
  ['a file that is a folder', ['a.html', 'a.html/']],
  ['a folder that is a file', ['a.html/', 'a.html']],
])('%s: each page has a name of its own', async (_what, paths) => {
  const names = namesOf(...paths);
  expect(names[1]).toMatch(/^resources\/~[0-9a-f]{32}\.html$/);
  const zip = encodeZip(names.map((name) => packFile(name, new Uint8Array(), (bytes) => bytes)));
  if (!zip.ok) throw new Error(zip.issues[0].message);
  expect(await readZipDirectory(memorySource(zip.value), { maxEntries: 9, maxBytes: 9 })).toMatchObject({ ok: true });
});

test.each(['a:b.html', '.hidden', '~x', 'x/../../y', 'a?b', `${'x'.repeat(200)}`, 'a//b', 'dot./x'])(
  'what makes no good name gets one: %s',
  (path) => {
    expect(namesOf(path)).toEqual([expect.stringMatching(/^resources\/~[0-9a-f]{32}\.html$/)]);
  },
);

test('an address of another site gets a name as well', () => {
  const [name] = packageNames(['https://other.example/a'], SITE).values();
  expect(name).toMatch(/^resources\/~[0-9a-f]{32}\.html$/);
});
