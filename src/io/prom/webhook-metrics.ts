import { Counter, Gauge, type Registry } from 'prom-client';
import type { WebhookFigures } from '../../hub/watch/metrics.ts';

/** What is counted elsewhere is taken over when it is asked for. */
export function registerWebhooks(register: Registry, current: () => WebhookFigures | undefined): void {
  const registers = [register];
  new Counter({
    name: 'tidings_webhook_attempts_total',
    help: 'Attempts to deliver webhooks, by how they ended.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(current()?.attempts ?? {})) this.inc({ outcome }, count);
    },
  });
  new Gauge({
    name: 'tidings_subscriptions',
    help: 'Webhook subscriptions by how they stand: pending, active, failing, disabled or gone.',
    labelNames: ['status'],
    registers,
    collect() {
      for (const [status, count] of Object.entries(current()?.subscriptions ?? {})) this.set({ status }, count);
    },
  });
  new Gauge({
    name: 'tidings_webhook_lag_events',
    help: 'How many events the subscriber that is farthest behind has not come to.',
    registers,
    collect() {
      this.set(current()?.mostLag ?? 0);
    },
  });
}
