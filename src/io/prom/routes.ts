import { Counter, type Registry } from 'prom-client';
import type { RouteMetrics } from '../../hub/watch/metrics.ts';
import { RouteSeconds, renderRouteSeconds } from './request-seconds.ts';

interface Tally {
  readonly labels: { readonly route: string; readonly method: string; readonly status: string };
  count: number;
  /** How much of `count` the counter already has. */
  told: number;
}

/** The metrics of the routes of one hub. */
export interface PromRoutes {
  route(path: string): RouteMetrics;
  /** What the registry does not know of them, in the text format of Prometheus. */
  render(): string;
}

/** Counts requests in plain numbers, and updates the counter when it is scraped: finding a counter by its three labels costs more than the rest of counting. */
export function createPromRoutes(register: Registry): PromRoutes {
  const tallies: Tally[] = [];
  const durations = new Map<string, RouteSeconds>();
  new Counter({
    name: 'tidings_http_requests_total',
    help: 'Answered requests, by the pattern of their route.',
    labelNames: ['route', 'method', 'status'],
    registers: [register],
    collect() {
      for (const tally of tallies) {
        this.inc(tally.labels, tally.count - tally.told);
        tally.told = tally.count;
      }
    },
  });
  const metricsOf = (route: string): RouteMetrics => {
    // Several methods of a path are one series.
    const duration = durations.get(route) ?? new RouteSeconds(route);
    durations.set(route, duration);
    const byMethod = new Map<string, Map<number, Tally>>();
    const tallyOf = (method: string, status: number): Tally => {
      const byStatus = byMethod.get(method) ?? new Map<number, Tally>();
      byMethod.set(method, byStatus);
      const tally = { labels: { route, method, status: String(status) }, count: 0, told: 0 };
      byStatus.set(status, tally);
      tallies.push(tally);
      return tally;
    };
    return {
      answered(method, status, tookSeconds) {
        const tally = byMethod.get(method)?.get(status) ?? tallyOf(method, status);
        tally.count += 1;
        duration.observe(tookSeconds);
      },
    };
  };
  return { route: metricsOf, render: () => renderRouteSeconds([...durations.values()]) };
}
