import { chmodSync, readdirSync, statSync } from 'node:fs';
import { codeOf } from './folder.ts';

const OTHERS = 0o077;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Closes files to other users, as far as they are there and ours to change. Looks at names only: opening one could drop a lock. */
export function keepFilesPrivate(files: readonly string[]): void {
  for (const file of files) tighten(file, FILE_MODE);
}

/** Closes a folder to other users, unless it holds something beside what `isOurs` names: that may be there for others. */
export function keepFolderPrivate(folder: string, isOurs: (name: string) => boolean): void {
  if (readdirSync(folder).every(isOurs)) tighten(folder, FOLDER_MODE);
}

function tighten(path: string, mode: number): void {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined || (facts.mode & OTHERS) === 0) return;
  try {
    chmodSync(path, mode);
  } catch (error) {
    // Owned by another user, or on a file system without permissions: then others decide who reads it.
    if (!['EPERM', 'EROFS', 'ENOTSUP', 'ENOENT'].includes(codeOf(error))) throw error;
  }
}
