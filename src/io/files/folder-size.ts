import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './folder.ts';

/** The size of a folder with all its content, and the free space of its disk. A file that disappears during this counts nothing. */
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
