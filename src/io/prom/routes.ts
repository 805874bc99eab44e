import { Counter, Histogram, type Registry } from 'prom-client';
import type { RouteMetrics } from '../../hub/watch/metrics.ts';

interface Tally {
  readonly labels: { readonly route: string; readonly method: string; readonly status: string };
  count: number;
  /** How much of `count` the counter has been told. */
  told: number;
}

/** From a twentieth of a millisecond, which a 304 takes, to what a reader still waits for. */
const REQUEST_SECONDS = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];

/**
 * Counts requests in plain numbers, which the counter is told when it is scraped: finding a counter by its three labels would cost
 * more than the rest of counting.
 */
export function createPromRoutes(register: Registry): (path: string) => RouteMetrics {
  const tallies: Tally[] = [];
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
  const seconds = new Histogram({
    name: 'tidings_http_request_duration_seconds',
    help: 'From the request being read to its answer being handed to the socket.',
    labelNames: ['route'],
    buckets: REQUEST_SECONDS,
    registers: [register],
  });

  return (route) => {
    const duration = seconds.labels(route);
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
}
