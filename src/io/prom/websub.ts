import { Counter, Gauge, type Registry } from 'prom-client';
import type { WebSubMetrics } from '../../hub/push/websub/websub-metrics.ts';

export function createPromWebSub(register: Registry): WebSubMetrics {
  const registers = [register];
  const questions = new Counter({
    name: 'tidings_websub_hub_questions_total',
    help: 'Callbacks that were asked whether they want what was asked for, by mode and outcome.',
    labelNames: ['mode', 'outcome'],
    registers,
  });
  const deliveries = new Counter({
    name: 'tidings_websub_hub_deliveries_total',
    help: 'Deliveries by WebSub: delivered, failed, gone (410), or dropped behind the last try.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['delivered', 'failed', 'gone', 'dropped']) deliveries.inc({ outcome }, 0);
  let active = () => 0;
  new Gauge({
    name: 'tidings_websub_hub_subscriptions',
    help: 'Subscriptions by WebSub that are active.',
    registers,
    collect() {
      this.set(active());
    },
  });
  return {
    asked: (mode, isConfirmed) => questions.inc({ mode, outcome: isConfirmed ? 'confirmed' : 'refused' }),
    delivered: (outcome) => deliveries.inc({ outcome }),
    watch: (read) => {
      active = read;
    },
  };
}
