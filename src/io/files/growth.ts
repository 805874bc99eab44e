import { constants } from 'node:fs';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Adds text to the end of a file, which may not exist yet. Durable when it resolves.
 *
 * The file is replaced by a longer copy, so that a reader sees it before or after, never a torn line. For one
 * writer at a time: the copy has a fixed name, and what a killed writer left of it is written over.
 */
export async function growFile(file: string, text: string): Promise<void> {
  const folder = dirname(file);
  const copy = join(folder, `.${basename(file)}.next`);
  try {
    await rm(copy, { force: true });
    await copyIfPresent(file, copy);
    await appendDurably(copy, text);
    await rename(copy, file);
  } catch (error) {
    await rm(copy, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Where the file system can, the copy shares its blocks with the original. */
async function copyIfPresent(file: string, copy: string): Promise<void> {
  try {
    await copyFile(file, copy, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

async function appendDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'a');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the new name of a file durable. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
