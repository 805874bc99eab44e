import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import { accept, type Issue, type Result, refuse } from '../primitives/result.ts';
import { type DecodedHead, decodeStop } from './decode-head.ts';
import {
  type DecodedItem,
  type DecodedRemoval,
  decodeItem,
  decodeRemoval,
  type ItemSurroundings,
} from './decode-item.ts';
import { type DecodedSource, decodeSourceEntry } from './decode-source-entry.ts';
import {
  filledText,
  filledTexts,
  given,
  note,
  readObject,
  secondsOf,
  valueInMessage,
  wellFormedText,
} from './read-object.ts';
import { BUCKETS, type BucketName } from './wire.ts';

/** A bucket of the live service: items that are new or updated, without saying which. */
const ITEMS_BUCKET = 'items';
const READ_BUCKETS = [...BUCKETS, ITEMS_BUCKET] as const;

export interface DecodedBuckets
  extends Readonly<Record<Exclude<BucketName, 'removed'> | typeof ITEMS_BUCKET, readonly DecodedItem[]>> {
  readonly removed: readonly DecodedRemoval[];
}

/** A feed, latest or archived, as a client needs it. */
export interface DecodedDiffDeltaFeed extends Pick<DecodedHead, 'cursor' | 'prev_cursor' | 'changed'> {
  readonly schema_version?: string;
  readonly generated_at?: string;
  readonly source_id?: string;
  readonly hash?: string;
  readonly prev_hash?: string;
  readonly cursor_basis?: string;
  readonly ttl_sec?: number;
  readonly sources_included: readonly string[];
  readonly batch_narrative?: string;
  /** As written: resolve them against the URL of the feed. */
  readonly archive_url?: string;
  readonly prev_archive_url?: string;
  readonly buckets: DecodedBuckets;
  /** Names of buckets that are not read (DD-O5). */
  readonly unknownBuckets: readonly string[];
  /** Has no prototype, so any id is safe to look up. */
  readonly sources: Readonly<Record<string, DecodedSource>>;
  /** Deviations from the specification that do not stop a client. Items that were left out are named here. */
  readonly issues: readonly Issue[];
}

/**
 * Reads a feed of any server. Leaves out unknown fields and keeps cursors and hashes as they are. A missing bucket
 * is empty, and an item is read if it has an identity and an address. `base` is the URL of the feed, to which its
 * items may be relative.
 *
 * @example
 * const feed = decodeFeed(await (await fetch('https://feeds.example/diff/docs/latest.json')).text());
 * if (feed.ok) for (const { headline, url } of feed.value.buckets.new) console.log(headline, url);
 */
export function decodeDiffDeltaFeed(text: string, base?: URL): Result<DecodedDiffDeltaFeed> {
  const read = readObject(text);
  if (!read.ok) return read;
  const feed = read.value;
  if (!isRecord(feed.buckets)) return refuse('DD-L1', withoutBuckets(feed));
  const stop = decodeStop(feed);
  if (!stop.ok) return stop;
  const unreadable = unreadableBucket(feed.buckets);
  if (unreadable !== undefined) return refuse('DD-L1', `buckets.${unreadable} is not a list.`);

  const issues: Issue[] = [];
  if (!('prev_cursor' in feed)) note(issues, 'DD-P2', 'The feed has no prev_cursor.');
  const generatedAt = filledText(feed.generated_at);
  if (generatedAt === undefined)
    note(issues, 'DD-G1', `generated_at is ${valueInMessage(feed.generated_at)}, not a time.`);
  const ttlSec = secondsOf(feed.ttl_sec);
  if (ttlSec === undefined)
    note(issues, 'DD-G3', `ttl_sec is ${valueInMessage(feed.ttl_sec)}, not a number of seconds.`);
  const repairs: Issue[] = [];
  const included = decodeIncluded(feed, issues);
  const source = soleSource(feed, included);
  const buckets = decodeBuckets(feed.buckets, {
    source,
    generatedAt,
    base,
    run: stop.value.cursor ?? undefined,
    issues,
    repairs,
  });
  // Items that were left out matter more, and the number of issues is limited.
  for (const { clause, message } of repairs) note(issues, clause, message);
  return accept({
    ...stop.value,
    ...given({
      schema_version: filledText(feed.schema_version),
      generated_at: generatedAt,
      source_id: filledText(feed.source_id),
      hash: filledText(feed.hash),
      prev_hash: filledText(feed.prev_hash),
      cursor_basis: filledText(feed.cursor_basis),
      ttl_sec: ttlSec,
      batch_narrative: wellFormedText(feed.batch_narrative),
      archive_url: filledText(feed.archive_url),
      prev_archive_url: filledText(feed.prev_archive_url),
    }),
    sources_included: included,
    buckets,
    unknownBuckets: Object.keys(feed.buckets).filter((name) => !isRead(name)),
    sources: decodeSources(feed.sources),
    issues,
  });
}

function withoutBuckets(feed: JsonRecord): string {
  if (feed.buckets !== undefined) return `buckets is ${valueInMessage(feed.buckets)}, not an object.`;
  return 'latest_url' in feed ? 'This is a head and not a feed: it has no buckets.' : 'The feed has no buckets.';
}

/** Treating it as empty would lose its items. */
function unreadableBucket(buckets: JsonRecord): string | undefined {
  return READ_BUCKETS.find((name) => (buckets[name] ?? null) !== null && !Array.isArray(buckets[name]));
}

function isRead(name: string): boolean {
  return READ_BUCKETS.some((known) => known === name);
}

function decodeIncluded({ sources_included: sources, source_id: id }: JsonRecord, issues: Issue[]): readonly string[] {
  if (Array.isArray(sources)) return filledTexts(sources);
  note(issues, 'DD-O1', `sources_included is ${valueInMessage(sources)}, not a list.`);
  return filledTexts([id]);
}

/** The source of all items of the feed, if it has only one. */
function soleSource({ source_id: id, sources }: JsonRecord, included: readonly string[]): string | undefined {
  const listed = included.length === 0 && isRecord(sources) ? Object.keys(sources) : included;
  return filledText(id) ?? (listed.length === 1 ? filledText(listed[0]) : undefined);
}

function decodeBuckets(buckets: JsonRecord, around: ItemSurroundings): DecodedBuckets {
  const listOf = <T>(
    bucket: string,
    decode: (value: unknown, where: string, around: ItemSurroundings) => T | undefined,
  ) => {
    const values = buckets[bucket];
    if (!Array.isArray(values)) return [];
    const surroundings = bucket === 'updated' ? around : { ...around, run: undefined };
    return values.flatMap((value, at) => decode(value, `buckets.${bucket}[${at}]`, surroundings) ?? []);
  };
  return {
    new: listOf('new', decodeItem),
    updated: listOf('updated', decodeItem),
    removed: listOf('removed', decodeRemoval),
    flagged: listOf('flagged', decodeItem),
    items: listOf(ITEMS_BUCKET, decodeItem),
  };
}

function decodeSources(value: unknown): DecodedDiffDeltaFeed['sources'] {
  const sources: Record<string, DecodedSource> = Object.create(null);
  if (!isRecord(value)) return sources;
  for (const [id, entry] of Object.entries(value)) if (isRecord(entry)) sources[id] = decodeSourceEntry(entry);
  return sources;
}
