import { expect, test } from 'vitest';
import { KnownNames } from './known-names.ts';

test('a name is found where it is written, in whatever case, and described once', () => {
  const described: string[] = [];
  const names = new KnownNames(['div', 'p'], (name) => {
    described.push(name);
    return { name };
  });
  const html = '<div><DIV><my-card><My-Card><p>';
  expect(names.at(html, 1, 4)).toBe(names.at(html, 6, 9));
  expect(names.at(html, 11, 18)).toEqual({ name: 'my-card' });
  expect(names.at(html, 11, 18)).toBe(names.at(html, 20, 27));
  expect(names.at(html, 29, 30)).toEqual({ name: 'p' });
  expect(described).toEqual(['div', 'p', 'my-card']);
});

test('names that share a place with a usual one are told from it', () => {
  const names = new KnownNames(['table'], (name) => name);
  expect(names.at('tabXe', 0, 5)).toBe('tabxe');
  expect(names.at('table', 0, 5)).toBe('table');
});

test('a page that makes up names without end has all of them read', () => {
  const names = new KnownNames([], (name) => name);
  for (let count = 0; count < 5000; count += 1) expect(names.at(`x-${count}`, 0, 10)).toBe(`x-${count}`);
  expect(names.at('x-1', 0, 3)).toBe('x-1');
});
