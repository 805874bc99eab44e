import { Gauge, type Registry } from 'prom-client';
import { ALERT_KINDS } from '../../hub/alerts/alert.ts';
import type { HubMetrics } from '../../hub/watch/metrics.ts';

/** Alerts that are open, by kind; 0 of each that is not. */
export function createPromAlerts(register: Registry): Pick<HubMetrics, 'watchAlerts'> {
  let read: Parameters<HubMetrics['watchAlerts']>[0] | undefined;
  new Gauge({
    name: 'tidings_alerts_open',
    help: 'Alerts that are open, by their kind.',
    labelNames: ['kind'],
    registers: [register],
    collect() {
      const counts = read?.() ?? {};
      for (const kind of ALERT_KINDS) this.set({ kind }, counts[kind] ?? 0);
    },
  });
  return {
    watchAlerts: (given) => {
      read = given;
    },
  };
}
