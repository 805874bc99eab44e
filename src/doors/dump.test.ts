import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltArchive, type BuiltFile, buildZip } from '../../test/support/zip-builder.ts';
import { DumpRefusedError } from '../errors/dump-error.ts';
import { FolderError } from '../errors/folder-error.ts';
import { readDump, unpackDump } from './dump.ts';

const HEAD = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidings-dump-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function manifest(...entries: string[]): BuiltFile {
  const root = `<rs:md capability="resourcedump-manifest" at="2026-01-01T00:00:00Z"/>`;
  return { name: 'manifest.xml', content: `${HEAD}${root}${entries.join('')}</urlset>` };
}

function entry(path: string, md = ''): string {
  return `<url><loc>https://example.com${path}</loc><rs:md path="${path}" ${md}/></url>`;
}

const PAGE: BuiltFile = { name: 'resources/a.html', content: '<p>A' };
const NAMED = manifest(entry('/resources/a.html', `hash="sha-256:${hash('sha256', '<p>A')}" length="4"`));

async function reasonOf(files: readonly BuiltFile[], archive?: BuiltArchive, limits = {}): Promise<string> {
  try {
    await readDump(buildZip(files, archive), limits);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof DumpRefusedError)) throw error;
    return `${error.reason}: ${error.message}`;
  }
}

test('a package gives its entries with their bytes', async () => {
  const dump = await readDump(buildZip([NAMED, PAGE]));
  expect(dump).toMatchObject({ capability: 'resourcedump-manifest', problems: [] });
  expect(dump.entries.map(({ loc, file }) => [loc, file])).toEqual([
    ['https://example.com/resources/a.html', 'resources/a.html'],
  ]);
  expect(String(await dump.entries[0]?.read())).toBe('<p>A');
});

test.each<[string, BuiltFile]>([
  ['stored', { ...PAGE, method: 0 }],
  ['with an ASCII name and no flag for UTF-8', { ...PAGE, flags: 0 }],
  ['of a system without modes', { ...PAGE, mode: 0 }],
  ['with its sizes behind it', described(16)],
  ['with its sizes behind it, without their mark', described(12)],
  ['with its sizes behind it in eight bytes', described(24)],
])('a file %s is read', async (_what, file) => {
  const dump = await readDump(buildZip([NAMED, { name: 'resources/', mode: 0o040755, method: 0 }, file]));
  expect(String(await dump.entries[0]?.read())).toBe('<p>A');
});

/** A file as a program writes it that cannot go back: with a descriptor of so many bytes behind it. */
function described(length: 12 | 16 | 24): BuiltFile {
  const flags = (1 << 11) | (1 << 3);
  const crc = buildZip([PAGE]).readUInt32LE(14);
  const packedSize = deflateRawSync('<p>A').length;
  const behind = Buffer.alloc(length);
  const at = length === 12 ? 0 : behind.writeUInt32LE(0x08074b50);
  behind.writeUInt32LE(crc, at);
  behind.writeUInt32LE(packedSize, at + 4);
  behind.writeUInt32LE(4, length === 24 ? at + 12 : at + 8);
  return { ...PAGE, flags, behind, local: { crc: 0, size: 0 } };
}

test.each<[string, string, string | Buffer]>([
  ['absolute', 'absolute', '/etc/passwd'],
  ['leading out', 'leads out', '../evil.html'],
  ['leading out further in', 'leads out', 'a/../../evil.html'],
  ['with a backslash', 'backslash', '..\\evil.html'],
  ['with a drive letter', 'drive', 'C:evil.html'],
  ['with a NUL', 'control', 'a.html\0.png'],
  ['with a line feed', 'control', 'a\nb'],
  ['with a direction override', 'control', 'a\u202elmth.exe'],
  ['that is not UTF-8', 'UTF-8', Buffer.from([0x61, 0xff])],
  ['with a part that is a dot', 'name nothing', './a'],
  ['with an empty part', 'name nothing', 'a//b'],
  ['that is empty', 'empty', ''],
])('a name %s is refused', async (_what, why, name) => {
  const said = await reasonOf([NAMED, PAGE, { name, content: 'x' }]);
  expect(said).toMatch(/^ZIP-NAME: /);
  expect(said).toContain(why);
});

