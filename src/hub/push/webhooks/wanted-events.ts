import { webhookBatchLength } from '../../../codecs/webhooks/slim-change.ts';
import type { PushEvent, PushLog } from '../push-log.ts';

export interface WantedQuery {
  readonly afterSeq: number;
  /** No events after this one. */
  readonly toSeq: number;
  readonly most: number;
  wants(event: PushEvent): boolean;
}

export interface WantedEvents {
  /** In order, all for one delivery. */
  readonly events: readonly PushEvent[];
  /** Everything up to here was examined, and is in `events` or not wanted. */
  readonly seenSeq: number;
  /** Nothing more would fit, or the limit of one search was reached. */
  readonly isFull: boolean;
}

const PAGE = 500;
/** A subscriber that wants few events of many does not delay others while it searches. */
const PAGES_AT_ONCE = 10;
/** The events of one delivery are no further apart, so that reading them again is cheap. */
const MOST_APART = 1000;

/** The next events for a subscriber, from memory as far as that reaches. */
export async function wantedEvents(log: PushLog, { afterSeq, toSeq, most, wants }: WantedQuery): Promise<WantedEvents> {
  const found: PushEvent[] = [];
  let seenSeq = afterSeq;
  for (let page = 0; page < PAGES_AT_ONCE; page += 1) {
    const limit = Math.min(PAGE, toSeq - seenSeq);
    const events = limit > 0 ? (log.held(seenSeq, limit) ?? (await log.read(seenSeq, limit))) : [];
    if (events.length === 0) return { events: found, seenSeq, isFull: false };
    for (const event of events) {
      const [first] = found;
      if (first !== undefined && event.seq - first.seq >= MOST_APART) return { events: found, seenSeq, isFull: true };
      if (wants(event)) {
        if (!fitsBehind(found, event)) return { events: found, seenSeq, isFull: true };
        found.push(event);
      }
      seenSeq = event.seq;
      if (found.length === most) return { events: found, seenSeq, isFull: true };
    }
  }
  return { events: found, seenSeq, isFull: true };
}

/** The events of a fixed delivery; fewer if the log no longer has all of them. */
export async function fixedEvents(log: PushLog, seqs: readonly number[]): Promise<readonly PushEvent[]> {
  const [first = 1] = seqs;
  const last = seqs.at(-1) ?? first;
  const wanted = new Set(seqs);
  const found: PushEvent[] = [];
  for (let seenSeq = first - 1; seenSeq < last; ) {
    const limit = Math.min(PAGE, last - seenSeq);
    const events = log.held(seenSeq, limit) ?? (await log.read(seenSeq, limit));
    if (events.length === 0) break;
    found.push(...events.filter(({ seq }) => wanted.has(seq)));
    seenSeq = events.at(-1)?.seq ?? last;
  }
  return found;
}

/** Only changes are batched, and no body is longer than receivers expect. */
function fitsBehind(found: readonly PushEvent[], event: PushEvent): boolean {
  if (found.length === 0) return true;
  const changes = [...found, event].flatMap(({ change, json }) => (change === undefined ? [] : [{ change, json }]));
  return changes.length === found.length + 1 && webhookBatchLength(changes) === changes.length;
}
