import { access, stat } from 'node:fs/promises';
import { LogMissingError, LogUnavailableError } from '../../errors/log-error.ts';
import { codeOf } from '../files/folder.ts';
import { keepFolderPrivate } from '../files/keep-private.ts';
import { makeFolder } from '../files/make-folder.ts';

export async function ensureExists(file: string): Promise<void> {
  try {
    await access(file);
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
    throw isMissing ? new LogMissingError(file) : new LogUnavailableError(file, error);
  }
}

/** Looked at from outside: opening a file that is not there makes one. */
export async function ensureNotEmpty(file: string): Promise<void> {
  await ensureExists(file);
  if ((await stat(file)).size === 0) throw new LogMissingError(file);
}

/** What a hub keeps in its data folder. */
const OWN_NAME = /^(?:tidings\.db.*|catalogue\.sqlite.*|\.lock.*|feeds|cache|archive|\.restoring|replaced-.*)$/;

export function makeOwnFolder(folder: string): void {
  try {
    makeFolder(folder);
    keepFolderPrivate(folder, (name) => OWN_NAME.test(name));
  } catch (error) {
    throw new LogUnavailableError(folder, error);
  }
}
