import type { AuditedFeed, LoggedChange, ToldEvent } from '../dialects/auditor.ts';
import type { AuditFinding, OpenFinding } from './audit-report.ts';
import { hashedText } from './hashed-text.ts';

/** The changes of a log, for comparison with feeds. */
export interface ComparedLog {
  /** In order. */
  readonly changes: readonly LoggedChange[];
  changeOf(id: string): LoggedChange | undefined;
  changesAt(url: string): readonly LoggedChange[];
  changesOf(timeMs: number): readonly LoggedChange[];
  /** Whether the event is missing from the log because it is older: by its time and, if it has one, its id. */
  isBefore(event: ToldEvent): boolean;
}

/** How a feed and the log differ. */
export interface FeedContradictions {
  /** These may disappear a moment later: the log or the feed lagged behind the other. */
  readonly open: readonly OpenFinding[];
  readonly lasting: readonly AuditFinding[];
}

/** Compares a feed with the log in both directions: every event must be logged, and every change must be reported. */
export function compareFeed(feed: AuditedFeed, log: ComparedLog): FeedContradictions {
  const open: OpenFinding[] = [];
  const lasting: AuditFinding[] = [];
  for (const event of feed.told) {
    if (log.isBefore(event)) continue;
    const known = event.id === undefined ? undefined : log.changeOf(event.id);
    const difference = known && differenceOf(event, known);
    if (difference !== undefined && known !== undefined) lasting.push(contradiction(event, known, difference));
    const isKnown = () => isLogged(event, feed, log);
    if (known === undefined && !isKnown()) open.push({ finding: unlogged(event), isLogged: isKnown });
  }
  const told = toldIn(feed);
  for (const change of log.changes) {
    if (feed.mustTell(change) && !told(change)) open.push({ finding: untold(change, feed) });
  }
  return { open, lasting };
}

function isLogged(event: ToldEvent, { namesOf }: AuditedFeed, log: ComparedLog): boolean {
  const { id, name, url, timeMs } = event;
  if (id !== undefined) {
    const change = log.changeOf(id);
    return change !== undefined && differenceOf(event, change) === undefined;
  }
  if (name !== undefined) {
    return log.changesOf(timeMs ?? Number.NaN).some((change) => namesOf?.(change).includes(name) === true);
  }
  return log.changesAt(url ?? '').some((change) => differenceOf(event, change) === undefined);
}

type Field = 'source' | 'url' | 'anchor' | 'action' | 'time' | 'checksum';

/** The first field that differs. Fields that the event does not have are not compared. */
function differenceOf(event: ToldEvent, change: LoggedChange): Field | undefined {
  const { source, url, anchor, action, timeMs, checksum } = event;
  if (source !== undefined && source !== change.source) return 'source';
  if (url !== undefined && !isText(url, change.url)) return 'url';
  if (anchor !== undefined && !isText(anchor, change.anchor ?? null)) return 'anchor';
  if (action !== undefined && action !== change.action) return 'action';
  if (timeMs !== undefined && !isSameTime(timeMs, change.timeMs)) return 'time';
  return checksum !== undefined && checksum !== change.checksum ? 'checksum' : undefined;
}

/** The entry holds only the hash of a text that was too long for it. */
function isText(told: string | null, logged: string | null): boolean {
  return told === logged || (told !== null && hashedText(told) === logged);
}

/** Some dialects state whole seconds. */
function isSameTime(toldMs: number, timeMs: number): boolean {
  return toldMs === timeMs || toldMs === timeMs - (timeMs % 1000);
}

/** Whether a feed reports a change. */
function toldIn({ told, namesOf }: AuditedFeed): (change: LoggedChange) => boolean {
  const ids = new Set(told.flatMap(({ id }) => id ?? []));
  const names = new Set(told.flatMap(({ name }) => name ?? []));
  const times = new Map<string, Set<number>>();
  for (const { id, name, url, timeMs } of told) {
    if (id !== undefined || name !== undefined || url === undefined || timeMs === undefined) continue;
    const ofUrl = times.get(url) ?? new Set();
    times.set(url, ofUrl.add(timeMs));
  }
  return (change) => {
    const { id, url, timeMs } = change;
    if (ids.has(id) || namesOf?.(change).some((name) => names.has(name)) === true) return true;
    const ofUrl = times.get(url);
    return ofUrl?.has(timeMs) === true || ofUrl?.has(timeMs - (timeMs % 1000)) === true;
  };
}

function contradiction(event: ToldEvent, change: LoggedChange, field: Field): AuditFinding {
  return {
    what: `The feed tells the change ${change.id} otherwise than the log: another ${field}.`,
    where: event.where,
    evidence: {
      id: change.id,
      index: change.index,
      field,
      told: shownValue(event, field),
      logged: shownValue(change, field),
    },
  };
}

function shownValue(of: ToldEvent | LoggedChange, field: Field): string | null {
  if (field !== 'time') return of[field] ?? null;
  return of.timeMs === undefined ? null : new Date(of.timeMs).toISOString();
}

function unlogged(event: ToldEvent): AuditFinding {
  const { id, name, url, timeMs, where } = event;
  const told = id ?? name ?? url ?? '';
  return {
    what: `The feed tells of something that is not in the log: ${told}.`,
    where,
    evidence: {
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url }),
      ...(timeMs !== undefined && { time: new Date(timeMs).toISOString() }),
    },
  };
}

function untold({ id, index, seq, source, url, action, time }: LoggedChange, { where }: AuditedFeed): AuditFinding {
  return {
    what: `The feed leaves out the change ${id}, which is in the log: ${action} of ${url}.`,
    where,
    evidence: { id, index, seq, source, url, action, time },
  };
}
