import { access, link, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { FolderError } from '../../errors/folder-error.ts';
import { LogMissingError, LogUnavailableError } from '../../errors/log-error.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { codeOf } from '../files/folder.ts';
import { syncFolder } from '../files/growth.ts';
import { explainSqliteError, openDatabase } from './database.ts';
import { DATABASE_FILE } from './log.ts';
import { ensureSchema } from './log-schema.ts';
import { leaveJournalIn } from './replica-stamp.ts';

/** A fixed name: the next run overwrites what a killed run left. */
const TEMPORARY = '.tidings-tmp';

/**
 * Copies the database of a data folder to `target` as it is at one moment, also while another process writes to it.
 *
 * The copy appears under its name when it is whole and on the disk. A file that is there already is never replaced.
 */
export async function backUpDatabase(folder: string, target: string): Promise<void> {
  await backUpFile(join(folder, DATABASE_FILE), target);
}

/** The same for any database of ours, such as a backup. The copy of a replica belongs to no journal: it can be restored as a separate hub. */
export async function backUpFile(file: string, target: string): Promise<void> {
  if (!(await exists(file))) throw new LogMissingError(file);
  if (await exists(target)) throw alreadyThere(target);
  const temporary = resolve(target) + TEMPORARY;
  try {
    await rm(temporary, { force: true });
    await makePrivate(temporary);
    await copyDatabase(file, temporary, target);
    await leaveJournalIn(temporary);
    await syncFile(temporary);
    await giveName(temporary, target);
    await syncFolder(dirname(resolve(target)));
  } catch (error) {
    throw error instanceof TidingsError ? error : new LogUnavailableError(target, error);
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/** VACUUM reads in one transaction, while the writer continues, and leaves out what was deleted. */
async function copyDatabase(file: string, copy: string, target: string): Promise<void> {
  const database = await openDatabase(file, { readonly: true });
  try {
    ensureSchema(database, file, { create: false });
    database.prepare('VACUUM INTO ?').run(copy);
  } catch (error) {
    // Damage is found in what is read; all else is the matter of what is written.
    const isDamage = explainSqliteError(file, error) instanceof StateCorruptError;
    throw explainSqliteError(isDamage ? file : target, error);
  } finally {
    database.close();
  }
}

/** It holds the texts of pages and the hashes of keys. SQLite copies into an empty file as it does into a new one. */
async function makePrivate(file: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  await handle.close();
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A link, unlike a rename, replaces nothing. Not every file system has links. */
async function giveName(temporary: string, target: string): Promise<void> {
  try {
    await link(temporary, target);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw alreadyThere(target);
    await rename(temporary, target);
  }
}

function alreadyThere(target: string): FolderError {
  return new FolderError(target, 'there is such a file already, and a backup replaces nothing. Name another file.');
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
