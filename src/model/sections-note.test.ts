import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeSectionsNote, encodeSectionsNote } from './sections-note.ts';

const none = { changed: [], added: [], removed: [] };

test('a note names sections by what became of them', () => {
  const note = encodeSectionsNote({ changed: ['a', 'b'], added: ['c'], removed: ['d'] });
  expect(note).toBe('sections changed=a,b added=c removed=d');
  expect(encodeSectionsNote({ ...none, removed: ['d'] })).toBe('sections removed=d');
  expect(encodeSectionsNote(none)).toBeUndefined();
  expect(decodeSectionsNote(`section-removed; ${note}`)).toEqual({
    changed: ['a', 'b'],
    added: ['c'],
    removed: ['d'],
    more: 0,
  });
});

test('names that would end early are escaped, and come back', () => {
  const changed = ['a b', 'x,y', 'k=v', '50%', 'p;q', 'größe', 'put~example~~2'];
  const note = encodeSectionsNote({ ...none, changed });
  expect(note).toBe('sections changed=a%20b,x%2Cy,k%3Dv,50%25,p%3Bq,größe,put~example~~2');
  expect(decodeSectionsNote(note)?.changed).toEqual(changed);
});

test('a page of many sections names the first and counts the others', () => {
  const many = Array.from({ length: 62 }, (_, index) => `s${index}`);
  const note = encodeSectionsNote({ ...none, changed: many, removed: ['gone'] }) ?? '';
  expect(note).toMatch(/,s49 more=13$/);
  expect(decodeSectionsNote(note)).toMatchObject({ changed: many.slice(0, 50), more: 13 });
  const long = encodeSectionsNote({ ...none, added: Array.from({ length: 40 }, () => ' '.repeat(200)) }) ?? '';
  expect(long.length).toBeLessThan(2100);
  expect(long).toMatch(/ more=\d+$/);
});

test.each([
  undefined,
  '',
  'text-edit',
  'sections',
  'sections ',
  'sections more=0',
  'sections changed=',
  'sections changed=%ff',
  'sections changed=a changed=b',
  'sections were moved',
  `sections changed=${'a,'.repeat(20_000)}`,
  `sections changed=${'a,'.repeat(51)}`,
])('a note of others names no section: %j', (note) => {
  expect(decodeSectionsNote(note)).toBeUndefined();
});

test('any names come back', () => {
  const names = fc.array(
    fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.toWellFormed()),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(fc.record({ changed: names, added: names, removed: names }), (sections) => {
      const note = encodeSectionsNote(sections);
      const isNone = sections.changed.length + sections.added.length + sections.removed.length === 0;
      expect(decodeSectionsNote(note)).toEqual(isNone ? undefined : { ...sections, more: 0 });
    }),
  );
});
