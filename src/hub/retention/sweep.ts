import type { Keep, Retention } from '../config/retention.ts';
import type { HubShelves } from '../shelves/hub-shelves.ts';
import type { HubStore } from '../store/hub-store.ts';
import { type ArchiveParts, archiveLog } from './archive-log.ts';
import type { LogArchive, LogArchives } from './log-archives.ts';

export interface SweepParts extends ArchiveParts {
  readonly store: ArchiveParts['store'] &
    Pick<HubStore, 'dropSnapshots' | 'snapshotsBeyond' | 'dropChecks' | 'checksBeyond' | 'seqBefore' | 'seqBeyond'>;
  readonly shelves: ArchiveParts['shelves'] & Pick<HubShelves, 'endArchives'>;
  readonly archives: LogArchives;
  readonly now: () => number;
}

/** Keeps a hub from growing without end. One task at a time: the log is not cut twice at once. */
export interface Sweeper {
  /** Drops what need not be kept any longer. Resolves to the archive, if the log was cut. */
  sweep(retention: Retention): Promise<LogArchive | undefined>;
  /** Cuts the log now, except for the last `days` days. Undefined if nothing is older. */
  archive(days: number): Promise<LogArchive | undefined>;
  readonly archives: Pick<LogArchives, 'list' | 'read' | 'holding'>;
}

const DAY_MS = 24 * 3600_000;
/** The log is cut when it is longer than what is kept by this: each cut gives its feeds new names. */
const CUT_WHEN_OVER = 1.1;

export function createSweeper(parts: SweepParts): Sweeper {
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };
  return {
    archives: parts.archives,
    sweep: (retention) => inTurn(() => sweep(parts, retention)),
    archive: (days) => inTurn(async () => archiveLog(parts, await parts.store.seqBefore(parts.now() - days * DAY_MS))),
  };
}

async function sweep(parts: SweepParts, retention: Retention): Promise<LogArchive | undefined> {
  const { store, shelves, now } = parts;
  const { snapshots, checks, log, archives = {} } = retention;
  const since = (days: number) => now() - days * DAY_MS;
  if (snapshots !== undefined) {
    const { days, bytes = 0 } = snapshots;
    await store.dropSnapshots(days === undefined ? await store.snapshotsBeyond(bytes) : since(days));
  }
  if (checks !== undefined) {
    const { days, bytes = 0 } = checks;
    const beforeMs = days === undefined ? await store.checksBeyond(bytes) : since(days);
    if (beforeMs > 0) await store.dropChecks(beforeMs);
  }
  for (const [dialect, { days, bytes }] of Object.entries(archives)) {
    await shelves.endArchives(dialect, bytes === undefined ? { sinceMs: since(days) } : { bytes });
  }
  return log && (await archiveLog(parts, await cutPoint(log, parts)));
}

/** The last change that may go; 0 while the log is hardly longer than what is kept. */
async function cutPoint({ days, bytes = 0 }: Keep, { store, now }: SweepParts): Promise<number> {
  const begins = store.logStart()?.seq ?? 0;
  if (days === undefined) {
    const isOver = (await store.seqBeyond(bytes * CUT_WHEN_OVER)) > begins;
    return isOver ? await store.seqBeyond(bytes) : 0;
  }
  const isOver = (await store.seqBefore(now() - days * CUT_WHEN_OVER * DAY_MS)) > begins;
  return isOver ? await store.seqBefore(now() - days * DAY_MS) : 0;
}
