import { mkdir, rmdir } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { explainWriteError } from '../files/folder.ts';
import { lockFolder, type WriterLock } from '../sqlite/writer-lock.ts';

/** Makes the folder and takes the one writer's place in it. */
export async function lockStateFolder(folder: string): Promise<WriterLock> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw explainWriteError(folder, error);
  }
  return await lockFolder(folder, 'publish');
}

/** A run that stopped before it wrote anything leaves no empty folders. */
export async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let path = folder; path !== root && !relative(root, path).startsWith('..'); path = dirname(path)) {
    try {
      await rmdir(path);
    } catch {
      return;
    }
  }
}
