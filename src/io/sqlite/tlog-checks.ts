import { othersFirst } from '../../log/others-first.ts';
import { hasTable } from './has-table.ts';
import type { LogDatabase } from './log.ts';

const ROWS_AT_ONCE = 200;

/** Ends the lists of checks that are older, some at a time. Their entries in the provable log stay, and so does what those prove. */
export async function dropCheckedLists(opened: Pick<LogDatabase, 'log' | 'database'>, beforeMs: number): Promise<void> {
  if (!hasTable(opened, 'hub_tlog_checks')) return;
  const drop = opened.database.prepare(
    `DELETE FROM hub_tlog_checks WHERE (log, entry) IN
     (SELECT log, entry FROM hub_tlog_checks WHERE at_ms < ? ORDER BY log, entry LIMIT ${ROWS_AT_ONCE})`,
  );
  for (let dropped = ROWS_AT_ONCE; dropped === ROWS_AT_ONCE; ) {
    opened.log.appendWith([], () => {
      dropped = Number(drop.run(beforeMs).changes);
    });
    await othersFirst();
  }
}
