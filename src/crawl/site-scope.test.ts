import { expect, test } from 'vitest';
import { createSiteScope } from './site-scope.ts';

const scope = createSiteScope(new URL('https://docs.example/guide/'), new URL('https://docs.example/guide/'));

test.each([
  ['https://docs.example/guide/', 'https://docs.example/guide/'],
  ['https://docs.example/guide', 'https://docs.example/guide'],
  ['https://docs.example/guide/a#top', 'https://docs.example/guide/a'],
  ['https://docs.example/guide/a?', 'https://docs.example/guide/a'],
  ['https://docs.example/guide/a?b=%c3%a9', 'https://docs.example/guide/a?b=%C3%A9'],
  ['https://docs.example/guide/%7euser/%2Fx', 'https://docs.example/guide/~user/%2Fx'],
  ['https://docs.example/guide/?q=\\', 'https://docs.example/guide/?q=%5C'],
  ['HTTPS://DOCS.example:443/guide/./b/../a', 'https://docs.example/guide/a'],
  ['http://docs.example/guide/a', 'https://docs.example/guide/a'],
])('%s is a page of the site', (url, address) => {
  expect(scope.take(url)).toBe(address);
});

test.each([
  'https://docs.example/',
  'https://docs.example/guidelines/',
  'https://docs.example/guide/../private',
  'https://docs.example.evil.example/guide/a',
  'https://docs.example:8443/guide/a',
  'http://docs.example:8080/guide/a',
  'https://user:password@docs.example/guide/a',
  'https://docs.example@evil.example/guide/a',
  'ftp://docs.example/guide/a',
  'javascript:alert(1)',
  '/guide/a',
  `https://docs.example/guide/${'a'.repeat(3000)}`,
])('%s is none', (url) => {
  expect(scope.take(url)).toBeUndefined();
});

test('a copy elsewhere is asked for there and called by its public address', () => {
  const copy = createSiteScope(new URL('http://127.0.0.1:8080/'), new URL('https://docs.example/guide/'));
  expect(copy.take('https://docs.example/guide/a')).toBe('http://127.0.0.1:8080/a');
  expect(copy.take('https://docs.example/other')).toBeUndefined();
  expect(copy.publicUrl('http://127.0.0.1:8080/a?b')).toBe('https://docs.example/guide/a?b');
  expect(copy.publicUrl('http://127.0.0.1:8080/')).toBe('https://docs.example/guide/');
});
