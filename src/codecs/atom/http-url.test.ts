import { expect, test } from 'vitest';
import { httpUrl, strictHttpUrl } from './http-url.ts';

test.each<[string, string | undefined, string | undefined]>([
  ['https://a.example', 'https://a.example/', 'https://a.example/'],
  ['HTTP://A.example:80/x', 'http://a.example/x', 'http://a.example/x'],
  ['https://a.example/[x]|y?{z}#a#b', 'https://a.example/[x]|y?{z}#a#b', 'https://a.example/%5Bx%5D%7Cy?%7Bz%7D#a%23b'],
  ['https://a.example/100%', 'https://a.example/100%', 'https://a.example/100%25'],
  ['https://[::1]/%41', 'https://[::1]/%41', 'https://[::1]/%41'],
  ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC', 'https://xn--bcher-kva.example/%C3%BC'],
  ['https://u:p@a.example/', 'https://a.example/', 'https://a.example/'],
  ['java\nscript:alert(1)', undefined, undefined],
  ['\u0001javascript:alert(1)', undefined, undefined],
  ['vbscript:x', undefined, undefined],
  ['a.example', undefined, undefined],
  ['https://', undefined, undefined],
  [`https://a.example/${'x'.repeat(9000)}`, undefined, undefined],
])('%s', (text, url, strict) => {
  expect(httpUrl(text)).toBe(url);
  expect(strictHttpUrl(text)).toBe(strict);
});

test('counts from a base', () => {
  expect(httpUrl('../b', 'https://a.example/x/y')).toBe('https://a.example/b');
  expect(httpUrl('//c.example', 'http://a.example/')).toBe('http://c.example/');
  expect(httpUrl('b', 'no base')).toBeUndefined();
});
