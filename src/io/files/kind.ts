import { open } from 'node:fs/promises';

const SQLITE_MAGIC = 'SQLite format 3\0';

/** What lies at a path: a database, another file, or no file at all. */
export async function kindOfFile(path: string): Promise<'sqlite' | 'other' | undefined> {
  try {
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(SQLITE_MAGIC.length), 0, SQLITE_MAGIC.length, 0);
      return buffer.toString('latin1', 0, bytesRead) === SQLITE_MAGIC ? 'sqlite' : 'other';
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
