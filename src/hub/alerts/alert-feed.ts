import { encodeAtomEntry } from '../../codecs/atom/encode-entry.ts';
import { encodeAtomFeed } from '../../codecs/atom/encode-feed.ts';
import { paragraph } from '../../codecs/atom/html.ts';
import { stableId } from '../../codecs/atom/stable-id.ts';
import type { Result } from '../../codecs/primitives/result.ts';
import { formatTime } from '../../codecs/primitives/time.ts';
import type { AlertEvent } from './alert.ts';

/** The newest alerts as an Atom feed, newest first: one entry when one begins, and one when it is over. */
export function encodeAlertFeed(
  events: readonly AlertEvent[],
  { baseUrl, hubId, nowMs }: { readonly baseUrl: string; readonly hubId: string; readonly nowMs: number },
): string {
  const entries = events.map((event) => whole(encodeAtomEntry(entryOf(event, hubId))));
  const head = {
    id: stableId('tidings.alerts', hubId),
    title: `Alerts of ${new URL(baseUrl).host}`,
    updatedMs: events[0]?.atMs ?? nowMs,
    author: { name: 'Tidings' },
    selfUrl: `${baseUrl}alerts.atom`,
  };
  return whole(encodeAtomFeed(head, entries));
}

function entryOf({ id, type, atMs, alert }: AlertEvent, hubId: string) {
  const isOver = type === 'alert.cleared';
  const said = `${alert.severity}, since ${formatTime(alert.sinceMs)}`;
  return {
    id: stableId('tidings.alerts', hubId, id),
    title: `${isOver ? 'Over: ' : ''}${alert.kind} ${alert.subject}`,
    updatedMs: atMs,
    categories: [alert.kind, alert.severity],
    content: [
      paragraph(alert.summary),
      paragraph(isOver ? `Over at ${formatTime(atMs)} (${said}).` : `What to do: ${alert.remedy} (${said}.)`),
    ],
  };
}

function whole(result: Result<string>): string {
  if (!result.ok) throw new Error(`The feed of alerts cannot be written: ${result.issues[0].message}`);
  return result.value;
}
