import { rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/site.ts';
import { FolderError } from '../../errors/folder-error.ts';
import type { BuiltSite } from '../../model/folder.ts';
import { createFileBuiltSite } from './built-site.ts';

test('HTML files are listed in a fixed order; names that begin with a dot are not', () => {
  using folder = temporaryFolder();
  folder.write({
    'b.html': '',
    'a/index.htm': '',
    'c.xhtml': '',
    'x.css': '',
    '.git/p.html': '',
    '.well-known/q.html': '',
  });
  expect(createFileBuiltSite(folder.path).list()).toEqual({
    paths: ['a/index.htm', 'b.html', 'c.xhtml'],
    failures: [],
  });
});

test('links are followed inside the folder, never out of it and never in a circle', () => {
  using folder = temporaryFolder();
  using outside = temporaryFolder();
  outside.write({ 'secret.html': 'x' });
  folder.write({ 'v1/page.html': 'x', 'file.html': 'x' });
  symlinkSync(join(folder.path, 'v1'), join(folder.path, 'latest'));
  symlinkSync(join(folder.path, 'file.html'), join(folder.path, 'alias.html'));
  symlinkSync(folder.path, join(folder.path, 'v1', 'loop'));
  symlinkSync(outside.path, join(folder.path, 'out'));
  symlinkSync(join(folder.path, 'v1'), join(folder.path, 'stable'));
  symlinkSync(join(outside.path, 'secret.html'), join(folder.path, 'secret.html'));
  const { paths, failures } = createFileBuiltSite(folder.path).list();
  expect(paths).toEqual(['alias.html', 'file.html', 'latest/page.html', 'stable/page.html', 'v1/page.html']);
  expect(failures).toMatchObject([{ file: join(folder.path, 'secret.html') }]);
});

test('links that lead to each other end', () => {
  using folder = temporaryFolder();
  folder.write({ 'a/one.html': 'x', 'b/two.html': 'x' });
  symlinkSync(join(folder.path, 'b'), join(folder.path, 'a', 'to-b'));
  symlinkSync(join(folder.path, 'a'), join(folder.path, 'b', 'to-a'));
  const { paths } = createFileBuiltSite(folder.path).list();
  expect(paths).toContain('a/to-b/two.html');
  expect(paths.length).toBeLessThan(10);
});

test('a link that leads nowhere is a page that cannot be read, if it is named like one', () => {
  using folder = temporaryFolder();
  symlinkSync('nowhere', join(folder.path, 'dead.html'));
  symlinkSync('nowhere', join(folder.path, 'dead'));
  const site = createFileBuiltSite(folder.path);
  expect(site.list()).toEqual({ paths: ['dead.html'], failures: [] });
  expect(() => site.read('dead.html')).toThrow('ENOENT');
});

test('a file is read whole, also when it is larger than the buffer', () => {
  using folder = temporaryFolder();
  const large = 'x'.repeat(600_000);
  folder.write({ 'small.html': 'small', 'large.html': large, 'empty.html': '', 'exact.html': 'y'.repeat(512 * 1024) });
  const site = createFileBuiltSite(folder.path);
  const text = (path: string) => Buffer.from(site.read(path)).toString();
  expect(text('large.html')).toBe(large);
  expect(text('small.html')).toBe('small');
  expect(text('empty.html')).toBe('');
  expect(text('exact.html')).toHaveLength(512 * 1024);
});

test('a file that is gone is an error, not an empty page', () => {
  using folder = temporaryFolder();
  folder.write({ 'a.html': 'x' });
  const site = createFileBuiltSite(folder.path);
  expect(site.list().paths).toEqual(['a.html']);
  rmSync(join(folder.path, 'a.html'));
  expect(() => site.read('a.html')).toThrow('ENOENT');
});

test('what is not a folder is refused', () => {
  using folder = temporaryFolder();
  folder.write({ file: '' });
  expect(() => createFileBuiltSite(join(folder.path, 'absent'))).toThrow(FolderError);
  expect(() => createFileBuiltSite(join(folder.path, 'file'))).toThrow(/not a folder/);
});

test('what a folder and its stamps say moves when a page is written, replaced, added or removed, and with nothing else', () => {
  using folder = temporaryFolder();
  folder.write({ 'a.html': 'one', 'b/c.html': 'two', 'x.css': '' });
  const site = createFileBuiltSite(folder.path);
  const seen = new Set([fingerprintOf(site)]);
  folder.write({ 'x.css': 'body {}', '.hidden/p.html': 'x' });
  site.read('a.html');
  expect(fingerprintOf(site)).toBe([...seen][0]);
  const steps = [
    () => folder.write({ 'a.html': 'one and more' }),
    () => utimesSync(join(folder.path, 'a.html'), 1000, 1000),
    () => folder.write({ 'd.html': '' }),
    () => folder.remove('b'),
    () => symlinkSync('nowhere', join(folder.path, 'dead.html')),
  ];
  for (const step of steps) {
    step();
    seen.add(fingerprintOf(site));
  }
  expect(seen.size).toBe(steps.length + 1);
});

function fingerprintOf(site: BuiltSite): string {
  const { paths, failures } = site.list();
  return JSON.stringify([paths.map((path) => [path, site.stampOf(path)]), failures]);
}
