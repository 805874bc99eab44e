import { type Migration, migrationAfter } from './follow-migration.ts';
import type { ReaderEvent } from './reader-event.ts';
import type { ReaderPolicy } from './reader-parts.ts';
import { problemOf, type Visited } from './report.ts';

export interface PathEnd {
  /** The feed that counts. */
  readonly visited: Visited;
  /** The feeds that led there, in order. */
  readonly migratedFrom: readonly string[];
  /** Why the last migration could not be followed to its target. */
  readonly problem?: string;
}

export interface PathOptions {
  readonly policy: ReaderPolicy;
  readonly visit: (feedUrl: URL) => Promise<Visited>;
  readonly emit: (event: ReaderEvent) => void;
}

/**
 * Follows a feed to where it migrated, and so on. Each feed has its own identity and state: nothing is carried over (AF-MG2,
 * AF-MG3).
 */
export async function followPath(start: URL, { policy, visit, emit }: PathOptions): Promise<PathEnd> {
  const path = [start];
  let visited = await visit(start);
  for (;;) {
    const migration = migrationAfter(visited.memory, path, policy);
    // A refused migration waits for an operator, so every reading reports it.
    const isToTell = migration.is === 'refused' ? visited.reading !== 'none' : visited.reading === 'other';
    if (isToTell) tellMigration(new URL(visited.memory.feedUrl), migration, emit);
    const migratedFrom = path.slice(0, -1).map(({ href }) => href);
    if (migration.is !== 'followed') return { visited, migratedFrom };
    const next = await visit(migration.to);
    if (!isRead(next)) {
      const problem = `${migration.to.href} could not be read. ${problemOf(next.memory.poll) ?? ''}`.trim();
      return { visited, migratedFrom, problem };
    }
    path.push(migration.to);
    visited = next;
  }
}

/** False for a feed that was never read: there is nothing to report about it. */
function isRead({ memory }: Visited): boolean {
  return memory.feedStatus !== undefined || memory.suspended !== undefined;
}

function tellMigration({ origin }: URL, migration: Migration, emit: (event: ReaderEvent) => void): void {
  if (migration.is === 'none') return;
  const to = migration.to === undefined ? {} : { to: String(migration.to) };
  emit({ event: 'migrated', origin, ...to, ...(migration.is === 'refused' && { refused: migration.refused }) });
}
