import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import { booleanOf, countOf, cursorIn, filledText, given, secondsOf } from './read-object.ts';
import type { Cursor, DeltaCounts } from './wire.ts';

/** What a server says about one of its sources. Unreadable fields are left out. */
export interface DecodedSource {
  readonly name?: string;
  /** `ok`, `degraded`, `error`, `disabled`, or another word of the server. */
  readonly status?: string;
  readonly changed?: boolean;
  readonly cursor?: Cursor;
  readonly prev_cursor?: Cursor;
  readonly ttl_sec?: number;
  readonly head_url?: string;
  readonly latest_url?: string;
  readonly stale?: boolean;
  readonly stale_since?: string;
  readonly last_ok_at?: string;
  readonly stale_age_sec?: number;
  readonly consecutive_failures?: number;
  readonly error?: { readonly code: string; readonly http_status?: number };
  readonly disabled_reason?: string;
  readonly fallback_active?: boolean;
  readonly fallback_index?: number;
  readonly degraded_reason?: string;
  readonly delta_counts?: DeltaCounts;
}

export function decodeSourceEntry(entry: JsonRecord): DecodedSource {
  return given({
    name: filledText(entry.name),
    status: filledText(entry.status),
    changed: booleanOf(entry.changed),
    cursor: cursorIn(entry.cursor),
    prev_cursor: cursorIn(entry.prev_cursor),
    ttl_sec: secondsOf(entry.ttl_sec),
    head_url: filledText(entry.head_url),
    latest_url: filledText(entry.latest_url),
    stale: booleanOf(entry.stale),
    stale_since: filledText(entry.stale_since),
    last_ok_at: filledText(entry.last_ok_at),
    stale_age_sec: countOf(entry.stale_age_sec),
    consecutive_failures: countOf(entry.consecutive_failures),
    error: decodeError(entry.error),
    disabled_reason: filledText(entry.disabled_reason),
    fallback_active: booleanOf(entry.fallback_active),
    fallback_index: countOf(entry.fallback_index),
    degraded_reason: filledText(entry.degraded_reason),
    delta_counts: decodeDeltaCounts(entry.delta_counts),
  });
}

function decodeError(value: unknown): DecodedSource['error'] {
  if (!isRecord(value)) return undefined;
  const code = filledText(value.code);
  return code === undefined ? undefined : { code, ...given({ http_status: countOf(value.http_status) }) };
}

function decodeDeltaCounts(value: unknown): DeltaCounts | undefined {
  if (!isRecord(value)) return undefined;
  return { new: countOf(value.new) ?? 0, updated: countOf(value.updated) ?? 0, removed: countOf(value.removed) ?? 0 };
}
