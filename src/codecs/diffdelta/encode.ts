import { compareCodePoints } from '../primitives/code-points.ts';
import { sha256 } from './cursor.ts';
import type { DiffDeltaFeed, DiffDeltaHead, DiffDeltaItem } from './wire.ts';

/** A feed as it is written, and the hash that stands in it. */
export interface EncodedFeed {
  readonly text: string;
  readonly hash: string;
}

/**
 * The text of a feed, with its `hash`: the SHA-256 of the same text without that member (T-DD-8). Keys of `sources` stand
 * in order of code points (DD-O2). `hash` of the argument is not looked at.
 */
export function encodeFeed({ hash: _, sources, ...feed }: DiffDeltaFeed): EncodedFeed {
  const ordered = Object.entries(sources).sort(([left], [right]) => compareCodePoints(left, right));
  const entries = ordered.map(([id, entry]) => `${JSON.stringify(id)}:${JSON.stringify(entry)}`).join(',');
  const body = `${JSON.stringify(feed).slice(1, -1)},"sources":{${entries}}}\n`;
  const hash = sha256(`{${body}`);
  return { text: `{"hash":"${hash}",${body}`, hash };
}

/**
 * The hash that a feed in our spelling should have: that of its text without the `hash` at its beginning. Undefined for a
 * text that does not begin with one, as feeds of others do.
 */
export function hashOfText(text: string): string | undefined {
  const start = /^\{"hash":"sha256:[0-9a-f]{64}",/.exec(text);
  return start === null ? undefined : sha256(`{${text.slice(start[0].length)}`);
}

export function encodeHead(head: DiffDeltaHead): string {
  return `${JSON.stringify(head)}\n`;
}

/** The order of the served arrays (§4): by time of publication, then source, then id. */
export function inServedOrder(items: readonly DiffDeltaItem[]): DiffDeltaItem[] {
  return items.toSorted(
    (left, right) =>
      compareCodePoints(left.published_at, right.published_at) ||
      compareCodePoints(left.source, right.source) ||
      compareCodePoints(left.id, right.id),
  );
}
