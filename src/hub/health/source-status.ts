import type { SourceStatusWord } from '../../codecs/diffdelta/wire.ts';
import { formatTime } from '../../codecs/primitives/time.ts';
import type { SourceStanding } from '../../dialects/shelf.ts';
import type { LadderState } from '../../follow/ladder.ts';
import { quietSinceMs } from '../../follow/quiet.ts';
import type { SourceKind } from '../config/source-config.ts';
import type { WatchedSource } from '../store/hub-store.ts';

/**
 * The state of one source, in the words of DiffDelta §5; the fields after `kind` are ours. Times are RFC 3339.
 *
 *     { "status": "error", "changed": false, "stale": true, "stale_since": "2026-02-06T17:00:00Z",
 *       "last_ok_at": "2026-02-06T16:00:00Z", "stale_age_sec": 7200, "consecutive_failures": 2,
 *       "error": { "code": "PageStatusError", "http_status": 503 }, "cursor": "sha256:…", "prev_cursor": "sha256:…" }
 */
export interface SourceStatus {
  readonly status: SourceStatusWord;
  /** Not checked yet. */
  readonly pending?: true;
  readonly changed: boolean;
  readonly stale: boolean;
  readonly stale_since?: string;
  readonly last_ok_at?: string;
  readonly stale_age_sec?: number;
  readonly consecutive_failures?: number;
  /** With a message only if it is what the origin says to everybody. */
  readonly error?: { readonly code: string; readonly http_status?: number; readonly message?: string };
  /** A host asked for a pause: which one, and until when. Absent when it is over. */
  readonly host_pause?: { readonly by: string; readonly until: string };
  readonly disabled_reason?: string;
  readonly fallback_active?: true;
  readonly fallback_index?: number;
  readonly degraded_reason?: string;
  /** Null only while the source was never read. */
  readonly cursor: string | null;
  readonly prev_cursor: string | null;
  readonly kind: SourceKind;
  /** For a source of kind `auto`: the dialect of its feed, or `pages`. */
  readonly read_by?: string;
  readonly read_by_since?: string;
  readonly last_check_at?: string;
  readonly next_check_at?: string;
  readonly last_change_at?: string;
  /** The `after` of a reader of this source that has read everything. */
  readonly last_change_id?: string;
  /** Pages or files that the last good check could not read; absent when it read all. */
  readonly unread?: number;
  /** How many things a person should know of the last good check; absent when there is none. */
  readonly notes?: number;
  /** Of the last sampled pages of a feed: how many it told the truth about, and how many not. */
  readonly honesty?: HonestyStatus;
  /** Whether it is quieter than its own rhythm. */
  readonly quiet: boolean;
  readonly quiet_since?: string;
}

export interface HonestyStatus {
  readonly checked_at: string;
  readonly compared: number;
  readonly told_and_true: number;
  readonly told_not_seen: number;
  readonly seen_not_told: number;
}

/** What the log and the shelves know about a source. */
export interface SourceNews {
  /** The id of its newest change. */
  lastChangeIdOf(source: string): string | undefined;
  /** Its position in its runs; the same object while that is unchanged. */
  standingOf(source: string): SourceStanding | undefined;
}

interface Known extends Facts {
  readonly status: SourceStatus;
}

interface Facts {
  readonly lastId: string | undefined;
  readonly standing: SourceStanding | undefined;
}

/** By the record from which a status was made: while it is the same, so is the status, unless that has an age. */
const known = new WeakMap<WatchedSource, Known>();

/** The same object while nothing changed, so that ten thousand sources can be looked at every second. */
export function sourceStatus(source: WatchedSource, news: SourceNews, nowMs: number): SourceStatus {
  const facts = { lastId: news.lastChangeIdOf(source.config.id), standing: news.standingOf(source.config.id) };
  const before = known.get(source);
  const isSame = before !== undefined && before.lastId === facts.lastId && before.standing === facts.standing;
  const { stale_age_sec: age, host_pause: pause } = before?.status ?? {};
  if (isSame && age === undefined && pause === undefined) return before.status;

  const status = statusOf(source, facts, nowMs);
  known.set(source, { status, ...facts });
  return status;
}

