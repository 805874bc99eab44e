import { expect, test } from 'vitest';
import { wayBack } from './way-back.ts';

test.each([
  ['', ''],
  ['sources', 'sources'],
  ['sources/docs?page=2&q=a%20b', 'sources/docs?page=2&q=a%20b'],
  ['sources/%2F%2Fevil.example', 'sources/%2F%2Fevil.example'],
  ['?day=1', '?day=1'],
])('%j leads below the hub', (to, way) => {
  expect(wayBack(to)).toBe(way);
});

test.each([
  null,
  undefined,
  '/sources',
  '//evil.example/',
  '///evil.example/',
  '/\\evil.example',
  '\\\\evil.example',
  'a\\..\\..\\b',
  'https://evil.example/',
  'https:evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  '../other-hub/',
  'a/../../other-hub/',
  'a/..//evil.example',
  './/evil.example',
  '%2e%2e/other-hub/',
  'a\r\nset-cookie: x=1',
  'a\tb',
  ' //evil.example',
  'ü',
  'a"b',
  'sign-out',
  `a${'b'.repeat(2000)}`,
])('%j leads to the first page', (to) => {
  expect(wayBack(to)).toBe('');
});
