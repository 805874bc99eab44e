import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/site.ts';
import { hubTokenOf } from './secret.ts';

test('from the variable, from a file without its last line end, or not at all', () => {
  using folder = temporaryFolder();
  folder.write({ token: 'tdg_secret\r\n' });
  expect(hubTokenOf({ env: {} })).toBeUndefined();
  expect(hubTokenOf({ env: { TIDINGS_TOKEN: '', TIDINGS_TOKEN_FILE: '' } })).toBeUndefined();
  expect(hubTokenOf({ env: { TIDINGS_TOKEN: 'tdg_secret' } })).toBe('tdg_secret');
  expect(hubTokenOf({ env: { TIDINGS_TOKEN_FILE: join(folder.path, 'token') } })).toBe('tdg_secret');
});

test('what is refused is named and not shown', () => {
  using folder = temporaryFolder();
  folder.write({ empty: '\n', two: 'tdg_secret\ntdg_other\n' });
  const read = (name: string) => () => hubTokenOf({ env: { TIDINGS_TOKEN_FILE: join(folder.path, name) } });
  expect(() => hubTokenOf({ env: { TIDINGS_TOKEN: 'tdg_secret', TIDINGS_TOKEN_FILE: 'x' } })).toThrow(
    /Set one of them/,
  );
  expect(() => hubTokenOf({ env: { TIDINGS_TOKEN: 'tdg_secret\r\nx: y' } })).toThrow(/TIDINGS_TOKEN .*printable/);
  expect(read('empty')).toThrow(/TIDINGS_TOKEN_FILE .*printable/);
  expect(read('two')).toThrow(/TIDINGS_TOKEN_FILE .*printable/);
  expect(read('two')).not.toThrow(/tdg_/);
  expect(read('missing')).toThrow(/TIDINGS_TOKEN_FILE .*missing .*ENOENT/);
});
