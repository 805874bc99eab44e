import { existsSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FolderError } from '../../errors/folder-error.ts';
import { LogUnavailableError } from '../../errors/log-error.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { syncFolder } from '../files/growth.ts';
import { makeFolder } from '../files/make-folder.ts';
import { backUpFile } from './backup.ts';
import { ensureSound } from './examination.ts';
import { DATABASE_FILE } from './log.ts';
import { lockFolder } from './writer-lock.ts';

export interface RestorePlace {
  /** The data folder. What lies in it beside the database stays. */
  readonly folder: string;
  /** Whether a database that is there may be put aside. */
  readonly replace: boolean;
  readonly now: () => number;
  /** Hears what is done, in words, before each part that may take its time. */
  readonly onStep?: (words: string) => void;
}

/** A fixed name: the next run removes what a killed run left. */
const STAGE = '.restoring';
/** A database and what belongs to it while somebody writes. */
const DATABASE_FILES = ['', '-wal', '-shm'].map((ending) => DATABASE_FILE + ending);

/**
 * Puts a copy of a backup into a data folder as its database, after `prepare` has changed the copy, which it finds in a separate folder. Resolves to the new
 * place of the former database.
 *
 * Fails with `LogLockedError` beside a hub that runs. The folder is as it was until the copy is whole and on the disk.
 */
export async function restoreDatabase(
  backup: string,
  { folder, replace, now, onStep }: RestorePlace,
  prepare: (stage: string) => Promise<void>,
): Promise<string | undefined> {
  const file = join(folder, DATABASE_FILE);
  ensureFile(backup);
  makeFolder(folder);
  const lock = await lockFolder(folder, 'restore');
  const stage = join(folder, STAGE);
  try {
    const isThere = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
    if (isThere && !replace) throw alreadyThere(file);
    await rm(stage, { recursive: true, force: true });
    makeFolder(stage);
    onStep?.(`copying the backup: ${Math.ceil(statSync(backup).size / 1e6).toLocaleString('en')} MB`);
    await copyBackup(resolve(backup), stage);
    onStep?.('taking over what was published behind the backup');
    await prepare(stage);
    const aside = await putAside(folder, now());
    await rename(join(stage, DATABASE_FILE), file);
    await syncFolder(folder);
    return aside;
  } catch (error) {
    throw error instanceof TidingsError ? error : new LogUnavailableError(file, error);
  } finally {
    await rm(stage, { recursive: true, force: true });
    await lock.release();
  }
}

function ensureFile(backup: string): void {
  const found = statSync(backup, { throwIfNoEntry: false });
  if (found?.isFile() && found.size > 0) return;
  const what = found === undefined ? 'there is no such file' : found.isFile() ? 'it is empty' : 'it is no file';
  throw new FolderError(backup, `${what}. Name one that tidings backup has written.`);
}

/** Errors name the backup, which the operator can repair, not the copy. */
async function copyBackup(backup: string, stage: string): Promise<void> {
  try {
    await backUpFile(backup, join(stage, DATABASE_FILE));
    await ensureSound(stage);
  } catch (error) {
    if (!(error instanceof StateCorruptError)) throw error;
    // An unknown format is not damage, and is reported as it is.
    if (error.file === backup && error.cause === undefined) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : 'pages of it contradict each other';
    throw new StateCorruptError(backup, `this backup is damaged (${reason}).`, 'Take another one.', { cause: error });
  }
}

/** Also what is left of a database that is gone: a write-ahead log would be taken for one of the restored file. */
async function putAside(folder: string, nowMs: number): Promise<string | undefined> {
  const files = DATABASE_FILES.filter((name) => existsSync(join(folder, name)));
  if (files.length === 0) return undefined;
  const stamp = new Date(nowMs).toISOString().replace(/\.\d+|[-:]/g, '');
  let aside = join(folder, `replaced-${stamp}`);
  for (let count = 2; existsSync(aside); count += 1) aside = join(folder, `replaced-${stamp}-${count}`);
  makeFolder(aside);
  // The main file first: a start after a crash in between finds the log missing, never silently shorter.
  for (const name of files) await rename(join(folder, name), join(aside, name));
  return aside;
}

function alreadyThere(file: string): FolderError {
  const what = 'there is a database already. Nothing was written.';
  return new FolderError(file, `${what} --replace puts it aside; or name an empty folder with --data.`);
}
