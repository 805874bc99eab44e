import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './folder.ts';

/** What a folder takes with all that is in it, and how much its disk has left. A file that goes meanwhile counts nothing. */
export async function measureFolder(folder: string): Promise<{ readonly bytes: number; readonly freeBytes: number }> {
  const { bavail, bsize } = await statfs(folder);
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += await sizeOf(join(entry.parentPath, entry.name));
  }
  return { bytes, freeBytes: bavail * bsize };
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}
