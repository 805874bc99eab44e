import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchBudget } from './edits.ts';
import { diffWords, type WordDiff } from './word-diff.ts';

/** `the [-old-]{+new+} words`. */
function shown({ words }: WordDiff): string {
  const signs = { same: ['', ''], old: ['[-', '-]'], new: ['{+', '+}'] } as const;
  return words.map(({ is, text }) => `${signs[is][0]}${text}${signs[is][1]}`).join('');
}

function version({ words }: WordDiff, which: 'old' | 'new'): string {
  return words
    .filter(({ is }) => is === 'same' || is === which)
    .map(({ text }) => text)
    .join('');
}

test('words that went and came, in their places', () => {
  expect(shown(diffWords('Each key may ask 60 times a minute.', 'Each key may ask 120 times a minute.'))).toBe(
    'Each key may ask [-60-]{+120+} times a minute.',
  );
  expect(shown(diffWords('It is free.', 'It is free for schools.'))).toBe('It is free{+ for schools+}.');
  expect(shown(diffWords('same', 'same'))).toBe('same');
  expect(shown(diffWords('', 'new'))).toBe('{+new+}');
  expect(shown(diffWords('', ''))).toBe('');
});

test('spaces and signs between two edits belong to them; other scripts are compared by words, or by characters where they have no spaces', () => {
  expect(shown(diffWords('We sell red apples, and pears.', 'We sell green plums, and pears.'))).toBe(
    'We sell [-red apples-]{+green plums+}, and pears.',
  );
  expect(shown(diffWords('Цена выросла вчера утром', 'Цена упала вчера утром'))).toBe(
    'Цена [-выросла-]{+упала+} вчера утром',
  );
  expect(shown(diffWords('価格は千円です', '価格は二千円です'))).toBe('価格は{+二+}千円です');
});

test('texts with little in common are shown as a whole; long ones say so', () => {
  expect(diffWords('Two.', 'Three.').words).toEqual([
    { is: 'old', text: 'Two.' },
    { is: 'new', text: 'Three.' },
  ]);
  const long = (word: string) => Array.from({ length: 400 }, (_, index) => `${word}${index}`).join(' ');
  expect(diffWords(long('a'), long('b'))).toMatchObject({ words: [{ is: 'old' }, { is: 'new' }], tooDifferent: true });
});

test('one word in a megabyte is found; a megabyte that is another is shown whole', () => {
  const sentence = 'All work and no play makes a dull boy. ';
  const text = sentence.repeat(25_000);
  const edited = `${text.slice(0, 600_000)} redrum ${text.slice(600_000)}`;
  const { words } = diffWords(text, edited);
  expect(words.map(({ is }) => is)).toContain('new');
  expect(words.filter(({ is }) => is !== 'same').reduce((sum, piece) => sum + piece.text.length, 0)).toBeLessThan(400);
  expect(diffWords('x '.repeat(500_000), 'y '.repeat(500_000)).tooDifferent).toBe(true);
});

test('both versions can be read from what is shown, whatever they are', () => {
  const texts = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom('a', 'b', ' ', '\n', '.', '漢', '\u202e', '\ud83d', 'é'), { maxLength: 60 })
      .map((all) => all.join('')),
  );
  fc.assert(
    fc.property(texts, texts, fc.constantFrom(0, 2, 400), (before, after, most) => {
      const diff = diffWords(before, after, searchBudget(most));
      expect(version(diff, 'old')).toBe(before);
      expect(version(diff, 'new')).toBe(after);
      for (const { text } of diff.words) expect(text).not.toBe('');
    }),
  );
});

test('a budget that is spent leaves texts whole', () => {
  const budget = searchBudget(3);
  const many = (word: string) => Array.from({ length: 50 }, (_, index) => (index % 2 ? word + index : 'x')).join(' ');
  diffWords(many('a'), many('b'), budget);
  expect(budget.left).toBeLessThan(searchBudget(3).left);
});
