import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf } from './folder.ts';

/**
 * Makes a folder and its missing parents, for this user alone unless `mode` says otherwise. Throws the system's error.
 *
 * One step per part of the path: Node's own recursive mkdir never ends if the system answers ENOENT below an existing folder, as in /proc.
 */
export function makeFolder(folder: string, mode = 0o700): void {
  for (const path of missingFolders(resolve(folder))) {
    try {
      mkdirSync(path, { mode });
    } catch (error) {
      // Another process may have been faster.
      if (codeOf(error) !== 'EEXIST' || !isFolder(path)) throw error;
    }
  }
}

/** The outermost first. */
function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let path = folder; !isFolder(path) && path !== dirname(path); path = dirname(path)) missing.unshift(path);
  return missing;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
