import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/site.ts';
import { cacheFolder } from './cache-folder.ts';
import type { World } from './world.ts';

const worldOf = (env: World['env'], complaints: string[]): World => ({
  async print() {},
  complain: (line) => void complaints.push(line),
  status() {},
  env,
  isTerminal: false,
  version: '0.0.0',
  signal: new AbortController().signal,
});

test('the named folder, else that of XDG, else that of the home', () => {
  using folder = temporaryFolder();
  const complaints: string[] = [];
  const env = { XDG_CACHE_HOME: join(folder.path, 'xdg'), HOME: join(folder.path, 'home') };
  const named = join(folder.path, 'named/deep');
  expect(cacheFolder(named, worldOf(env, complaints))).toBe(named);
  expect(cacheFolder(undefined, worldOf(env, complaints))).toBe(join(folder.path, 'xdg/tidings'));
  const home = join(folder.path, 'home/.cache/tidings');
  expect(cacheFolder(undefined, worldOf({ ...env, XDG_CACHE_HOME: 'relative' }, complaints))).toBe(home);
  for (const path of [named, home]) expect(existsSync(path)).toBe(true);
  expect(complaints).toEqual([]);
});

test.each([['/proc/nope'], ['/dev/null/x'], [undefined]])('%s cannot be used: that is said once', (named) => {
  const complaints: string[] = [];
  expect(cacheFolder(named, worldOf({}, complaints))).toBeUndefined();
  expect(complaints).toEqual([
    expect.stringMatching(/^tidings: nothing is cached \(.+\)\. Name a folder with --cache\.$/),
  ]);
});
