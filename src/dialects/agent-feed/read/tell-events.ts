import { hash } from 'node:crypto';
import type { ReaderEvent, ReaderEventName } from './reader-event.ts';

/** Of one name in one poll; the rest is counted. */
const MAX_OF_A_NAME = 20;
const DAY_MS = 24 * 3600_000;
const MAX_TOLD = 2000;
/** The longest text of an event that an origin can choose. */
const MAX_TEXT = 1000;

/**
 * What stands in a feed is met again at each poll that finds the feed changed. The same is told once a day (AF-U4, AF-N5).
 * The others are about the poll itself, of which there is one a minute at most.
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

/** The events of one poll, limited: an origin cannot flood whoever listens. */
export interface Telling {
  tell(event: ReaderEvent, options?: TellOptions): void;
  /** When each was told last, to be kept for the next poll. The same object as before where nothing is new. */
  told(): Readonly<Record<string, number>>;
  /** Tells how many were held back, and returns all. To be called once, at the end. */
  finish(): readonly ReaderEvent[];
}

export interface TellOptions {
  /** Tell it, whatever was told before. */
  readonly isNews?: boolean;
  /** What it is about, where the event does not say all of it: two of the same words about two things are two. */
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