test('a second name in the Unicode field is refused where it is another', async () => {
  const field = (name: string) => {
    const extra = Buffer.alloc(9 + name.length);
    extra.writeUInt16LE(0x7075, 0);
    extra.writeUInt16LE(5 + name.length, 2);
    extra.write(name, 9);
    return extra;
  };
  expect(await reasonOf([NAMED, { ...PAGE, extra: field('resources/b.html') }])).toMatch(/^ZIP-NAME/);
  expect(await reasonOf([NAMED, { ...PAGE, extra: field('resources/a.html') }])).toBe('accepted');
});

test.each<[string, string, readonly BuiltFile[], BuiltArchive?]>([
  ['a symbolic link', 'ZIP-SPECIAL', [{ name: 'link', content: '/etc', mode: 0o120777 }]],
  ['a device', 'ZIP-SPECIAL', [{ name: 'dev', mode: 0o020666 }]],
  ['a folder that is named like a file', 'ZIP-SPECIAL', [{ name: 'sub', mode: 0o040755 }]],
  ['a folder with content', 'ZIP-SPECIAL', [{ name: 'sub/', content: 'x', mode: 0o040755 }]],
  ['an encrypted file', 'ZIP-ENCRYPTED', [{ name: 'x', content: 'x', flags: (1 << 11) | 1 }]],
  ['a masked header', 'ZIP-ENCRYPTED', [{ name: 'x', content: 'x', flags: (1 << 11) | (1 << 13) }]],
  ['another method', 'ZIP-METHOD', [{ name: 'x', content: 'x', method: 12 }]],
  ['a name twice', 'ZIP-DOUBLE', [{ ...PAGE, content: 'other' }]],
  ['a name twice but for its case', 'ZIP-DOUBLE', [{ name: 'Resources/A.HTML', content: 'x' }]],
  [
    'a name twice but for the form of its accents',
    'ZIP-DOUBLE',
    [
      { name: 'caf\u00e9', content: 'x' },
      { name: 'cafe\u0301', content: 'x' },
    ],
  ],
  ['a file that is a folder, too', 'ZIP-DOUBLE', [{ name: 'resources', content: 'x' }]],
  ['another name before the file', 'ZIP-LOCAL', [{ name: 'x', content: 'x', local: { name: 'y' } }]],
  ['another method before the file', 'ZIP-LOCAL', [{ name: 'x', content: 'x', local: { method: 0 } }]],
  ['another checksum before the file', 'ZIP-LOCAL', [{ name: 'x', content: 'x', local: { crc: 1 } }]],
  ['another length before the file', 'ZIP-LOCAL', [{ name: 'x', content: 'x', local: { size: 2 } }]],
  ['other flags before the file', 'ZIP-LOCAL', [{ name: 'x', content: 'x', local: { flags: 0 } }]],
  ['two entries with one place', 'ZIP-LAYOUT', [{ name: 'x', content: 'x', start: 0 }]],
  ['a file that reaches into the next', 'ZIP-LAYOUT', [{ name: 'x', content: 'x', packedSize: 40 }, { name: 'y' }]],
  ['something between the files', 'ZIP-LAYOUT', [{ name: 'x', content: 'x', behind: Buffer.from('hidden') }]],
  ['something behind deflated data', 'ZIP-LAYOUT', [{ name: 'x', content: 'x', data: trailing('x') }]],
  ['something before the files', 'ZIP-LAYOUT', [], { before: Buffer.from('#!/bin/sh\n') }],
  ['something before the directory', 'ZIP-LAYOUT', [], { beforeDirectory: Buffer.from('hidden') }],
  ['something behind the end', 'ZIP-LAYOUT', [], { after: Buffer.from('hidden') }],
  ['another archive behind the end', 'ZIP-LAYOUT', [], { after: buildZip([PAGE]) }],
  ['another archive in the comment', 'ZIP-LAYOUT', [], { comment: buildZip([PAGE]) }],
  ['a directory that is longer than it says', 'ZIP-FORM', [], { count: 1 }],
  ['a directory that is shorter than it says', 'ZIP-FORM', [], { count: 9 }],
  ['a file with two lengths', 'ZIP-FORM', [{ name: 'x', content: 'xy', method: 0, size: 1 }]],
  ['the mark of ZIP64', 'ZIP-LIMIT', [], { beforeEnd: zip64Locator() }],
  ['sizes of ZIP64', 'ZIP-LIMIT', [{ name: 'x', content: 'x', extra: Buffer.from([1, 0, 0, 0]) }]],
  ['a wrong checksum', 'ZIP-DAMAGED', [{ name: 'x', content: 'x', crc: 1 }]],
  ['data that cannot be inflated', 'ZIP-DAMAGED', [{ name: 'x', content: 'x', data: Buffer.from([0xff, 0xff]) }]],
  ['a file that says less than it unpacks to', 'ZIP-BOMB', [{ name: 'x', content: 'x'.repeat(9), size: 8 }]],
  ['a file that says more than it unpacks to', 'ZIP-BOMB', [{ name: 'x', content: 'x', size: 9 }]],
  ['a file that packs too well', 'ZIP-BOMB', [{ name: 'x', content: Buffer.alloc(2 ** 20 + 1) }]],
])('an archive with %s is refused: %s', async (_what, reason, files, archive) => {
  expect(await reasonOf([NAMED, PAGE, ...files], archive)).toMatch(new RegExp(`^${reason}: `));
});

