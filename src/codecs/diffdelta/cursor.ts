import { hash } from 'node:crypto';
import { canonicalJson } from '../primitives/canonical-json.ts';
import { compareCodePoints } from '../primitives/code-points.ts';
import { BUCKETS, type BucketName, type Cursor } from './wire.ts';

/** The parts of a feed that its cursor covers (§3.1). Buckets may be missing; other buckets are ignored. */
export interface CursorInput {
  readonly sources_included: readonly string[];
  readonly buckets: { readonly [bucket in BucketName]?: readonly CursorItem[] };
}

/** The fields of an item that the cursor covers. */
export interface CursorItem {
  readonly source: string;
  readonly id: string;
  readonly provenance: { readonly content_hash: string };
}

const CURSOR = /^sha256:[0-9a-f]{64}$/;
const ZERO = `sha256:${'0'.repeat(64)}`;

/**
 * The cursor of a feed by `canonical_v1`: SHA-256 of {@link cursorText}. Accepts decoded feeds, and parsed feeds that are
 * well formed. Throws a TypeError for an item without a hash: a cursor that does not cover it would lie (DD-I3).
 *
 * @example
 * const isOurs = feed.cursor_basis === 'canonical_v1' && cursorOf(feed) === feed.cursor;
 */
export function cursorOf(feed: CursorInput): string {
  return sha256Name(cursorText(feed));
}

/**
 * One JSON array: the sources, then `[source, id, content_hash]` of every item of every bucket, sorted by code point
 * (T-DD-3, T-DD-4, T-DD-5).
 *
 *     [["docs"],["docs","https://docs.example/a","sha256:ab12…"],["docs","https://docs.example/b","sha256:cd34…"]]
 *
 * @example
 * console.log(cursorText({ sources_included: ['docs'], buckets: {} })); // [["docs"]]
 */
export function cursorText({ sources_included: sources, buckets }: CursorInput): string {
  const tuples = BUCKETS.flatMap((bucket) => (buckets[bucket] ?? []).map(tupleOf)).sort(compareTuples);
  return canonicalJson([[...sources].sort(compareCodePoints), ...tuples]);
}

/** `sha256:<hex>` of a text in UTF-8. */
export function sha256Name(text: string): string {
  return `sha256:${hash('sha256', text, 'hex')}`;
}

/** Whether a value is valid as a cursor (DD-C3). */
export function isCursor(value: unknown): value is Cursor {
  return value === null || (typeof value === 'string' && CURSOR.test(value));
}

/** Null for the old zero cursor, which means the same (DD-C6). */
export function withoutZero(cursor: Cursor): Cursor {
  return cursor === ZERO ? null : cursor;
}

type Tuple = readonly [source: string, id: string, contentHash: string];

function tupleOf({ source, id, provenance }: CursorItem): Tuple {
  if (!provenance.content_hash) throw new TypeError(`The item ${id} of ${source} has no provenance.content_hash.`);
  return [source, id, provenance.content_hash];
}

function compareTuples(left: Tuple, right: Tuple): number {
  return (
    compareCodePoints(left[0], right[0]) || compareCodePoints(left[1], right[1]) || compareCodePoints(left[2], right[2])
  );
}
