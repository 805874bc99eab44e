import { accept, type Issue, type Result, refuse } from '../primitives/result.ts';
import { booleanOf, cursorIn, filledText, given, note, readObject, secondsOf, valueInMessage } from './read-object.ts';
import type { Cursor } from './wire.ts';

/** A head as a client needs it. */
export interface DecodedHead {
  /** Opaque; null while there is nothing to read. */
  readonly cursor: Cursor;
  readonly prev_cursor: Cursor;
  readonly changed: boolean;
  readonly generated_at?: string;
  readonly ttl_sec?: number;
  /** As written: resolve it against the URL of the head. */
  readonly latest_url: string;
  /** Deviations from the specification that do not stop a client. */
  readonly issues: readonly Issue[];
}

/**
 * Reads a head of any server. Leaves out unknown fields and keeps cursors as they are.
 *
 * @example
 * const head = decodeHead(await (await fetch('https://feeds.example/diff/docs/head.json')).text());
 * if (head.ok && head.value.cursor !== stored) console.log('news at', head.value.latest_url);
 */
export function decodeHead(text: string): Result<DecodedHead> {
  const read = readObject(text);
  if (!read.ok) return read;
  const head = read.value;
  const latestUrl = filledText(head.latest_url);
  if (latestUrl === undefined) return refuse('DD-H1', withoutLatest('buckets' in head));
  const stop = decodeStop(head);
  if (!stop.ok) return stop;

  const issues: Issue[] = [];
  if (!('prev_cursor' in head)) note(issues, 'DD-H1', 'The head has no prev_cursor.');
  const generatedAt = filledText(head.generated_at);
  if (generatedAt === undefined)
    note(issues, 'DD-H1', `generated_at is ${valueInMessage(head.generated_at)}, not a time.`);
  const ttlSec = secondsOf(head.ttl_sec);
  if (ttlSec === undefined)
    note(issues, 'DD-H1', `ttl_sec is ${valueInMessage(head.ttl_sec)}, not a number of seconds.`);
  return accept({
    ...stop.value,
    ...given({ generated_at: generatedAt, ttl_sec: ttlSec }),
    latest_url: latestUrl,
    issues,
  });
}

function withoutLatest(hasBuckets: boolean): string {
  return hasBuckets
    ? 'This is a feed and not a head: it has buckets and no latest_url.'
    : 'The head has no latest_url that says where its feed is.';
}

/** What clients base decisions on; without it, neither head nor feed can be used. */
export function decodeStop(
  document: Readonly<Record<string, unknown>>,
): Result<Pick<DecodedHead, 'cursor' | 'prev_cursor' | 'changed'>> {
  const { prev_cursor: previous = null } = document;
  const cursor = cursorIn(document.cursor);
  if (cursor === undefined)
    return refuse('DD-C3', `cursor is ${valueInMessage(document.cursor)}, neither a cursor nor null.`);
  const prevCursor = cursorIn(previous);
  if (prevCursor === undefined)
    return refuse('DD-C3', `prev_cursor is ${valueInMessage(previous)}, neither a cursor nor null.`);
  const changed = booleanOf(document.changed);
  if (changed === undefined)
    return refuse('DD-B1', `changed is ${valueInMessage(document.changed)}, neither true nor false.`);
  return accept({ cursor, prev_cursor: prevCursor, changed });
}