test('bytes that only a careful look finds are refused', async () => {
  const whole = buildZip([NAMED, PAGE]);
  const directory = whole.readUInt32LE(whole.length - 6);
  const second = whole.indexOf('PK\u0001\u0002', directory + 4);
  const place = whole.readUInt32LE(second + 42);
  const altered: [string, (bytes: Buffer) => unknown][] = [
    ['ZIP-FORM', (bytes) => bytes.writeUInt16LE(1, bytes.length - 18)],
    ['ZIP-FORM', (bytes) => bytes.writeUInt16LE(1, bytes.length - 14)],
    ['ZIP-FORM', (bytes) => bytes.writeUInt16LE(1, directory + 34)],
    ['ZIP-FORM', (bytes) => bytes.writeUInt8(0, directory)],
    ['ZIP-FORM', (bytes) => bytes.writeUInt16LE(9999, second + 32)],
    ['ZIP-LAYOUT', (bytes) => bytes.writeUInt32LE(place, directory + 42)],
    ['ZIP-LAYOUT', (bytes) => bytes.writeUInt32LE(1, directory + 42)],
    ['ZIP-LAYOUT', (bytes) => bytes.writeUInt32LE(9, second + 42)],
    ['ZIP-LAYOUT', (bytes) => bytes.writeUInt32LE(directory - 9, second + 42)],
    ['ZIP-LAYOUT', (bytes) => bytes.writeUInt32LE(0xfffffff0, second + 42)],
    ['ZIP-LOCAL', (bytes) => bytes.writeUInt8(0, place)],
  ];
  for (const [at, [reason, alter]] of altered.entries()) {
    const bytes = Buffer.from(whole);
    alter(bytes);
    await expect(readDump(bytes), `alteration ${at}`).rejects.toMatchObject({ reason });
  }
});

test('a directory with something behind its last entry is refused', async () => {
  const bytes = buildZip([NAMED, PAGE], { beforeEnd: Buffer.alloc(4) });
  const size = bytes.length - 10;
  bytes.writeUInt32LE(bytes.readUInt32LE(size) + 4, size);
  await expect(readDump(bytes)).rejects.toMatchObject({ reason: 'ZIP-FORM' });
});

