import { parseTime } from '../codecs/primitives/time.ts';
import type { EndpointRecord } from './endpoint-record.ts';
import type { SurfaceTable } from './surface-table.ts';

export interface Resolution {
  /** Undefined: the origin names no URL for this any more, or never did. */
  readonly url: string | undefined;
  /** Whether an endpoint on the way is past its sunset. */
  readonly crossedSunset: boolean;
}

/** The URL of an endpoint at a given time: after its sunset, that of its replacement (agent-feed §4). */
export function resolveUrl(table: SurfaceTable, endpointId: string, nowMs: number): Resolution {
  return follow(table, latest(table.find(endpointId)), nowMs);
}

/** The URL for a protocol: of the id that was last announced for it, then as {@link resolveUrl} (T-AF-13). */
export function canonicalEndpoint(table: SurfaceTable, protocol: string, nowMs: number): Resolution {
  return follow(table, latest(table.records().filter((one) => one.protocol === protocol)), nowMs);
}

/** Follows replacements that are past their own sunset. A cycle leads to no URL. */
function follow(table: SurfaceTable, start: EndpointRecord | undefined, nowMs: number): Resolution {
  const seen = new Set<string>();
  let record = start;
  while (record?.deprecation !== undefined && isPast(record.deprecation.sunset, nowMs)) {
    const key = JSON.stringify([record.endpointId, record.protocol]);
    if (seen.has(key)) return { url: undefined, crossedSunset: true };
    seen.add(key);
    const { replacement } = record.deprecation;
    record = replacement === null ? undefined : successor(table.find(replacement), record.protocol);
  }
  return { url: record?.url, crossedSunset: seen.size > 0 };
}

/** Of several protocols under one id, the replaced one. */
function successor(records: readonly EndpointRecord[], protocol: string | undefined): EndpointRecord | undefined {
  return records.find((record) => record.protocol === protocol && protocol !== undefined) ?? latest(records);
}

/** The record that was announced last. */
export function latest(records: readonly EndpointRecord[]): EndpointRecord | undefined {
  let last: EndpointRecord | undefined;
  for (const record of records) {
    if (last === undefined || (record.announcement ?? 0) > (last.announcement ?? 0)) last = record;
  }
  return last;
}

/** From the sunset itself on. */
export function isPast(sunset: string, nowMs: number): boolean {
  const sunsetMs = parseTime(sunset);
  return sunsetMs !== undefined && nowMs >= sunsetMs;
}
