/**
 * The health of every source, as DiffDelta §7 writes it in `/state/health.json`.
 *
 *     { "generated_at": "2026-02-06T18:00:00Z", "schema_version": "1.1.0", "writable": true,
 *       "summary": { "total": 24, "ok": 20, "degraded": 2, "error": 1, "disabled": 1, "health_pct": 91.7 },
 *       "sources": { "docs": { "status": "ok", … } } }
 *
 * `writable` is ours, and so is `clock`, which is there only when the clock of the machine is not believed.
 */

import type { SourceStatusWord } from '../../codecs/diffdelta/wire.ts';
import { formatTime } from '../../codecs/primitives/time.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { type SourceNews, type SourceStatus, sourceStatus } from './source-status.ts';

const SCHEMA_VERSION = '1.1.0';

export interface HealthSummary extends Readonly<Record<SourceStatusWord, number>> {
  readonly total: number;
  /** The percentage of sources that are read, themselves or by a fallback; to one decimal. */
  readonly health_pct: number;
}

export interface HealthReport {
  readonly generated_at: string;
  readonly schema_version: string;
  /** Whether what checks find can be recorded: the disk may be full. */
  readonly writable: boolean;
  /** Why the clock of the machine is not believed; absent while it is. */
  readonly clock?: string;
  readonly summary: HealthSummary;
  /** In the order of the given sources. */
  readonly sources: ReadonlyMap<string, SourceStatus>;
}

export interface ReportFacts {
  readonly news: SourceNews;
  readonly nowMs: number;
  readonly writable: boolean;
  readonly clock?: string | undefined;
}

export function healthReport(
  sources: readonly WatchedSource[],
  { news, nowMs, writable, clock }: ReportFacts,
): HealthReport {
  const statuses = new Map(sources.map((source) => [source.config.id, sourceStatus(source, news, nowMs)]));
  return {
    generated_at: formatTime(nowMs),
    schema_version: SCHEMA_VERSION,
    writable,
    ...(clock !== undefined && { clock }),
    summary: summarize(Array.from(statuses.values(), ({ status }) => status)),
    sources: statuses,
  };
}

/** A hub without sources has nothing that ails. */
export function summarize(statuses: readonly SourceStatusWord[]): HealthSummary {
  const counts = { ok: 0, degraded: 0, error: 0, disabled: 0 };
  for (const status of statuses) counts[status]++;
  const total = statuses.length;
  const share = total === 0 ? 1 : (counts.ok + counts.degraded) / total;
  return { total, ...counts, health_pct: Math.round(share * 1000) / 10 };
}

/** `sources`: the result of {@link encodeStatuses} for those of the report. */
export function encodeHealthReport(report: HealthReport, sources = encodeStatuses(report)): string {
  const { sources: _, ...head } = report;
  return `${JSON.stringify(head).slice(0, -1)},"sources":${sources}}\n`;
}

/** Keeps their order, also of those whose ids look like numbers. Without what changes at every look. */
export function encodeStatuses({ sources }: HealthReport): string {
  const entries: string[] = [];
  for (const [id, status] of sources) entries.push(`${JSON.stringify(id)}:${statusText(status)}`);
  return `{${entries.join(',')}}`;
}

const texts = new WeakMap<SourceStatus, string>();

function statusText(status: SourceStatus): string {
  const written = texts.get(status) ?? JSON.stringify(status);
  texts.set(status, written);
  return written;
}