test('whatever byte of a package is another one, it is refused or gives the same', async () => {
  const whole = buildZip([NAMED, PAGE, { name: 'unnamed.html', content: 'x'.repeat(50), method: 0 }]);
  let refused = 0;
  for (let at = 0; at < whole.length; at += 1) {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 8)), at);
    try {
      const { entries } = await readDump(bytes);
      for (const { read } of entries) expect(String(await read())).toBe('<p>A');
    } catch (error) {
      expect(error, `byte ${at}`).toBeInstanceOf(DumpRefusedError);
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(whole.length / 2);
});

test('what makes a reader work is bounded before it is read', async () => {
  expect(await reasonOf([NAMED, PAGE, { name: 'x'.repeat(1025) }])).toMatch(/^ZIP-NAME: .* over 1024/);
  const folders = Array.from({ length: 1002 }, (_, at) => ({ name: `f${at}/`, mode: 0o040755, method: 0 }));
  expect(await reasonOf([NAMED, ...folders], {}, { maxEntries: 1 })).toMatch(/^ZIP-LIMIT/);
});

function trailing(content: string): Buffer {
  return Buffer.concat([deflateRawSync(content), Buffer.from('hidden')]);
}

function zip64Locator(): Buffer {
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50);
  return locator;
}

test('an archive is refused that has too many files, unpacks to too much, or is none', async () => {
  expect(await reasonOf([NAMED, PAGE, { name: 'b' }], {}, { maxEntries: 1 })).toMatch(/^ZIP-LIMIT/);
  expect(await reasonOf([NAMED, PAGE], {}, { maxEntries: 1 })).toBe('accepted');
  expect(await reasonOf([NAMED, PAGE], {}, { maxBytes: 100 })).toMatch(/^ZIP-BOMB/);
  for (const bytes of ['', 'PK', '<html>', 'x'.repeat(100_000)]) {
    await expect(readDump(Buffer.from(bytes))).rejects.toMatchObject({ reason: 'ZIP-FORM' });
  }
  const whole = buildZip([NAMED, PAGE]);
  for (let length = 0; length < whole.length; length += 1) {
    await expect(readDump(whole.subarray(0, length))).rejects.toThrow(DumpRefusedError);
  }
});

test('a package needs a manifest that is one', async () => {
  expect(await reasonOf([PAGE])).toMatch(/^DUMP-MANIFEST/);
  expect(await reasonOf([{ name: 'manifest.xml', content: '<html>' }])).toMatch(/^DUMP-MANIFEST/);
  expect(await reasonOf([{ name: 'manifest.xml', content: Buffer.from([0xff]) }])).toMatch(/^DUMP-MANIFEST/);
  const list = `${HEAD}<rs:md capability="resourcelist" at="2026-01-01T00:00:00Z"/></urlset>`;
  expect(await reasonOf([{ name: 'manifest.xml', content: list }])).toMatch(/^DUMP-MANIFEST/);
});

test('entries that the archive does not bear out are left out and told', async () => {
  const entries = [
    entry('/resources/a.html', 'length="5"'),
    entry('/b.html', `hash="md5:${'0'.repeat(32)}"`),
    entry('/c.html'),
    entry('/manifest.xml'),
    entry('/d.html', `hash="md5:${hash('md5', 'd')} sha-1:${hash('sha1', 'd')} constructor:0 __proto__:0"`),
  ];
  const more = ['b.html', 'd.html', 'e.html'].map((name) => ({ name, content: name.slice(0, 1) }));
  const dump = await readDump(buildZip([manifest(...entries), PAGE, ...more]));
  expect(dump.entries.map(({ file }) => file)).toEqual(['d.html']);
  expect(dump.problems.map(({ kind }) => kind).sort()).toEqual(['hash', 'length', 'manifest', 'missing', 'unnamed']);
});

