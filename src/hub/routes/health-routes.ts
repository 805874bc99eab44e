import { formatTime } from '../../codecs/primitives/time.ts';
import { clockDoubtText } from '../health/clock-doubt-text.ts';
import { encodeHealthReport, encodeStatuses, healthReport } from '../health/health-report.ts';
import type { ClusterView } from '../health/process-view.ts';
import type { SourceNews } from '../health/source-status.ts';
import { answerArtifact, type ServedArtifact } from '../http/answer-artifact.ts';
import { holdForASecond } from '../http/held-artifact.ts';
import type { Route } from '../http/route.ts';
import { JSON_TYPE, smallArtifact, uncachedJson } from '../http/small-answer.ts';
import type { ClockDoubt } from '../schedule/doubting-clock.ts';
import type { Watch } from '../watch/watch-port.ts';

export interface HealthParts {
  readonly watch: Pick<Watch, 'sources' | 'unwritable'>;
  readonly news: SourceNews;
  /** Whether its data folder was deleted or replaced while it runs. */
  readonly isLost?: () => boolean;
  /** What is wrong with the clock of the machine. */
  readonly clockDoubt?: () => ClockDoubt | undefined;
  /** For a hub that runs in several processes. */
  readonly cluster?: (() => ClusterView) | undefined;
  now(): number;
}

/** An older report is rewritten even if nothing changed, so that its date shows that the hub is alive. */
const OLDEST_REPORT_MS = 60_000;

/** Whether the hub is alive, and the health of its sources. */
export function healthRoutes(parts: HealthParts): Route[] {
  const report = holdForASecond(reportBuilder(parts), parts.now);
  return [
    {
      method: 'GET',
      path: '/state/health.json',
      access: 'open',
      cors: true,
      summary: 'The health of every source, in the format of DiffDelta.',
      responses: { 200: 'The report.', 304: 'Not modified.' },
      answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/Health' } },
      handle: (request) => answerArtifact(request, report()),
    },
    {
      method: 'GET',
      path: '/healthz',
      access: 'open',
      summary: 'Liveness of the hub. A hub with a full disk keeps reading and serving; writable is then false.',
      responses: { 200: 'The hub answers.', 503: 'The data folder was deleted or replaced. Stop the hub.' },
      answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/Liveness' } },
      handle: () => (parts.isLost?.() ? uncachedJson(503, lostOf(parts)) : uncachedJson(200, livenessOf(parts))),
    },
    {
      method: 'GET',
      path: '/healthz.json',
      access: 'open',
      cors: true,
      summary: 'Liveness of the hub, at the path that DiffDelta clients use.',
      responses: { 200: 'The hub answers.' },
      answer: { mediaType: JSON_TYPE },
      handle: () => uncachedJson(200, { ok: true, time: formatTime(parts.now()) }),
    },
  ];
}

interface Written {
  readonly artifact: ServedArtifact;
  readonly sources: string;
  readonly writable: boolean;
  readonly isDoubted: boolean;
  readonly atMs: number;
}

/** Returns the same bytes with the same date while nothing but the date would differ. */
function reportBuilder({ watch, news, isLost, clockDoubt }: HealthParts): (nowMs: number) => ServedArtifact {
  let last: Written | undefined;
  return (nowMs) => {
    const writable = watch.unwritable === undefined && !isLost?.();
    const report = healthReport(watch.sources(), { news, nowMs, writable, clock: clockWords(clockDoubt) });
    const sources = encodeStatuses(report);
    const isYoung = last !== undefined && nowMs >= last.atMs && nowMs < last.atMs + OLDEST_REPORT_MS;
    const isDoubted = report.clock !== undefined;
    const isSame = last?.sources === sources && last.writable === writable && last.isDoubted === isDoubted;
    if (last !== undefined && isYoung && isSame) return last.artifact;

    last = {
      artifact: smallArtifact(encodeHealthReport(report, sources), JSON_TYPE),
      sources,
      writable,
      isDoubted,
      atMs: nowMs,
    };
    return last.artifact;
  };
}

function lostOf({ now }: HealthParts) {
  const reason =
    'The data folder of the hub was deleted or replaced while it ran: nothing is written. Stop it; its log says more.';
  return { ok: false, time: formatTime(now()), writable: false, reason };
}

/** The exact reason names files of this machine, so it only goes into the log. */
function livenessOf({ watch, clockDoubt, cluster, now }: HealthParts) {
  const clock = clockWords(clockDoubt);
  const writable = watch.unwritable === undefined;
  const reason = 'The disk of the hub is full or does not take writes; its log says more. Reads go on.';
  return {
    ok: true,
    time: formatTime(now()),
    writable,
    ...(!writable && { reason }),
    ...(clock !== undefined && { clock }),
    ...cluster?.(),
  };
}

function clockWords(clockDoubt: HealthParts['clockDoubt']): string | undefined {
  const doubt = clockDoubt?.();
  return doubt && clockDoubtText(doubt);
}
