import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderError } from '../../errors/folder-error.ts';
import { codeOf, explainWriteError } from './folder.ts';

/** A folder that strangers' files are written into. No link that lies there is followed. */
export interface UnpackFolder {
  /** Throws a {@link FolderError} where a file cannot be written without harm. Writes nothing. */
  ensureFree(path: string): Promise<void>;
  /** Replaces the file as a whole. `path` is relative and has no part that leads elsewhere. */
  write(path: string, bytes: Uint8Array): Promise<void>;
}

/** Makes the folder if it is not there. It may itself be reached by links. */
export async function openUnpackFolder(path: string): Promise<UnpackFolder> {
  const root = await mkdir(path, { recursive: true })
    .then(() => realpath(path))
    .catch((error: unknown) => {
      throw explainWriteError(path, error);
    });
  return {
    async ensureFree(file) {
      const parts = partsOf(root, file);
      for (let count = 1; count <= parts.length; count += 1) {
        const kind = await kindOf(join(root, ...parts.slice(0, count)));
        if (kind === undefined) return;
        ensureKind(join(root, ...parts.slice(0, count)), kind, count === parts.length ? 'file' : 'folder');
      }
    },

    async write(file, bytes) {
      const parts = partsOf(root, file);
      let folder = root;
      for (const part of parts.slice(0, -1)) {
        folder = join(folder, part);
        await makeOwnFolder(folder);
      }
      await replaceFile(folder, join(folder, parts.at(-1) ?? ''), bytes);
    },
  };
}

function partsOf(root: string, file: string): readonly string[] {
  const parts = file.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\\0]/.test(part))) {
    throw new FolderError(root, `${JSON.stringify(file)} is no path below it.`);
  }
  return parts;
}

type FileKind = 'file' | 'folder' | 'other';

async function kindOf(path: string): Promise<FileKind | undefined> {
  try {
    const facts = await lstat(path);
    if (facts.isDirectory()) return 'folder';
    return facts.isFile() ? 'file' : 'other';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new FolderError(path, `it cannot be looked at (${codeOf(error)}).`, error);
  }
}

function ensureKind(path: string, kind: FileKind, wanted: FileKind): void {
  if (kind === wanted) return;
  const what = kind === 'other' ? 'a link or another special file' : `a ${kind}`;
  throw new FolderError(path, `there is ${what}, where a ${wanted} is to be. Unpack into an empty folder.`);
}

async function makeOwnFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw explainWriteError(path, error);
    ensureKind(path, (await kindOf(path)) ?? 'other', 'folder');
  }
}

/** The name of the new file cannot be guessed, and nothing may have it. A link that has the old name is replaced, not followed. */
async function replaceFile(folder: string, target: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(folder, `.tidings-${randomBytes(8).toString('hex')}`);
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    const handle = await open(temporary, flags, 0o644);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw explainWriteError(target, error);
  }
}
