import { oneLine } from '../codecs/primitives/one-line.ts';
import {
  type HubStatus,
  hasUnread,
  isNoted,
  type ShownStatus,
  type StorageStatus,
  troubleOf,
} from '../doors/hub-status.ts';
import { byteText } from './byte-text.ts';

/** Sources with troubles first, the worst on top; then those with notes; then, with `all`, the others; then the number per status. */
export function statusText(
  { sources, summary, running, writable = true, overdue_since, storage, alerts = [], processes = [] }: HubStatus,
  { all }: { all: boolean },
): string[] {
  const entries = Object.entries(sources);
  const ailing = ['error', 'degraded', 'quiet'].flatMap((trouble) =>
    entries.filter(([, status]) => troubleOf(status) === trouble),
  );
  const well = entries.filter(([, status]) => troubleOf(status) === undefined);
  const noted = well.filter(([, status]) => isNoted(status));
  const others = [...noted, ...(all ? well.filter(([, status]) => !isNoted(status)) : [])];
  const width = Math.max(0, ...[...ailing, ...others].map(([id]) => id.length));
  const lines = [...ailing, ...others].map(([id, status]) => {
    const word = wordOf(status);
    return `${word.padEnd(8)}  ${id.padEnd(width)}  ${oneLine(describe(status))}`.trimEnd();
  });
  const { total, ok, degraded, error, disabled, quiet, unread, overdue, health_pct } = summary;
  const counts = `${ok} ok, ${degraded} degraded, ${error} in error, ${disabled} paused`;
  const unreadCount = unread > 0 ? `, ${unread} with pages unread` : '';
  return [
    ...alertLines(alerts),
    ...lines,
    `${total} ${total === 1 ? 'source' : 'sources'}: ${counts}; ${quiet} quiet${unreadCount}. ${health_pct} % are read.`,
    ...processes.map(processLine),
    ...(storage === undefined ? [] : [`${storageText(storage)} ${retentionText(storage)}`]),
    ...(writable
      ? []
      : ['The hub cannot write to its disk: what checks find is not recorded. Make room; see its log.']),
    ...(overdue > 0 && running ? [`${overdue} overdue, the longest since ${overdue_since}: large, or waiting.`] : []),
    ...(running ? [] : [`No hub runs on this data: nothing is looked at. Start it with: tidings serve`]),
  ];
}

const SHOWN_ALERTS = 20;
/** A process says something every two seconds. */
const SILENT_SECONDS = 5;

/** The open alerts of the hub. */
function alertLines(alerts: NonNullable<HubStatus['alerts']>): string[] {
  const shown = alerts
    .slice(0, SHOWN_ALERTS)
    .map(({ severity, kind, summary }) => `ALERT     ${severity}  ${kind}  ${oneLine(summary)}`);
  return alerts.length > SHOWN_ALERTS ? [...shown, `ALERT     … and ${alerts.length - SHOWN_ALERTS} more`] : shown;
}

/** `serve-3f…  projector, visits 4; 0 writes behind` */
function processLine({
  name,
  roles,
  visits,
  behind,
  silentSeconds,
}: NonNullable<HubStatus['processes']>[number]): string {
  const does = [...(Array.isArray(roles) ? roles : []), `visits ${visits ?? 0}`].join(', ');
  const silent = silentSeconds > SILENT_SECONDS ? `; silent for ${silentSeconds} s` : '';
  return `PROCESS   ${oneLine(name)}  ${oneLine(does)}; ${behind} writes behind${silent}`;
}

function storageText({ bytes, free_bytes: free, bytes_per_day: perDay, full_at: fullAt }: StorageStatus): string {
  const now = `The data take ${byteText(bytes)}, ${byteText(free)} are free`;
  if (perDay === undefined) return `${now}; how fast they grow is known after a day.`;
  const growth = perDay > 0 ? `they grow by ${byteText(perDay)} a day` : 'they do not grow';
  return `${now}; ${growth}${fullAt === undefined ? '' : `, so the disk is full on ${fullAt.slice(0, 10)}`}.`;
}

function retentionText({ retention = {} }: StorageStatus): string {
  const { archives = {}, ...rest } = retention;
  const kinds = [
    ...Object.entries(rest),
    ...Object.entries(archives).map(([name, keep]) => [`${name} archives`, keep] as const),
  ];
  const limits = kinds.map(([what, { days, bytes = 0 }]) =>
    days === undefined ? `${what} up to ${byteText(bytes)}` : `${what} for ${days} ${days === 1 ? 'day' : 'days'}`,
  );
  return limits.length === 0 ? 'Everything is kept.' : `Kept: ${limits.join(', ')}; all else for good.`;
}

function wordOf(status: ShownStatus): string {
  if (status.status === 'ok' && hasUnread(status)) return 'unread';
  const trouble = troubleOf(status);
  if (trouble === undefined && isNoted(status)) return 'noted';
  return trouble ?? (status.pending ? 'new' : status.status);
}

function describe(status: ShownStatus): string {
  const { unread = 0 } = status;
  const left = unread > 0 ? `${unread} ${unread === 1 ? 'page' : 'pages'} unread. ` : '';
  return left + notesText(status) + standing(status) + pauseText(status);
}

function pauseText({ host_pause: pause }: ShownStatus): string {
  return pause === undefined
    ? ''
    : ` ${pause.by} asked for a pause until ${pause.until}; tidings source resume ends it.`;
}

function notesText(status: ShownStatus): string {
  if (!isNoted(status)) return '';
  const { notes = 0, first_note: first } = status;
  const count = (number: number) => (number === 1 ? 'note' : 'notes');
  if (first === undefined) {
    return `${notes} ${count(notes)}; tidings source list --json shows ${notes === 1 ? 'it' : 'them'}. `;
  }
  return notes === 1 ? `${first} ` : `${first} And ${notes - 1} more ${count(notes - 1)}. `;
}

function standing(status: ShownStatus): string {
  const { last_ok_at: lastOk = 'never', last_check_at: lastCheck = 'never', quiet_since, disabled_reason } = status;
  switch (status.status) {
    case 'error': {
      const { code, http_status: http, message = code } = status.error ?? { code: 'UnknownError' };
      const times = status.consecutive_failures ?? 1;
      const why = message === code && http !== undefined ? `${code} (status ${http})` : message;
      return `${why} Failed ${times === 1 ? 'once' : `${times} times`}; last read ${lastOk}.`;
    }
    case 'degraded':
      if (status.read_by === 'pages') return `Read by its pages since ${status.read_by_since}, last at ${lastOk}.`;
      return `Read by fallback ${(status.fallback_index ?? 0) + 1} at ${lastOk}: the source itself does not answer.`;
    case 'disabled':
      return `Paused: ${disabled_reason}. Last read ${lastOk}.`;
    case 'ok': {
      const { last_change_at: change = 'never' } = status;
      const rhythm = status.quiet ? `Quieter than its rhythm since ${quiet_since}; ` : '';
      const way = status.read_by === undefined ? '' : ` by ${status.read_by}`;
      return `${rhythm}${rhythm === '' ? 'L' : 'l'}ast read${way} ${lastCheck}, last change ${change}.`;
    }
  }
}
