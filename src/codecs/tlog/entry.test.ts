import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { decodeEntry } from './decode-entry.ts';
import {
  earlierLine,
  encodeCheckedList,
  encodeEntry,
  hashCheckedList,
  isEntryText,
  redactedEntries,
} from './encode-entry.ts';
import { type ChangeLogEntry, LOG_FORMAT, type LogEntry, type RedactedLogEntry, TEXT_FIELDS } from './entry.ts';
import { hashText, hashTexts, judgeTexts } from './hashed-text.ts';
import { accepted, bytesOf, clauseOf, sha256, sha256Hex } from './tlog-fixtures.contract.ts';

const HASH = `sha256:${'ab'.repeat(32)}`;
const TIME = '2026-11-18T01:02:03Z';
const SALT = '0f'.repeat(32);
const CHANGE: ChangeLogEntry = {
  ...{ v: 1, type: 'change', id: '01JD0000000000000000000000', seq: 7, source: 'docs', kind: 'page', action: 'update' },
  ...{ url: 'https://docs.example/', anchor: 'prices', time: TIME, checksum: HASH, provenance: { by: 'compare' } },
  hashed: { title: HASH },
};
const REDACTED: RedactedLogEntry = {
  ...{ v: 1, type: 'redacted', id: CHANGE.id, time: TIME, fields: ['title'] },
  artifacts: [
    { path: 'changes.ndjson', before: HASH, after: HASH },
    { path: 'gone.xml', before: HASH },
  ],
};
const ENTRIES: readonly LogEntry[] = [
  {
    v: 1,
    type: 'begin',
    origin: 'docs.example/.well-known/tidings',
    time: TIME,
    format: LOG_FORMAT,
    count: 118,
    earlier: HASH,
  },
  CHANGE,
  { v: 1, type: 'checked', time: TIME, since: TIME, count: 12, list: HASH, after: 0 },
  { v: 1, type: 'artifact', path: 'changes.ndjson', sha256: 'ab'.repeat(32), bytes: 5120, after: 7 },
  REDACTED,
];
const textOf = (entry: LogEntry) => new TextDecoder().decode(encodeEntry(entry, sha256));
const decoded = (text: string) => decodeEntry(bytesOf(text));

