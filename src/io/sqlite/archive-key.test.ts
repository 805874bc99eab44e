import { expect, test } from 'vitest';
import { archiveKey, archivePathOf } from './archive-key.ts';

test('the key of a path is short, says all of it, and rises with time', () => {
  const path = 'archive/docs_ü/2026/02/05/20260205T120000Z_9bab0adf65dd.json';
  expect(archivePathOf(archiveKey(path))).toBe(path);
  expect(archiveKey(path).length).toBe(20);
  const later = archiveKey('archive/a/2026/02/06/20260206T000000Z_000000000000.json');
  expect(Buffer.compare(archiveKey(path), later)).toBe(-1);
});

test.for([
  'archive/docs/2026/02/05/a.json',
  'archive/docs/2026/02/05/20260206T120000Z_9bab0adf65dd.json',
  'archive/docs/2026/02/05/20260205T120000Z_9BAB0ADF65DD.json',
  '',
])('a path of another shape is its own key: %j', (path) => {
  expect(archiveKey(path).toString()).toBe(path);
});
