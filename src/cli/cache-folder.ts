import { isAbsolute, join } from 'node:path';
import { Option } from 'commander';
import { makeFolder } from '../io/files/make-folder.ts';
import type { World } from './world.ts';

export function cacheOption(): Option {
  const purpose = 'folder for cached pages and the pauses that hosts asked for (default: the user’s cache folder)';
  return new Option('--cache <dir>', purpose).env('TIDINGS_CACHE');
}

/**
 * The folder that the user named, else `$XDG_CACHE_HOME/tidings`, else `~/.cache/tidings`, made if it is missing. Without a usable one, nothing is remembered
 * beyond this run, and a message says so.
 */
export function cacheFolder(named: unknown, world: World): string | undefined {
  const folder = typeof named === 'string' ? named : usualFolder(world.env);
  try {
    if (folder === undefined) throw new Error('there is no home folder');
    makeFolder(folder);
    return folder;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    world.complain(`tidings: nothing is cached (${reason}). Name a folder with --cache.`);
    return undefined;
  }
}

/** A relative XDG_CACHE_HOME is passed over, as the XDG Base Directory Specification says. */
function usualFolder(env: World['env']): string | undefined {
  const { XDG_CACHE_HOME: cacheHome = '', HOME: home = env.USERPROFILE ?? '' } = env;
  if (isAbsolute(cacheHome)) return join(cacheHome, 'tidings');
  return isAbsolute(home) ? join(home, '.cache', 'tidings') : undefined;
}
