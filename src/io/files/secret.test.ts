import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/site.ts';
import { readSecret } from './secret.ts';

test('a secret is read from a small regular file, and from nothing else', async () => {
  using folder = temporaryFolder();
  folder.write({ key: ' dd_live_1\n', large: `${' '.repeat(5000)}key`, empty: '\n', two: 'a b' });
  const at = (name: string) => join(folder.path, name);
  expect(spawnSync('mkfifo', [at('pipe')]).status).toBe(0);
  expect(await readSecret(at('key'))).toBe('dd_live_1');
  for (const [file, reason] of [
    [at('pipe'), /no regular file/],
    ['/dev/zero', /no regular file/],
    [folder.path, /no regular file/],
    [at('large'), /larger than 4096 bytes/],
    [at('empty'), /empty/],
    [at('two'), /more than one secret/],
    [at('none'), /cannot be read/],
  ] as const) {
    await expect(readSecret(file), file).rejects.toThrow(reason);
  }
});
