import { expect, test } from 'vitest';
import { AddressRefusedError } from '../errors/fetch-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import { createHttpSource } from './http-source.ts';

test('only an address that the user gave is the user’s to allow', async () => {
  const http: HttpClient = {
    get: async ({ url }) => {
      throw new AddressRefusedError(url, '10.0.0.1');
    },
    [Symbol.asyncDispose]: async () => {},
  };
  const source = createHttpSource(http, new URL('https://docs.example/'));
  expect(await source.read('/')).toMatchObject({
    recovery: 'fix-config',
    failure: expect.stringContaining('--allow-private'),
  });
  expect(await source.read('https://inside.example/feed.ndjson')).toMatchObject({
    recovery: 'fix-input',
    failure: expect.not.stringContaining('--allow-private'),
  });
});
