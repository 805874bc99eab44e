import { readFileSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FolderError } from '../../errors/folder-error.ts';
import type { Folder } from '../../model/folder.ts';
import { syncFolder } from './growth.ts';

/** A fixed name: the next run overwrites what a killed run left. */
const TEMPORARY = '.tidings-tmp';

/** A folder on disk whose files are replaced atomically and durably: temp, fsync, rename, fsync of the folder. */
export function createFileFolder(root: string): Folder {
  return {
    name: root,

    async read(path) {
      try {
        // A publish looks at hundreds of small files, for which promises cost several times the CPU of the reading.
        return readFileSync(join(root, path));
      } catch (error) {
        if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
        throw new FolderError(join(root, path), `it cannot be read (${codeOf(error)}). Check its permissions.`, error);
      }
    },

    sizeOf(path) {
      try {
        const facts = statSync(join(root, path), { throwIfNoEntry: false });
        return facts?.isFile() ? facts.size : undefined;
      } catch (error) {
        // A name of the path is a file.
        if (codeOf(error) === 'ENOTDIR') return undefined;
        throw new FolderError(join(root, path), `it cannot be read (${codeOf(error)}). Check its permissions.`, error);
      }
    },

    async replace(path, bytes) {
      const target = join(root, path);
      const temporary = target + TEMPORARY;
      try {
        await mkdir(dirname(target), { recursive: true });
        await writeDurably(temporary, bytes);
        await rename(temporary, target);
        await syncFolder(dirname(target));
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        throw explainWriteError(target, error);
      }
    },

    async remove(path) {
      try {
        await rm(join(root, path), { force: true });
      } catch (error) {
        throw explainWriteError(join(root, path), error);
      }
    },
  };
}

/** A folder that must be there already. */
export function openFileFolder(root: string): Folder {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new FolderError(root, 'there is no such folder.');
  }
  return createFileFolder(root);
}

/** A file of whatever was there before, on the disk when it resolves. Its name may not be yet. */
export async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'w', 0o644);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function explainWriteError(target: string, error: unknown): FolderError {
  const code = codeOf(error);
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  const what = full
    ? 'the disk is full. What was there before is untouched; free some space and run this again.'
    : `it cannot be written (${code}). Check that the folder exists and is yours to write, or choose another --out.`;
  return new FolderError(target, what, error);
}

export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.message : String(error);
}
