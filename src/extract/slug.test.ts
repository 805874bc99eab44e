import { expect, test } from 'vitest';
import { slugOf } from './slug.ts';

test('a symbol before a heading leaves nothing in its key', () => {
  expect(slugOf('📄\u{FE0F} Introduction')).toBe('introduction');
  expect(slugOf('हिन्दी ❤\u{FE0F}')).toBe('हिन्दी');
});

test('a heading of symbols alone has a key all the same', () => {
  expect(slugOf('❤\u{FE0F}')).toMatch(/^symbol-[0-9a-f]{8}$/);
});
