import { expect, test } from 'vitest';
import { digestTitle } from './digest-title.ts';

test.each([
  ['two', (at: number) => `/${at}`, '5000 API changes: /0, /1 and 4998 more', 2],
  ['some, where all are alike', () => 'Same', '5000 API changes: Same and 4999 more', 50],
])('of many names only %s are made', (_, nameOf, title, most) => {
  let made = 0;
  function* names() {
    for (; made < 5000; ) {
      made += 1;
      yield nameOf(made - 1);
    }
  }
  expect(digestTitle([], { facts: 5000, names: names() }, { isFirst: false })).toBe(title);
  expect(made).toBe(most);
});
