import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from './any-character.ts';

test('every code point but halves of pairs is among them, and nothing else', () => {
  for (const character of ['\0', 'a', '\ud7ff', '\ue000', '\uffff', '😀', '\u{10ffff}']) {
    expect(anyCharacter.canShrinkWithoutContext(character), character).toBe(true);
  }
  for (const other of ['', 'ab', '😀a', '\ud800', '\udfff']) {
    expect(anyCharacter.canShrinkWithoutContext(other), JSON.stringify(other)).toBe(false);
  }
  fc.assert(fc.property(anyCharacter, (character) => Array.from(character).length === 1 && character.isWellFormed()));
});

test('a text of them may be the name of a member of all objects', () => {
  const texts = fc.sample(fc.string({ unit: anyCharacter }), { numRuns: 1000, seed: 1 });
  expect(texts.filter((text) => text in {}).length).toBeGreaterThan(0);
});
