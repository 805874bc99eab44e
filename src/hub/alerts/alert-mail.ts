import { formatTime } from '../../codecs/primitives/time.ts';
import type { AlertEvent } from './alert.ts';
import { plainLine } from './plain-line.ts';

/** A mail of plain text. */
export interface Mail {
  readonly subject: string;
  readonly text: string;
  /** The same for the same events, so that one that is sent twice is known by it. */
  readonly messageId: string;
}

const SHOWN = 50;
const SUBJECT = 120;

/** One mail of all that happened since the last: what began and what is over, each with what to do. */
export function alertMail(events: readonly AlertEvent[], { baseUrl }: { readonly baseUrl: string }): Mail {
  const [first] = events;
  const last = events.at(-1);
  if (first === undefined || last === undefined) throw new Error('A mail of nothing.');
  const { host, hostname } = new URL(baseUrl);
  const shown = events.slice(0, SHOWN).map(paragraphOf);
  const more = events.length > SHOWN ? [`… and ${events.length - SHOWN} more.`] : [];
  return {
    subject: plainLine(`[Tidings ${host}] ${subjectOf(events)}`, SUBJECT),
    text: [
      ...shown,
      ...more,
      `All of them: ${baseUrl}api/v1/alerts (with the hub's token), or tidings status`,
      '',
    ].join('\n\n'),
    messageId: `<alerts.${first.id}.${last.id}@${hostname.replace(/[^a-z0-9.-]/gi, '')}>`,
  };
}

function subjectOf(events: readonly AlertEvent[]): string {
  const [only] = events;
  if (events.length === 1 && only !== undefined) {
    return `${only.type === 'alert.cleared' ? 'Over: ' : ''}${only.alert.summary}`;
  }
  const raised = events.filter(({ type }) => type === 'alert.raised').length;
  const over = events.length - raised;
  return [
    ...(raised > 0 ? [`${raised} ${raised === 1 ? 'alert' : 'alerts'}`] : []),
    ...(over > 0 ? [`${over} over`] : []),
  ].join(', ');
}

function paragraphOf({ type, atMs, alert }: AlertEvent): string {
  const isOver = type === 'alert.cleared';
  return [
    `${isOver ? 'OVER' : alert.severity.toUpperCase()}  ${alert.kind}  ${alert.subject}`,
    `  ${alert.summary}`,
    `  Since ${formatTime(alert.sinceMs)}${isOver ? `, over at ${formatTime(atMs)}.` : '.'}`,
    ...(isOver ? [] : [`  What to do: ${alert.remedy}`]),
  ].join('\n');
}
