import { expect, test } from 'vitest';
import { decodeCallback, decodeHubUrl, hubUrlKey, withHubParameters } from './hub-url.ts';
import { encodeHubLinks } from './links.ts';

test.each([
  ['https://Hub.Example/%7euser', 'https://hub.example/~user'],
  ['https://hub.example:443/a/../changes.atom', 'https://hub.example/changes.atom'],
  ['HTTPS://hub.example', 'https://hub.example/'],
  ['https://hub.example/a%2fb', 'https://hub.example/a%2Fb'],
])('%s and %s are one', (left, right) => {
  expect(hubUrlKey(left)).toBe(hubUrlKey(right));
});

test.each([
  ['https://hub.example/a%2Fb', 'https://hub.example/a/b'],
  ['https://hub.example/', 'http://hub.example/'],
  ['https://hub.example/A', 'https://hub.example/a'],
  ['https://hub.example/cb?x=1', 'https://hub.example/cb'],
])('%s and %s are two', (left, right) => {
  expect(hubUrlKey(left)).not.toBe(hubUrlKey(right));
});

test('what is no web address has no key', () => {
  for (const text of ['ftp://hub.example/', '/changes.atom', 'https://', 'javascript:1']) {
    expect(hubUrlKey(text), text).toBeUndefined();
    expect(decodeHubUrl(text, 'hub.topic').ok, text).toBe(false);
  }
});

test.each([
  ['https://r.example/cb', 'https://r.example/cb?hub.mode=denied'],
  ['https://r.example/cb?', 'https://r.example/cb?hub.mode=denied'],
  ['https://r.example/cb?x=a%20b&y=~(1)&z', 'https://r.example/cb?x=a%20b&y=~(1)&z&hub.mode=denied'],
  ['https://r.example/cb?hub.topic=x&', 'https://r.example/cb?hub.topic=x&hub.mode=denied'],
])('%s keeps every byte', (callback, asked) => {
  expect(withHubParameters(callback, { 'hub.mode': 'denied', 'hub.reason': undefined })).toBe(asked);
  expect(new URL(asked).href).toBe(asked);
  expect(decodeCallback(callback).ok).toBe(true);
});

test.each([
  'https://r.example/a b',
  'https://r.example/ä',
  'https://r.example/a/../b',
  "https://r.example/?q=it's",
  'https://r.example\\cb',
  'https://r.example/cb#here',
  'https://user@r.example/',
  'https://r.example/cb\n',
  `https://r.example/${'a'.repeat(2048)}`,
])('%s cannot be called as it is given', (callback) => {
  expect(decodeCallback(callback).ok).toBe(false);
});

test('a callback without a path is called at the root', () => {
  for (const callback of ['https://r.example', 'https://R.example?x=1', 'http://r.example:80/']) {
    expect(decodeCallback(callback).ok, callback).toBe(true);
  }
});

test('both relations stand in one header', () => {
  expect(encodeHubLinks({ hub: 'https://h.example/hub', self: 'https://h.example/changes.atom' })).toBe(
    '<https://h.example/hub>; rel="hub", <https://h.example/changes.atom>; rel="self"',
  );
});
