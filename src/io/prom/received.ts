import { Counter, Gauge, type Registry } from 'prom-client';
import type { SubscriberMetrics } from '../../hub/push/subscriber/subscriber-ports.ts';

/** Metrics of what WebSub hubs of others deliver. */
export function createPromReceived(register: Registry): SubscriberMetrics {
  const registers = [register];
  const received = new Counter({
    name: 'tidings_websub_received_total',
    help: 'Deliveries of WebSub hubs, by what became of them.',
    labelNames: ['outcome'],
    registers,
  });
  const missed = new Counter({
    name: 'tidings_websub_missed_total',
    help: 'News that a check found and of which the WebSub hub of the source had not told.',
    registers,
  });
  for (const outcome of ['taken', 'forged', 'gone', 'unknown']) received.inc({ outcome }, 0);
  let read: () => Readonly<Record<string, number>> = () => ({});
  new Gauge({
    name: 'tidings_websub_subscriptions',
    help: 'Subscriptions to WebSub hubs of others: pending, active or ending.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(read())) this.set({ state }, count);
    },
  });
  return {
    pushReceived: (outcome) => received.inc({ outcome }),
    pushMissed: () => missed.inc(),
    subscriptions: (given) => {
      read = given;
    },
  };
}
