import fc from 'fast-check';

const SURROGATES = 0x800;
const FIRST_SURROGATE = 0xd800;
const LAST = 0x10ffff;

/**
 * A unit for `fc.string`: any code point except surrogates, like `unit: 'binary'`. That one lists all of them on first use, which takes a second and 115 MB in
 * each process.
 *
 * @example
 * fc.string({ unit: anyCharacter, maxLength: 30 });
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: LAST - SURROGATES }).map(
  (rank) => String.fromCodePoint(rank < FIRST_SURROGATE ? rank : rank + SURROGATES),
  (value) => rankOf(String(value)),
);

/** The number of a character. fast-check asks for it before it tries member names such as `__proto__`. */
function rankOf(character: string): number {
  const code = character.codePointAt(0);
  if (code === undefined || !character.isWellFormed() || character.length !== String.fromCodePoint(code).length) {
    throw new Error('This is not one character.');
  }
  return code < FIRST_SURROGATE ? code : code - SURROGATES;
}
