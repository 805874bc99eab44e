import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { KeyFileError } from '../../errors/surface-error.ts';
import { codeOf } from './folder.ts';
import { syncFolder } from './growth.ts';

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** The text of a file with keys. Refuses one that others on this machine can read: it is no longer secret. `make` is the command that makes one. */
export async function readKeyFile(file: string, make: string): Promise<string> {
  try {
    const facts = await stat(file);
    if (!facts.isFile()) throw new KeyFileError(file, `it is no file. Make one with "${make}".`);
    if (process.platform !== 'win32' && (facts.mode & OTHERS) !== 0) {
      throw new KeyFileError(
        file,
        'others on this machine can read it. Forbid that with "chmod 600", and rotate the key if somebody may have done so.',
      );
    }
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof KeyFileError) throw error;
    const remedy = codeOf(error) === 'ENOENT' ? `Make one with "${make}".` : 'Check its permissions.';
    throw new KeyFileError(file, `it cannot be read (${codeOf(error)}). ${remedy}`);
  }
}

/** Durable when it resolves, and closed to others. A file that is there already is never written over; `instead` says what else can be done. */
export async function createKeyFile(file: string, text: string, instead: string): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await openKeyFile(file);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') {
      throw new KeyFileError(file, `it is there already, and keys are never written over. ${instead}`);
    }
    throw new KeyFileError(file, `it cannot be made (${code}). Check that its folder exists and is yours to write.`);
  }
  try {
    await writeWhole(handle, text);
    await syncFolder(dirname(resolve(file)));
  } catch (error) {
    await rm(file, { force: true });
    throw new KeyFileError(file, `it cannot be written (${codeOf(error)}). No key was kept.`);
  }
}

/** A new file that nobody else may read. */
export async function openKeyFile(file: string): Promise<FileHandle> {
  return await open(file, 'wx', OWNER_ONLY);
}

export async function writeWhole(handle: FileHandle, text: string): Promise<void> {
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