function statusOf(source: WatchedSource, { lastId, standing }: Facts, nowMs: number): SourceStatus {
  const { config, health } = source;
  const status = statusWord(source);
  const isStale = status === 'error' || status === 'disabled';
  const quietMs = isStale ? undefined : quietSinceMs(health);
  const { cursor = null, prevCursor = null } = standing ?? {};
  const changed = !isStale && standing?.changed === true;
  return {
    status,
    ...(status === 'ok' && health.lastCheckMs === undefined && { pending: true }),
    changed,
    stale: isStale,
    ...(isStale && moment('stale_since', health.staleSinceMs ?? health.lastCheckMs ?? source.addedAtMs)),
    ...moment('last_ok_at', health.lastOkMs),
    ...(isStale && health.lastOkMs !== undefined && { stale_age_sec: secondsBetween(health.lastOkMs, nowMs) }),
    ...(status === 'error' && { consecutive_failures: Math.max(1, health.failures), error: errorOf(source) }),
    ...(health.pause !== undefined &&
      health.pause.untilMs > nowMs && {
        host_pause: { by: health.pause.by, until: formatTime(health.pause.untilMs) },
      }),
    ...(status === 'disabled' && { disabled_reason: source.paused?.trim() || 'paused' }),
    ...(status === 'degraded' && {
      fallback_active: true,
      fallback_index: health.fallback ?? 0,
      degraded_reason: 'primary_endpoint_failed',
    }),
    cursor,
    prev_cursor: changed ? prevCursor : cursor,
    kind: config.kind,
    ...(health.ladder !== undefined && { read_by: readBy(health.ladder) }),
    ...moment('read_by_since', health.ladder?.sinceMs),
    ...moment('last_check_at', health.lastCheckMs),
    ...(status !== 'disabled' && moment('next_check_at', health.dueAtMs)),
    ...moment('last_change_at', health.lastChangeMs),
    ...(lastId !== undefined && { last_change_id: lastId }),
    ...(health.unread !== undefined && health.unread > 0 && { unread: health.unread }),
    ...(health.notes !== undefined && health.notes.length > 0 && { notes: health.notes.length }),
    ...honestyOf(source),
    quiet: quietMs !== undefined,
    ...moment('quiet_since', quietMs),
  };
}

function honestyOf({ health: { honesty } }: WatchedSource): Pick<SourceStatus, 'honesty'> {
  if (honesty === undefined) return {};
  const { atMs, compared, toldAndTrue, toldNotSeen, seenNotTold } = honesty;
  return {
    honesty: {
      checked_at: formatTime(atMs),
      compared,
      told_and_true: toldAndTrue,
      told_not_seen: toldNotSeen,
      seen_not_told: seenNotTold,
    },
  };
}

/** A source that was not checked yet has no fault. */
export function statusWord({ paused, health }: WatchedSource): SourceStatusWord {
  if (paused !== undefined) return 'disabled';
  if (health.error !== undefined || health.failures > 0) return 'error';
  return health.fallback === undefined ? 'ok' : 'degraded';
}

/** Messages may name what is nobody's business. That a feed was ended or moved is said by its origin itself. */
const PUBLIC_ERRORS = ['AgentFeedUntrustedError'];

function errorOf({ health }: WatchedSource): NonNullable<SourceStatus['error']> {
  const { code = 'UnknownError', httpStatus, message } = health.error ?? {};
  return {
    code,
    ...(httpStatus !== undefined && { http_status: httpStatus }),
    ...(message !== undefined && PUBLIC_ERRORS.includes(code) && { message }),
  };
}

function readBy({ rung, dialect = 'pages' }: LadderState): string {
  return rung === 'pages' ? 'pages' : dialect;
}

function secondsBetween(fromMs: number, toMs: number): number {
  return Math.max(0, Math.floor((toMs - fromMs) / 1000));
}

/** `{ key: time }`, or nothing if the time is unknown. */
function moment<Key extends string>(key: Key, ms: number | undefined): { readonly [name in Key]?: string } {
  const entry: { [name in Key]?: string } = {};
  if (ms !== undefined && Number.isFinite(ms)) entry[key] = formatTime(ms);
  return entry;
}
