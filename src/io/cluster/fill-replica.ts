import { existsSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderError } from '../../errors/folder-error.ts';
import { LogUnavailableError } from '../../errors/log-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import type { Bases, HubSeed } from '../../hub/cluster/bases.ts';
import { syncFolder } from '../files/growth.ts';
import { makeFolder } from '../files/make-folder.ts';
import { randomEpoch } from '../node/random-token.ts';
import { copyBeside } from '../sqlite/beside.ts';
import { moveIntoMainFile, openDatabase } from '../sqlite/database.ts';
import { DATABASE_FILE, type LogDatabase } from '../sqlite/log.ts';
import { beginMove, endMove, findMove } from '../sqlite/move-mark.ts';
import { ReplicaStamp, type Stamp } from '../sqlite/replica-stamp.ts';
import { lockFolder } from '../sqlite/writer-lock.ts';
import { holdBase, SERVED_FOLDERS, unpackBase } from './base-file.ts';

/** A fixed name: the next run removes what a killed run left. */
const STAGE = '.restoring';
const BASE_COPY = 'tidings.db-base';
const DATABASE_FILES = ['', '-wal', '-shm'].map((ending) => DATABASE_FILE + ending);
/** A new base is made when the journal after the last one is larger than it, and larger than this. */
const LEAST_JOURNAL_BYTES = 64 * 1024 * 1024;
/** Behind a redaction two bases are made, so far apart: the second one drops the writes that the first one holds. */
const SETTLED_MS = 5 * 60_000;

/** Whether a data folder holds a database. */
export function holdsDatabase(folder: string): boolean {
  return (statSync(join(folder, DATABASE_FILE), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Fills a data folder with the newest base: whether there was one. What is there of an older replica is replaced when the new one is whole.
 * Fails with `FolderError` where feeds lie in the folder that no replica has put there.
 */
export async function fillReplica(folder: string, bases: Bases): Promise<boolean> {
  makeFolder(folder);
  const lock = await lockFolder(folder, 'fill the replica');
  const stage = join(folder, STAGE);
  try {
    const isBegun = existsSync(stage);
    if (!holdsDatabase(folder) && !isBegun && existsSync(join(folder, 'feeds'))) throw strangeFeeds(folder);
    const base = await bases.newest();
    if (base === undefined) return false;
    await rm(stage, { recursive: true, force: true });
    makeFolder(stage);
    await unpackBase(base, bases.read(base), stage);
    // The database comes last: a folder that has one is filled.
    for (const name of [...DATABASE_FILES, ...SERVED_FOLDERS])
      await rm(join(folder, name), { recursive: true, force: true });
    for (const name of [...SERVED_FOLDERS, DATABASE_FILE]) await rename(join(stage, name), join(folder, name));
    await syncFolder(folder);
    await rm(stage, { recursive: true, force: true });
    return true;
  } catch (error) {
    throw error instanceof TidingsError ? error : new LogUnavailableError(folder, error);
  } finally {
    await lock.release();
  }
}

/** Stores the replica of a folder as a base for new processes, even while it is written. Returns its `rev`. */
export function makeBase(folder: string, bases: Bases): Promise<number> {
  return withHeldBase(folder, readStamp, async ({ rev }, pieces) => {
    await bases.put(rev, pieces);
    return rev;
  });
}

interface NewJournal {
  readonly folder: string;
  readonly bases: Bases;
  /** The place of the journal, for messages. */
  readonly place: string;
}

/**
 * Makes the hub of a folder the first base of an empty journal, and the folder a replica of it. From the first step to the last, the folder is marked as
 * moving: a process that is killed in between leaves no second hub, and the next call finds out how far it came.
 */
export async function moveToJournal(
  { folder, bases, place }: NewJournal,
  opened: LogDatabase,
  seed: Omit<HubSeed, 'epoch'>,
): Promise<void> {
  const before = findMove(opened.database);
  const epoch = before?.epoch ?? randomEpoch();
  if (before === undefined) beginMove(opened, { epoch, place });
  const stamp = { epoch, rev: 0 };
  if (before === undefined || !(await bases.isBegun(epoch))) {
    if (before !== undefined && before.place !== place) throw elsewhere(folder, before.place);
    try {
      await withHeldBase(
        folder,
        (copy) => putStamp(copy, stamp),
        (_, pieces) => bases.begin(pieces, { ...seed, epoch }),
      );
    } catch (error) {
      if (await isKnownAsNot(bases, epoch)) endMove(opened);
      throw error;
    }
  }
  endMove(opened, () => new ReplicaStamp(opened.database).put(stamp));
}

/** While nobody answers, the hub may be there. */
async function isKnownAsNot(bases: Bases, epoch: string): Promise<boolean> {
  try {
    return !(await bases.isBegun(epoch));
  } catch {
    return false;
  }
}

/** `prepare` gets a copy of the database, `use` what it gave and the bytes of the base. */
async function withHeldBase<Prepared, T>(
  folder: string,
  prepare: (copy: string) => Promise<Prepared>,
  use: (prepared: Prepared, pieces: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const copy = join(folder, BASE_COPY);
  const remove = async () => {
    for (const ending of ['', '-wal', '-shm']) await rm(copy + ending, { force: true });
  };
  let prepared: { readonly is: Prepared } | undefined;
  try {
    await using held = await holdBase(folder, async () => {
      await remove();
      await copyBeside(join(folder, DATABASE_FILE), copy);
      prepared = { is: await prepare(copy) };
      return copy;
    });
    if (prepared === undefined) throw new Error('No copy was made.');
    return await use(prepared.is, held.pieces());
  } catch (error) {
    throw error instanceof TidingsError ? error : new LogUnavailableError(folder, error);
  } finally {
    await remove();
  }
}

/** Undefined if the existing base is sufficient: new processes have little to read after it, and no redacted text is left in what it replaces. */
export async function makeBaseWhereNeeded(folder: string, bases: Bases): Promise<number | undefined> {
  const [newest, behind] = [await bases.newest(), await bases.bytesBehind()];
  const isGrown = behind > Math.max(LEAST_JOURNAL_BYTES, newest?.bytes ?? 0);
  return isGrown || (await bases.holdsRedacted(SETTLED_MS)) ? makeBase(folder, bases) : undefined;
}

/** Of a copy that nobody writes to. */
async function readStamp(file: string): Promise<Stamp> {
  const database = await openDatabase(file, { readonly: true });
  try {
    const stamp = new ReplicaStamp(database).find();
    if (stamp === undefined) throw new Error(`${file} is no replica.`);
    return stamp;
  } finally {
    database.close();
  }
}

async function putStamp(file: string, stamp: Stamp): Promise<void> {
  const database = await openDatabase(file);
  try {
    database.exec('DROP TABLE IF EXISTS hub_moving');
    new ReplicaStamp(database).put(stamp);
    moveIntoMainFile(database);
  } finally {
    database.close();
  }
}

function elsewhere(folder: string, place: string): FolderError {
  const what = `this hub was on its way to ${place}, another database than the one that is named now, and may be in it.`;
  return new FolderError(folder, `${what} Name that one. If it is lost for good: tidings migrate <folder> --stay.`);
}

function strangeFeeds(folder: string): FolderError {
  const what = 'feeds lie in it, and no database. A replica begins in an empty folder.';
  return new FolderError(folder, `${what} Name another one with --data, or move these away.`);
}
