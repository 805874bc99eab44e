import { forgetSnapshots } from './forget-snapshots.ts';
import type { HubTables } from './hub-tables.ts';
import type { LogDatabase } from './log.ts';
import type { ErasedTexts } from './whole-hub-store.ts';

/** Takes texts out of a change and out of the texts of pages. Within the caller's transaction. */
export function eraseTexts({ changes, opened }: HubTables, { seq, fields, snapshots = [] }: ErasedTexts): void {
  changes.redact(seq, fields);
  forgetSnapshots(opened, snapshots);
}

/**
 * Does work after which nothing of what it takes away is left: neither in the free room of pages that it writes, nor in what waits to be moved into the main
 * file. What readers keep it from moving is moved with the next writes.
 */
export function erasing<T>({ log, database }: LogDatabase, work: () => T): T {
  const { secure_delete: before } = log.ask(() => database.prepare('PRAGMA secure_delete').get()) as {
    readonly secure_delete: number;
  };
  log.ask(() => database.exec('PRAGMA secure_delete = ON'));
  try {
    return work();
  } finally {
    log.ask(() => database.exec(`PRAGMA secure_delete = ${before}; PRAGMA wal_checkpoint(TRUNCATE)`));
  }
}

/** Rewrites the whole database, so that its free space is gone with everything in it. Takes long, and as much space again. */
export function writeAnew({ log, database }: LogDatabase): void {
  log.ask(() => database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)'));
}
