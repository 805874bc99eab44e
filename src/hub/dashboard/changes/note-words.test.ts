import { expect, test } from 'vitest';
import { noteSentences, usesWords } from './note-words.ts';

test('hints for machines become sentences, one for each', () => {
  expect(noteSentences('text-edit')).toEqual(['The words of the section are others than at the look before.']);
  expect(
    noteSentences('anchor-renamed: tiers -> plans; title-changed; sections added=plans removed=tiers more=2'),
  ).toEqual([
    'The section “tiers” is called “plans” now.',
    'The page has another title.',
    'Sections added: plans; removed: tiers; and 2 more.',
  ]);
  expect(noteSentences('terms site ai-train=unknown>no search=no>yes')).toEqual([
    'Its publisher says otherwise of its use, and of that of the whole site: search: yes, before no; training of models: no, before unsaid.',
  ]);
  expect(noteSentences('moved-to=https://a.example/; moved-from=https://b.example/')).toEqual([
    'It is at https://a.example/ now.',
    'It was at https://b.example/ before.',
  ]);
});

test('what nobody knows is told as it is', () => {
  expect(noteSentences('constructor; something else; sections nonsense')).toEqual([
    'constructor',
    'something else',
    'sections nonsense',
  ]);
  expect(noteSentences('')).toEqual([]);
  expect(usesWords({})).toBe('nothing is said');
});
