import type { SourceConfig } from '../../src/hub/config/source-config.ts';
import type { VisitOutcome } from '../../src/hub/store/visit-outcome.ts';
import type { WatchLab } from './watch-lab.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DELETES_KEPT = { allowDeletes: false };

export const FAILED = {
  is: 'failed',
  error: { code: 'DnsError', message: 'No such host.' },
  changes: 0,
} as const satisfies VisitOutcome;

export function feed(id: string, intervalSeconds = 60, host = id): SourceConfig {
  return { id, kind: 'feed', url: `https://${host}.example/`, dialect: 'aicf', intervalSeconds };
}

/** The lab with its methods as plain functions. */
export function bound(lab: WatchLab) {
  const { time, store, visited } = lab;
  return { lab, time, store, visited, start: lab.start.bind(lab) };
}
