import { expect, test } from 'vitest';
import { CURSOR_LENGTH, CURSOR_PATTERN, cursorLike, decodeCursor, encodeCursor, START_ID } from './log-cursor.ts';

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

test.each([ID, START_ID, `${ID}.5f0c93aa`, `${ID}.${'x'.repeat(32)}`])(
  '%s is a cursor, and is written as it was',
  (text) => {
    const cursor = decodeCursor(text);
    expect(encodeCursor(cursor?.id ?? '', cursor?.epoch)).toBe(text);
    expect(text).toMatch(new RegExp(CURSOR_PATTERN));
    expect(text.length).toBeLessThanOrEqual(CURSOR_LENGTH);
  },
);

test.each([
  '',
  'x',
  ID.toLowerCase(),
  `8${ID.slice(1)}`,
  `${ID}.`,
  `${ID}.a b`,
  `${ID}.${'x'.repeat(33)}`,
  `${ID}\n`,
  ` ${ID}`,
])('%j is none', (text) => {
  expect(decodeCursor(text)).toBeUndefined();
  expect(text).not.toMatch(new RegExp(CURSOR_PATTERN.replace('$', '(?!\\n)$')));
});

test('the cursor of another change is of the same log', () => {
  expect(cursorLike(`${START_ID}.5f0c93aa`, ID)).toBe(`${ID}.5f0c93aa`);
  expect(cursorLike(START_ID, ID)).toBe(ID);
  expect(cursorLike(null, ID)).toBe(ID);
});
