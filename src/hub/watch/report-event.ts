import { formatTime } from '../../codecs/primitives/time.ts';
import { quietSinceMs } from '../../follow/quiet.ts';
import type { SourceHealth } from '../store/hub-store.ts';
import type { HubLogger, LogFields } from './logger.ts';
import type { HubMetrics } from './metrics.ts';
import type { WatchEvent } from './watch-event.ts';

type Checked = Extract<WatchEvent, { readonly is: 'checked' }>;
type Line = readonly [level: keyof HubLogger, fields: LogFields, message: string];

/** Writes events of the watch to the log, and counts them in the metrics. */
export function reportEvent(event: WatchEvent, logger: HubLogger, metrics: HubMetrics): void {
  if (event.is === 'checked') {
    const { source, check } = event;
    metrics.checked(source.config.kind, check.outcome, check.tookMs / 1000);
  }
  const lines = event.is === 'checked' ? linesOfCheck(event) : [lineOf(event)];
  for (const [level, fields, message] of lines) logger[level](fields, message);
}

function lineOf(event: Exclude<WatchEvent, Checked>): Line {
  switch (event.is) {
    case 'abandoned':
      return ['info', { source: event.source.config.id, changes: event.changes }, 'A check was cut short'];
    case 'postponed':
      return ['debug', { source: event.source.config.id }, 'It is too early to ask again'];
    case 'adopted':
      return ['debug', { source: event.source.config.id }, 'Another process wrote this source'];
    case 'added':
    case 'replaced':
    case 'removed':
    case 'paused':
    case 'resumed':
      return ['info', { source: event.source.config.id, reason: event.source.paused }, `Source ${event.is}`];
    case 'overridden':
      return ['warn', { source: event.source.config.id }, 'The config names a source that was added before; it counts'];
    case 'unwritable':
      return ['error', { reason: event.reason }, 'The store cannot be written; reading goes on'];
    case 'writable-again':
      return ['info', {}, 'The store can be written again'];
    case 'late':
      return ['warn', { lagSeconds: Math.round(event.lagMs / 1000) }, 'Sources are read later than they are due'];
    case 'bug':
      return ['error', { source: event.source, error: event.error }, 'A fault of Tidings itself; please report it'];
  }
}

/** Anything that continues as before is logged at debug level, except failures. */
function linesOfCheck({ source, before, outcome, check, newNotes }: Checked): Line[] {
  const { source: id, tookMs, changes, pages } = check;
  const facts = { source: id, tookMs, changes, pages };
  if (outcome.is === 'failed') {
    const { failures } = source.health;
    return [['warn', { ...facts, failures, code: outcome.error.code }, `Check failed: ${outcome.error.message}`]];
  }
  return [
    ...newNotes.map((note): Line => ['warn', { source: id }, note]),
    ...recovery(id, before),
    ...fallbackTurn(id, before, outcome.fallback),
    ...quietTurn(id, before, source.health),
    changes > 0 ? ['info', facts, 'Changes found'] : ['debug', facts, 'Nothing changed'],
  ];
}

function recovery(source: string, { failures }: SourceHealth): Line[] {
  if (failures === 0) return [];
  return [['info', { source, failures }, `Read again after ${failures} ${failures === 1 ? 'failure' : 'failures'}`]];
}

function fallbackTurn(source: string, before: SourceHealth, fallback: number | undefined): Line[] {
  if (before.fallback === fallback) return [];
  return fallback === undefined
    ? [['info', { source }, 'Read itself again']]
    : [['warn', { source, fallback }, 'Read by a fallback']];
}

function quietTurn(source: string, before: SourceHealth, after: SourceHealth): Line[] {
  const sinceMs = quietSinceMs(after);
  if ((sinceMs === undefined) === (quietSinceMs(before) === undefined)) return [];
  return sinceMs === undefined
    ? [['info', { source }, 'No longer quiet']]
    : [['warn', { source, since: formatTime(sinceMs) }, 'Quieter than its rhythm']];
}
