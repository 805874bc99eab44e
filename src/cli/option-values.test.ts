import { expect, test } from 'vitest';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { isPrivateAllowed } from './option-values.ts';
import type { World } from './world.ts';

const worldWith = (value: string | undefined): World => ({
  env: { TIDINGS_ALLOW_PRIVATE: value },
  isTerminal: false,
  version: '0.0.0',
  signal: new AbortController().signal,
  print: async () => {},
  complain: () => {},
  status: () => {},
});

test.each([
  [undefined, false],
  ['', false],
  ['0', false],
  ['false', false],
  ['1', true],
  ['TRUE', true],
])('TIDINGS_ALLOW_PRIVATE=%s opens private addresses: %s', (value, allowed) => {
  expect(isPrivateAllowed(undefined, worldWith(value))).toBe(allowed);
});

test('the flag opens them, and another value is refused by name', () => {
  expect(isPrivateAllowed(true, worldWith('0'))).toBe(true);
  expect(() => isPrivateAllowed(undefined, worldWith('banana'))).toThrow(SettingRefusedError);
});
