import { boundaryOf } from '../codecs/aicf/boundary.ts';
import type { PublishReport } from '../doors/publish.ts';
import type { World } from './world.ts';

/** More lines than a person reads; `--json` has them all. */
const MOST_LINES = 50;

export async function printChanges(changes: PublishReport['changes'], world: World): Promise<void> {
  for (const change of changes.slice(0, MOST_LINES)) {
    const note = change.note === undefined ? '' : `  (${change.note})`;
    await world.print(`${change.action.padEnd(6)}  ${boundaryOf(change)}${note}`);
  }
  if (changes.length > MOST_LINES)
    await world.print(`… and ${changes.length - MOST_LINES} more; --json names them all`);
}

/** What to know where `--only` finds nothing on some pages. */
export function unmatchedLine(count: number): string {
  const pages = count === 1 ? '1 page has' : `${count} pages have`;
  return `${pages} nothing that --only names, and ${count === 1 ? 'was' : 'were'} read as usual.`;
}

/** What to know where something changed that pages share. */
export function frameLine(count: number): string {
  return `frame: changed on ${count === 1 ? '1 page' : `${count} pages`}; no page is told as changed for that.`;
}
