import { expect, test } from 'vitest';
import { decodeTermsNote, encodeTermsNote, type TermsNote } from './terms-note.ts';
import { decodeUses, encodeUses, isUses, mayUse } from './uses.ts';

test.each<[string, TermsNote]>([
  ['terms ai-train=unknown>no', { isOfSite: false, before: {}, after: { 'ai-train': 'no' } }],
  [
    'terms site search=yes>no ai-input=no>unknown',
    { isOfSite: true, before: { search: 'yes', 'ai-input': 'no' }, after: { search: 'no' } },
  ],
])('%s', (note, terms) => {
  expect(encodeTermsNote(terms)).toBe(note);
  expect(decodeTermsNote(note)).toEqual(terms);
  expect(decodeTermsNote(`${note}; title-changed`)).toEqual(terms);
});

test.each(['', 'terms', 'terms site', 'terms of use', 'text-edit; terms ai-train=yes>no', 'terms ai-train=maybe>no'])(
  'this is no such note: %s',
  (note) => {
    expect(decodeTermsNote(note)).toBeUndefined();
  },
);

test('uses have one spelling, and what is no answer says nothing', () => {
  expect(encodeUses({ 'ai-train': 'no', search: 'yes' })).toBe('search=yes ai-train=no');
  expect(decodeUses('search=yes ai-train=no constructor=no ai-input=maybe')).toEqual({
    search: 'yes',
    'ai-train': 'no',
  });
  expect(decodeUses('')).toEqual({});
  expect([isUses({ search: 'no' }), isUses({ search: 'maybe' }), isUses({ other: 'no' }), isUses([])]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect([mayUse({}, 'ai-input'), mayUse({ 'ai-input': 'no' }, 'ai-input')]).toEqual([true, false]);
});
