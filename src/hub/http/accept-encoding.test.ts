import { expect, test } from 'vitest';
import { acceptableEncodings } from './accept-encoding.ts';

test.each([
  [undefined, ['identity']],
  ['', ['identity']],
  ['identity', ['identity']],
  ['gzip', ['gzip', 'identity']],
  ['x-gzip', ['gzip', 'identity']],
  ['GZip', ['gzip', 'identity']],
  ['gzip, deflate, br, zstd', ['br', 'gzip', 'identity']],
  ['gzip, br, deflate', ['br', 'gzip', 'identity']],
  ['br;q=0.5, gzip', ['gzip', 'br', 'identity']],
  ['br ; q=0.5 , gzip ; q=0.6', ['gzip', 'br', 'identity']],
  ['gzip;q=0.5, identity', ['identity', 'gzip']],
  ['gzip;q=0', ['identity']],
  ['gzip;q=0.000', ['identity']],
  ['identity;q=0', []],
  ['identity;q=0, gzip', ['gzip']],
  ['*', ['gzip', 'identity']],
  ['*;q=0', []],
  ['*;q=0, br', ['br']],
  ['br, *;q=0.1', ['br', 'gzip', 'identity']],
  ['gzip, *;q=0', ['gzip']],
  ['identity, *;q=0', ['identity']],
  ['deflate', ['identity']],
  ['gzip;q=nonsense', ['identity']],
  ['gzip;q=2', ['identity']],
  ['gzip;q=-1', ['identity']],
  ['gzip;level=9', ['identity']],
  [',,;,gzip', ['gzip', 'identity']],
] as const)('%j', (header, encodings) => {
  expect(acceptableEncodings(header)).toEqual(encodings);
});

test('a document without br is negotiated without it', () => {
  expect(acceptableEncodings('gzip, br', false)).toEqual(['gzip', 'identity']);
  expect(acceptableEncodings('gzip, br')).toEqual(['br', 'gzip', 'identity']);
  expect(acceptableEncodings('*;q=0, br', false)).toEqual([]);
});

test('what is remembered is bounded and right', () => {
  for (let count = 0; count < 200; count += 1) {
    expect(acceptableEncodings(`gzip, x${count}`)).toEqual(['gzip', 'identity']);
    expect(acceptableEncodings(`identity, x${count}`)).toEqual(['identity']);
  }
});
