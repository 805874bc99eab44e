import { dirname, join } from 'node:path';
import { DIALECTS } from '../dialects/registry.ts';
import { LogLostError, LogMissingError } from '../errors/log-error.ts';
import { StateCorruptError } from '../errors/state-corrupt-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { clockDoubtText } from '../hub/health/clock-doubt-text.ts';
import { DoubtingClock } from '../hub/schedule/doubting-clock.ts';
import { feedNamesIn } from '../io/feeds/feed-folder.ts';
import { writeRefusalOf } from '../io/files/write-refusal.ts';
import { folderAccess, freeBytes } from '../io/node/node-machine.ts';
import { checkDatabase } from '../io/sqlite/examination.ts';
import { openSqliteHubStore } from '../io/sqlite/hub-store.ts';
import { DATABASE_FILE } from '../io/sqlite/log.ts';
import { hasWriter } from '../io/sqlite/writer-presence.ts';
import { type Diagnosis, doubtful, fail, well } from './diagnosis.ts';
import { lastKnownMs } from './last-known.ts';
import { ensureLogHoldsFeeds, publishedDocuments } from './own-folder.ts';
import { FEEDS_FOLDER, shelfStorage } from './shelf-storage.ts';

const CHECK_TIMEOUT_MS = 10_000;
const MIB = 1024 * 1024;
const SCANT_BYTES = 32 * MIB;
const LITTLE_BYTES = 1024 * MIB;
/** The clock of one machine does not jump further than this unless somebody sets it. */
const CLOCK_SLACK_MS = 5 * 60_000;

/** Examines the data folder of a hub: whether it is writable, which process holds it, and whether its content is intact. */
export async function* examineData(folder: string, nowMs: number): AsyncGenerator<Diagnosis> {
  const access = await folderAccess(folder);
  if (access === 'no folder') {
    yield fail('data', `${folder} is no folder.`, 'Name another with --data.');
    return;
  }
  if (access === 'missing') {
    yield await examineParent(folder);
    return;
  }
  yield access === 'writable' ? well('data', `${folder} can be written.`) : unwritable(folder);
  yield await examineSpace(folder);
  yield (await hasWriter(folder))
    ? well('lock', 'A hub runs on it. Reading verbs work beside it; others want --hub.')
    : well('lock', 'No hub runs on it.');
  yield* examineDatabase(folder, nowMs);
}

function unwritable(folder: string): Diagnosis {
  if (writeRefusalOf(folder) === 'read-only disk') {
    const remedy =
      'Mount it with rw, or name another with --data. What only reads (status, log, why, backup) works on it.';
    return fail('data', `${folder} is on a read-only disk: no hub can run on it.`, remedy);
  }
  const remedy = 'Give it to the user that runs the hub: chown, chmod.';
  return fail('data', `${folder} cannot be written by this user.`, remedy);
}

async function examineParent(folder: string): Promise<Diagnosis> {
  let parent = dirname(folder);
  while ((await folderAccess(parent)) === 'missing' && dirname(parent) !== parent) parent = dirname(parent);
  if ((await folderAccess(parent)) === 'writable') {
    return well('data', `${folder} is not there yet; the first start makes it.`);
  }
  return fail(
    'data',
    `${folder} is not there and cannot be made in ${parent}.`,
    'Make it, or name another with --data.',
  );
}

async function examineSpace(folder: string): Promise<Diagnosis> {
  const bytes = await freeBytes(folder);
  const says = `${Math.floor(bytes / MIB)} MiB are free.`;
  const remedy = 'Make room: a hub whose disk is full goes on reading and serving, but records nothing.';
  if (bytes < SCANT_BYTES) return fail('space', says, remedy);
  return bytes < LITTLE_BYTES ? doubtful('space', says, remedy) : well('space', says);
}

async function* examineDatabase(folder: string, nowMs: number): AsyncGenerator<Diagnosis> {
  let newest: string | undefined;
  let knownMs: number | undefined;
  try {
    await using store = await openSqliteHubStore({ folder, readonly: true });
    const storage = shelfStorage({ data: folder }, store, { error() {} });
    const isRunning = await hasWriter(folder);
    if (!isRunning) await ensureLogHoldsFeeds(folder, store, await publishedDocuments(DIALECTS, storage));
    const last = await store.lastChange();
    newest = last?.time;
    knownMs = await lastKnownMs(store);
    yield well(
      'database',
      `Its format is known; ${last?.seq ?? 0} changes, ${(await store.sources()).filter(({ dropped }) => !dropped).length} sources.`,
    );
  } catch (error) {
    if (!(error instanceof TidingsError)) throw error;
    if (error instanceof LogMissingError && (await feedNamesIn(join(folder, FEEDS_FOLDER))).length > 0) {
      yield fail('database', `${DATABASE_FILE} is missing or empty, and feeds lie beside it.`, bringBack(folder));
      return;
    }
    if (error instanceof LogMissingError) {
      yield well('database', `There is no ${DATABASE_FILE} yet; the first start makes it.`);
      return;
    }
    const isLost = error instanceof StateCorruptError || error instanceof LogLostError;
    const remedy = isLost ? bringBack(folder) : 'Look at its permissions.';
    yield fail('database', error.message, remedy);
    return;
  }
  yield await examinePages(folder);
  yield examineLead(knownMs, nowMs) ?? examineClock(newest, nowMs);
}

function bringBack(folder: string): string {
  return `Stop the hub, then bring a backup back: tidings restore <file> --data ${folder} --replace.`;
}

async function examinePages(folder: string): Promise<Diagnosis> {
  const check = await checkDatabase(folder, CHECK_TIMEOUT_MS);
  switch (check.is) {
    case 'sound':
      return well('integrity', 'SQLite finds no damage (quick_check).');
    case 'damaged':
      return fail('integrity', `It is damaged: ${check.faults.join('; ')}`, bringBack(folder));
    case 'undone':
      return doubtful(
        'integrity',
        `Not looked at: ${check.because}.`,
        `Run PRAGMA quick_check on ${DATABASE_FILE} yourself.`,
      );
  }
}

/** A clock that a hub would not believe at its start. Undefined if it would. */
function examineLead(lastKnownMs: number | undefined, nowMs: number): Diagnosis | undefined {
  const { doubt } = new DoubtingClock({ wall: () => nowMs, elapsed: () => 0, lastKnownMs });
  if (doubt === undefined) return undefined;
  const remedy =
    'Set the clock (NTP: timedatectl set-ntp true). Where it is right, start once with: tidings serve --trust-clock.';
  return doubtful('clock', clockDoubtText(doubt), remedy);
}

function examineClock(newest: string | undefined, nowMs: number): Diagnosis {
  const aheadMs = newest === undefined ? 0 : Date.parse(newest) - nowMs;
  if (aheadMs <= CLOCK_SLACK_MS)
    return well('clock', `It is ${new Date(nowMs).toISOString()}; no change of the log is newer.`);
  const says = `The newest change is of ${newest}, ${Math.round(aheadMs / 60_000)} minutes from now.`;
  return doubtful('clock', says, 'Set the clock (NTP). Until it catches up, new changes carry the time of that one.');
}
