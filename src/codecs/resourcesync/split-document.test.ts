import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { encodeChangeListIndex, encodeResourceSync, type WrittenDocument } from './encode.ts';
import { indexEntry, splitDocument } from './split-document.ts';
import type { ResourceEntry } from './wire.ts';

const FROM = Date.UTC(2022, 0, 1);
const UP = { rel: 'up', href: 'https://example.com/capabilitylist.xml' };

function listOf(times: readonly number[]): WrittenDocument {
  const entries = times.map(
    (time, at): ResourceEntry<number> => ({
      loc: `https://example.com/${'ä'.repeat(time % 50)}/${at}`,
      md: { change: 'updated', datetime: FROM + time },
      links: [],
    }),
  );
  return { capability: 'changelist', isIndex: false, md: { from: FROM }, links: [UP], entries };
}

function split(
  document: WrittenDocument,
  limits: { maxEntries?: number; maxBytes?: number },
): readonly WrittenDocument[] {
  const parts = splitDocument(document, limits);
  if (!parts.ok) throw new Error(parts.issues[0].message);
  return parts.value;
}

const timesArbitrary = fc
  .array(fc.nat({ max: 100_000 }), { maxLength: 30 })
  .map((times) => times.toSorted((a, b) => a - b));
const limitsArbitrary = fc.record({
  maxEntries: fc.integer({ min: 1, max: 7 }),
  maxBytes: fc.integer({ min: 900, max: 3000 }),
});

clause(['RS-L11', 'RS-L6'], 'every list keeps the limits, all but the last are closed, and no change is lost', () => {
  fc.assert(
    fc.property(timesArbitrary, limitsArbitrary, (times, limits) => {
      const whole = listOf(times);
      const parts = split(whole, limits);
      expect(parts.flatMap(({ entries }) => entries)).toEqual(whole.entries);
      for (const part of parts) expect(encodeResourceSync(part, limits)).toMatchObject({ ok: true });
      expect(parts.map(({ md }) => md.until === undefined)).toEqual(parts.map((_, at) => at === parts.length - 1));
      expect(parts.map(({ md }) => md.from)).toEqual([FROM, ...parts.slice(0, -1).map(({ md }) => md.until)]);
    }),
  );
});

clause('RS-L11', 'what is closed stays byte for byte when more is added', () => {
  fc.assert(
    fc.property(timesArbitrary, limitsArbitrary, fc.nat({ max: 30 }), (times, limits, count) => {
      const later = split(listOf(times), limits).map((part) => encodeResourceSync(part));
      const earlier = split(listOf(times.slice(0, count)), limits).map((part) => encodeResourceSync(part));
      expect(later.slice(0, earlier.length - 1)).toEqual(earlier.slice(0, -1));
    }),
  );
});

clause('RS-G10', 'an index says the time of each list, and no end of the open one', () => {
  const parts = split(listOf([1, 2, 3, 4, 5]), { maxEntries: 2 });
  const entries = parts.map((part, at) => indexEntry(`https://example.com/changes-${at}.xml`, part));
  expect(entries.map(({ md }) => md)).toEqual([
    { from: FROM, until: FROM + 2 },
    { from: FROM + 2, until: FROM + 4 },
    { from: FROM + 4 },
  ]);
  expect(encodeChangeListIndex({ md: { from: FROM }, links: [UP], entries }).ok).toBe(true);
});

test('a list that is full is open until there is more', () => {
  expect(split(listOf([1, 2]), { maxEntries: 2 })).toEqual([listOf([1, 2])]);
  expect(split(listOf([]), { maxEntries: 2 })).toEqual([listOf([])]);
});

test('a list that was closed as a whole stays closed at its end', () => {
  const closed = { ...listOf([1, 2, 3]), md: { from: FROM, until: FROM + 10 } };
  expect(split(closed, { maxEntries: 2 }).map(({ md }) => md.until)).toEqual([FROM + 2, FROM + 10]);
});

test('a Resource List is split without times of its own', () => {
  const list = { ...listOf([1, 2, 3]), capability: 'resourcelist' as const, md: { at: FROM } };
  expect(split(list, { maxEntries: 2 }).map(({ md }) => md)).toEqual([{ at: FROM }, { at: FROM }]);
});

test('50,001 changes are two lists', () => {
  const parts = split(listOf(Array.from({ length: 50_001 }, (_, at) => at)), {});
  expect(parts.map(({ entries }) => entries.length)).toEqual([50_000, 1]);
});

test('what cannot be written is refused, unless it need not be written to know that it fits', () => {
  const bad = { ...listOf([1]), entries: [{ loc: '/relative', md: {}, links: [] }] };
  expect(splitDocument(bad)).toMatchObject({ ok: true });
  expect(encodeResourceSync(bad)).toMatchObject({ ok: false });
  expect(splitDocument(bad, { maxBytes: 1000 })).toMatchObject({ ok: false, issues: [{ clause: 'RS-L9' }] });
});
