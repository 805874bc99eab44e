import { expect, test } from 'vitest';
import { operate } from '../../test/support/operator.ts';

const NOBODY = 'http://127.0.0.1:1/';
const TOKEN = { TIDINGS_TOKEN: 'test-token-that-is-long-enough' };

test.each([
  ['archive', '--keep-days', '4', '--hub', NOBODY],
  ['source', 'list', '--hub', NOBODY],
  ['source', 'pause', 'docs', '--hub', NOBODY],
  ['follow', NOBODY, '--once', '--allow-private'],
])('%s asks once, and does not say that it asks again', async (...args) => {
  const { code, err } = await operate(args, TOKEN);
  expect([code, err]).toEqual([3, expect.stringContaining('127.0.0.1:1')]);
  expect(err).not.toMatch(/again next time/);
});
