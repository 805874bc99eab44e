import type { HubLogger, LogFields } from './logger.ts';
import type { HubMetrics } from './metrics.ts';
import type { WatchEvent } from './watch-event.ts';

type Line = readonly [level: keyof HubLogger, fields: LogFields, message: string];

/** Says in the log and counts in the metrics what happens while the hub watches. */
export function reportEvent(event: WatchEvent, logger: HubLogger, metrics: HubMetrics): void {
  if (event.is === 'checked') {
    const { source, outcome, check } = event;
    metrics.checked(source.config.kind, check.outcome, check.tookMs / 1000);
    const notes = outcome.is === 'read' ? outcome.notes : [];
    for (const note of notes) logger.warn({ source: check.source }, note);
  }
  const [level, fields, message] = lineOf(event);
  logger[level](fields, message);
}

function lineOf(event: WatchEvent): Line {
  switch (event.is) {
    case 'checked':
      return lineOfCheck(event);
    case 'abandoned':
      return ['info', { source: event.source.config.id, changes: event.changes }, 'A check was cut short'];
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

function lineOfCheck({ source, outcome, check }: WatchEvent & { readonly is: 'checked' }): Line {
  const facts = { source: check.source, tookMs: check.tookMs, changes: check.changes, pages: check.pages };
  if (outcome.is === 'failed') {
    const { failures } = source.health;
    return ['warn', { ...facts, failures, code: outcome.error.code }, `Check failed: ${outcome.error.message}`];
  }
  if (outcome.fallback !== undefined) return ['warn', { ...facts, fallback: outcome.fallback }, 'Read by a fallback'];
  return check.changes > 0 ? ['info', facts, 'Changes found'] : ['debug', facts, 'Nothing changed'];
}
