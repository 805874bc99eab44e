import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findChromium, isExecutable } from './chromium-path.ts';

test('a Chromium is found on the PATH by its usual names, before others of its kind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-path-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  await mkdir(join(first, 'chromium'), { recursive: true });
  await mkdir(second);
  await writeFile(join(first, 'google-chrome'), '');
  await chmod(join(first, 'google-chrome'), 0o755);
  await writeFile(join(second, 'chromium'), '');
  expect(findChromium([first, second].join(delimiter))).not.toBe(join(second, 'chromium'));
  await chmod(join(second, 'chromium'), 0o755);
  expect(findChromium([first, second].join(delimiter))).toBe(join(second, 'chromium'));
  expect(isExecutable(first)).toBe(false);
  expect(isExecutable(join(folder, 'none'))).toBe(false);
});
