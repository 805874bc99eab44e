import { expect, test } from 'vitest';
import { decodeEntry } from '../codecs/tlog/decode-entry.ts';
import type { Change } from '../model/change.ts';
import { changeEntryBytes, lineOfEarlier, logEntryOf, textsOf } from './entry-of-change.ts';

const SALT = '11'.repeat(32);
const CHANGE: Change = {
  seq: 7,
  id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  source: 'docs',
  kind: 'page',
  action: 'update',
  url: 'https://docs.example/',
  anchor: 'prices',
  time: '2026-11-18T01:02:03Z',
  checksum: `sha256:${'0'.repeat(64)}`,
  title: 'Prices',
  before: 'It was 7.',
  salts: { title: SALT, before: '22'.repeat(32) },
  provenance: { by: 'compare', extractor: '1' },
};

test('an entry tells what changed, and its texts by salted hashes only', () => {
  const decoded = decodeEntry(changeEntryBytes(CHANGE));
  expect(decoded.ok && decoded.value).toEqual({ entry: logEntryOf(CHANGE), isCanonical: true });
  const text = Buffer.from(changeEntryBytes(CHANGE)).toString();
  expect(text).not.toContain('Prices');
  expect(text).not.toContain('It was 7');
  expect(Object.keys(logEntryOf(CHANGE).hashed)).toEqual(['before', 'title']);
});

test('texts stand beside it with their salts, and one that has none is not told', () => {
  expect(textsOf(CHANGE).title).toEqual({ salt: SALT, text: 'Prices' });
  const { salts: _, ...unsalted } = CHANGE;
  expect(textsOf(unsalted)).toEqual({});
  expect(logEntryOf(unsalted).hashed).toEqual({});
});

test('a URL that is too long for an entry stands by its hash', () => {
  const long = changeEntryBytes({ ...CHANGE, url: `https://docs.example/${'a'.repeat(70_000)}` });
  expect(long.length).toBeLessThan(2000);
  expect(decodeEntry(long).ok).toBe(true);
});

test('what was before the log is committed to without its texts, so that they can be erased', () => {
  const { title, before, salts, ...erased } = CHANGE;
  expect(lineOfEarlier(CHANGE)).toBe(lineOfEarlier(erased));
  expect(lineOfEarlier(CHANGE)).not.toBe(lineOfEarlier({ ...CHANGE, url: 'https://docs.example/x' }));
});
