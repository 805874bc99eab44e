import type { PublishedChange } from '../../dialects/shelf.ts';
import type { LogDatabase } from './log.ts';
import { encodeBody } from './log-schema.ts';

/** Adds changes with the ids and times under which they were published, after all others, in one step. Nobody else writes during this. */
export function addRecovered({ log, database }: LogDatabase, changes: readonly PublishedChange[]): void {
  if (changes.length === 0) return;
  const insert = database.prepare(
    'INSERT INTO changes (seq, id, body) SELECT coalesce(max(seq), 0) + 1, ?, ? FROM changes',
  );
  log.appendWith([], () => {
    for (const { id, ...rest } of changes) insert.run(id, encodeBody({ seq: 0, id, ...rest }));
  });
}
