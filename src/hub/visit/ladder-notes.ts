import { formatTime } from '../../codecs/primitives/time.ts';
import type { LadderState } from '../../follow/ladder.ts';

const FELL = 'fell to pages at ';
const MISSING = 'edits between ';

/** What a person should know about a source that is read by its pages in place of its feed. */
export function ladderNotes({ rung, dialect, reason = '', sinceMs, falls }: LadderState): readonly string[] {
  if (rung === 'feed' || dialect === undefined) return [];
  const { fromMs, atMs } = falls.at(-1) ?? {};
  const fell = `${FELL}${formatTime(sinceMs)} because its feed (${dialect}) cannot be followed: ${reason}`;
  if (fromMs === undefined || atMs === undefined) return [fell];
  const between = `${MISSING}${formatTime(fromMs)} and ${formatTime(atMs)}`;
  return [fell, `${between} may be told only when the feed is back.`];
}

/** Whether a note is one of these: they hold until the source returns to its feed. */
export function isLadderNote(note: string): boolean {
  return note.startsWith(FELL) || note.startsWith(MISSING);
}
