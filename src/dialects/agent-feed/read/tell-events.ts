import { hash } from 'node:crypto';
import type { ReaderEvent, ReaderEventName } from './reader-event.ts';

/** How many events of one name a poll reports; the rest is only counted. */
const MAX_OF_A_NAME = 20;
const DAY_MS = 24 * 3600_000;
const MAX_TOLD = 2000;
/** The longest text in an event that an origin can choose. */
const MAX_TEXT = 1000;

/**
 * Problems in a feed show up again at each poll that finds the feed changed. The same problem is reported once a day (AF-U4,
 * AF-N5). All other events are about the poll itself, which happens at most once a minute.
 */
const ONCE_A_DAY: ReadonlySet<ReaderEventName> = new Set([
  'key-unresolvable',
  'active-but-untrusted',
  'unverified-entry',
  'unknown-entry-type',
  'unknown-element',
  'replay-mismatch',
  'malformed-payload',
  'repeated-payload',
  'limit-exceeded',
  'rate-limited',
  'snapshot-feed-disagreement',
  'entries-absent',
]);

/** The events of one poll, limited so that an origin cannot flood listeners. */
export interface Telling {
  tell(event: ReaderEvent, options?: TellOptions): void;
  /** When each event was last reported, to be kept for the next poll. The same object as before if nothing is new. */
  told(): Readonly<Record<string, number>>;
  /** Reports how many events were held back, and returns all events. Call it once, at the end. */
  finish(): readonly ReaderEvent[];
}

export interface TellOptions {
  /** Report it, whatever was reported before. */
  readonly isNews?: boolean;
  /** The subject, if the event itself does not identify it: the same words about two things are two events. */
  readonly about?: string;
}

export interface TellingOptions {
  readonly origin: string;
  readonly nowMs: number;
  readonly told: Readonly<Record<string, number>> | undefined;
  readonly emit: (event: ReaderEvent) => void;
}

export function createTelling({ origin, nowMs, told: before = {}, emit }: TellingOptions): Telling {
  const isRecent = (atMs: number) => atMs <= nowMs && nowMs - atMs < DAY_MS;
  const told = new Map(Object.entries(before).filter(([, atMs]) => isRecent(atMs)));
  const counts = new Map<string, number>();
  const events: ReaderEvent[] = [];
  let kept = told.size === Object.keys(before).length ? before : undefined;
  return { tell, told: () => (kept ??= newestOf(told)), finish };

  function tell(whole: ReaderEvent, { isNews = false, about = '' }: TellOptions = {}): void {
    const event = shortened(whole);
    const key = keyOf(event, about);
    const isOnceADay = ONCE_A_DAY.has(event.event);
    if (isOnceADay && told.has(key) && !isNews) return;
    const count = (counts.get(event.event) ?? 0) + 1;
    counts.set(event.event, count);
    if (count > MAX_OF_A_NAME) return;
    if (isOnceADay) {
      told.set(key, nowMs);
      kept = undefined;
    }
    say(event);
  }

  function say(event: ReaderEvent): void {
    events.push(event);
    emit(event);
  }

  function finish() {
    for (const [name, count] of counts) {
      if (count > MAX_OF_A_NAME) say({ event: 'events-suppressed', origin, of: name, count: count - MAX_OF_A_NAME });
    }
    return events;
  }
}

function newestOf(told: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...told].sort(([, left], [, right]) => left - right).slice(-MAX_TOLD));
}

function keyOf(event: ReaderEvent, about: string): string {
  return hash('sha256', `${JSON.stringify(event)}\n${about}`, 'base64url').slice(0, 22);
}

function shortened(event: ReaderEvent): ReaderEvent {
  const entries = Object.entries(event);
  if (!entries.some(([, value]) => typeof value === 'string' && value.length > MAX_TEXT)) return event;
  const short = entries.map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, MAX_TEXT) : value]);
  return { ...event, ...Object.fromEntries(short) };
}