clause('TL-O1', 'every type of entry is written in canonical form, and read strictly', () => {
  for (const entry of ENTRIES) {
    const text = textOf(entry);
    expect(accepted(decoded(text))).toEqual({ entry, isCanonical: true });
    expect(accepted(decoded(` ${text}`))).toEqual({ entry, isCanonical: false });
    expect(accepted(decoded(JSON.stringify(entry)))).toEqual({ entry, isCanonical: JSON.stringify(entry) === text });
    for (const name of Object.keys(entry)) {
      const { [name]: _, ...without } = { ...entry } as Record<string, unknown>;
      const isOptional = ['anchor', 'checksum'].includes(name);
      expect(decoded(JSON.stringify(without)).ok, `${entry.type} without ${name}`).toBe(isOptional);
      expect(clauseOf(decoded(JSON.stringify({ ...entry, [name]: [null] }))), `${entry.type}: ${name}`).toBe('TL-O1');
    }
    expect(clauseOf(decoded(JSON.stringify({ ...entry, more: 1 })))).toBe('TL-O1');
  }
  expect(textOf(CHANGE)).toMatch(/^\{"action":"update","anchor":"prices","checksum":"sha256:/);
});

test.each([
  '',
  '[]',
  '"x"',
  'null',
  '{',
  '{"v":1}',
  '{"v":2,"type":"change"}',
  '{"v":1,"type":"toString"}',
  '{"v":1,"type":"__proto__"}',
  '{"v":1,"v":1,"type":"checked"}',
  `${'['.repeat(20)}${']'.repeat(20)}`,
])('%j is no entry', (text) => {
  expect(clauseOf(decoded(text))).toBe('TL-O1');
});

test('bytes that are no UTF-8 and too many bytes are no entry', () => {
  expect(clauseOf(decodeEntry(Uint8Array.of(0x22, 0xff, 0x22)))).toBe('TL-O1');
  expect(clauseOf(decodeEntry(new Uint8Array(65_536)))).toBe('TL-E3');
  fc.assert(fc.property(fc.json(), (text) => void decoded(text)));
});

clause('TL-O2', 'texts stand by salted hashes, and each salt has 32 bytes', () => {
  const text = 'Prices: 10 €';
  const texts = { title: { salt: SALT, text }, before: { salt: 'f0'.repeat(32), text } };
  const hashed = hashTexts(texts, sha256);
  expect(hashed.title).toBe(`sha256:${sha256Hex(Buffer.concat([Buffer.from(SALT, 'hex'), Buffer.from(text)]))}`);
  expect(hashed.before).not.toBe(hashed.title);
  expect(textOf({ ...CHANGE, hashed })).not.toContain('Prices');
  const all = hashTexts(Object.fromEntries(TEXT_FIELDS.map((field) => [field, { salt: SALT, text }])), sha256);
  expect(decoded(textOf({ ...CHANGE, hashed: all })).ok).toBe(true);
  for (const salt of ['', SALT.slice(2), `${SALT}00`, SALT.toUpperCase().replace('0F', '0G'), SALT.toUpperCase()]) {
    expect(hashText({ salt, text }, sha256), salt).toBeUndefined();
    expect(() => hashTexts({ title: { salt, text } }, sha256)).toThrow('title');
  }
  const altered = { title: { salt: SALT, text: 'Prices' }, note: { salt: SALT, text } };
  expect([...judgeTexts(hashed, altered, sha256)].sort()).toEqual([
    ['before', 'redacted'],
    ['note', 'unknown'],
    ['title', 'altered'],
  ]);
  expect([...judgeTexts(hashed, texts, sha256).values()]).toEqual(['proven', 'proven']);
});

clause('TL-O3', 'a field that makes an entry too long stands by its hash', () => {
  const url = `https://docs.example/${'a'.repeat(70_000)}`;
  const bytes = encodeEntry({ ...CHANGE, url }, sha256);
  expect(bytes.length).toBeLessThan(1000);
  const { entry, isCanonical } = accepted(decodeEntry(bytes));
  expect(isCanonical).toBe(true);
  expect(entry).toMatchObject({ url: { sha256: sha256Hex(url) }, anchor: 'prices' });
  expect(isEntryText(url, { sha256: sha256Hex(url) }, sha256)).toBe(true);
  expect(isEntryText('other', { sha256: sha256Hex(url) }, sha256)).toBe(false);
  expect(isEntryText('prices', 'prices', sha256)).toBe(true);
  const both = encodeEntry({ ...CHANGE, url, anchor: 'b'.repeat(66_000) }, sha256);
  expect(accepted(decodeEntry(both)).entry).toMatchObject({ anchor: { sha256: expect.any(String) } });
  const fits = { ...CHANGE, url: 'u'.repeat(65_535 - textOf({ ...CHANGE, url: '' }).length) };
  expect(encodeEntry(fits, sha256)).toHaveLength(65_535);
  expect(() => encodeEntry({ ...CHANGE, id: 'i'.repeat(70_000) }, sha256)).toThrow(RangeError);
});

test('a redaction of many files is told in several entries, each short enough', () => {
  const artifacts = Array.from({ length: 2000 }, (_, at) => ({
    path: `archive/${at}.ndjson`,
    before: HASH,
    after: HASH,
  }));
  const entries = [...redactedEntries({ ...REDACTED, artifacts })];
  expect(entries.length).toBeGreaterThan(3);
  expect(entries.flatMap((entry) => entry.artifacts)).toEqual(artifacts);
  for (const entry of entries) expect(encodeEntry(entry, sha256).length).toBeLessThanOrEqual(65_535);
  expect([...redactedEntries(REDACTED)]).toEqual([REDACTED]);
});

test('a list of checks has one text whatever the order, and earlier records a line each', () => {
  const list = [
    { source: 'b', time: TIME },
    { source: 'a', time: TIME },
  ];
  expect(encodeCheckedList(list)).toBe(`[{"source":"a","time":"${TIME}"},{"source":"b","time":"${TIME}"}]`);
  expect(hashCheckedList(list.toReversed(), sha256)).toBe(hashCheckedList(list, sha256));
  expect(hashCheckedList([], sha256)).toBe(`sha256:${sha256Hex('[]')}`);
  expect(earlierLine({ b: 1, a: 2 })).toBe('{"a":2,"b":1}\n');
});