test('a path without the slash that it must begin with is understood, and told', async () => {
  const xml = String(manifest(entry('/a.html')).content).replace('path="/a', 'path="a');
  const dump = await readDump(
    buildZip([
      { name: 'manifest.xml', content: xml },
      { name: 'a.html', content: 'a' },
    ]),
  );
  expect(dump.entries.map(({ file }) => file)).toEqual(['a.html']);
  expect(dump.problems).toMatchObject([{ kind: 'manifest' }]);
});

test('a Change Dump has changes in their order, and what was deleted without bytes', async () => {
  const md = (attributes: string, at: number) => `<rs:md ${attributes} datetime="2026-01-01T0${at}:00:00Z"/>`;
  const url = (name: string, said: string) => `<url><loc>https://example.com/${name}</loc>${said}</url>`;
  const entries = [
    url('a', md('change="created" path="/changes/a"', 1)),
    url('b', md('change="deleted"', 2)),
    url('a', md('change="updated" path="/changes/a-v2"', 3)),
  ];
  const root = `<rs:md capability="changedump-manifest" from="2026-01-01T00:00:00Z" until="2026-01-02T00:00:00Z"/>`;
  const content = `${HEAD}${root}${entries.join('')}</urlset>`;
  const files = ['a', 'a-v2'].map((name) => ({ name: `changes/${name}`, content: name }));
  const file = join(folder, 'changes.zip');
  writeFileSync(file, buildZip([{ name: 'manifest.xml', content }, ...files]));
  const dump = await readDump(file);
  const read = await Promise.all(dump.entries.map(async (each) => [each.md.change, (await each.read())?.toString()]));
  expect(read).toEqual([
    ['created', 'a'],
    ['deleted', undefined],
    ['updated', 'a-v2'],
  ]);
  const report = await unpackDump({ file, to: join(folder, 'changes') });
  expect(report).toMatchObject({ capability: 'changedump-manifest', deleted: ['https://example.com/b'], problems: [] });
});

test('a package is unpacked below a folder, and its manifest after it', async () => {
  const file = join(folder, 'good.zip');
  const to = join(folder, 'new', 'copy');
  writeFileSync(file, buildZip([NAMED, PAGE, { name: 'unnamed.html', content: 'x' }]));
  const report = await unpackDump({ file, to });
  expect(report.files).toEqual([{ path: 'resources/a.html', loc: 'https://example.com/resources/a.html', bytes: 4 }]);
  expect(report.problems).toMatchObject([{ kind: 'unnamed' }]);
  expect(readdirSync(to, { recursive: true }).sort()).toEqual(['manifest.xml', 'resources', 'resources/a.html']);
  expect(readFileSync(join(to, 'resources/a.html'), 'utf8')).toBe('<p>A');
});

test('nothing is written where a package is refused, or where a link lies in the way', async () => {
  const bad = join(folder, 'bad.zip');
  writeFileSync(bad, buildZip([NAMED, PAGE, { name: '../evil', content: 'x' }]));
  await expect(unpackDump({ file: bad, to: join(folder, 'bad') })).rejects.toThrow(DumpRefusedError);
  expect(existsSync(join(folder, 'bad'))).toBe(false);

  const good = join(folder, 'two.zip');
  writeFileSync(good, buildZip([manifest(entry('/z/a.html'), entry('/resources/a.html')), { name: 'z/a.html' }, PAGE]));
  const [outside, to] = [join(folder, 'outside'), join(folder, 'linked')];
  mkdirSync(outside);
  mkdirSync(to);
  symlinkSync(outside, join(to, 'resources'));
  await expect(unpackDump({ file: good, to })).rejects.toThrow(FolderError);
  expect(readdirSync(outside)).toEqual([]);
  expect(readdirSync(to)).toEqual(['resources']);

  rmSync(join(to, 'resources'));
  mkdirSync(join(to, 'resources'));
  writeFileSync(join(outside, 'target'), 'mine');
  symlinkSync(join(outside, 'target'), join(to, 'resources', 'a.html'));
  await expect(unpackDump({ file: good, to })).rejects.toThrow(FolderError);
  expect(readFileSync(join(outside, 'target'), 'utf8')).toBe('mine');
});
