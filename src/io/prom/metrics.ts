import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { SubscriberMetrics } from '../../hub/push/subscriber/subscriber-ports.ts';
import type { WebSubMetrics } from '../../hub/push/websub/websub-metrics.ts';
import type { HubFigures, HubMetrics, StreamFigures, WebhookFigures } from '../../hub/watch/metrics.ts';
import { createPromAlerts } from './alerts.ts';
import { createPromReceived } from './received.ts';
import { createPromRoutes } from './routes.ts';
import { registerWebhooks } from './webhook-metrics.ts';
import { createPromWebSub } from './websub.ts';

/** The metrics of one hub in the text format of Prometheus. */
export interface PromMetrics extends HubMetrics, SubscriberMetrics {
  render(): Promise<string>;
  readonly contentType: string;
  readonly websub: WebSubMetrics;
}

const CHECK_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900];

/** Each hub has its own registry, so that two in one process do not mix. */
export function createPromMetrics(): PromMetrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const registers = [register];
  const checks = new Counter({
    name: 'tidings_checks_total',
    help: 'Looks at sources, by their kind and by how they ended.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const checkSeconds = new Histogram({
    name: 'tidings_check_duration_seconds',
    help: 'How long a look at a source takes.',
    labelNames: ['kind'],
    buckets: CHECK_SECONDS,
    registers,
  });
  const changes = new Counter({
    name: 'tidings_changes_total',
    help: 'Changes appended to the log since the hub was started.',
    labelNames: ['action'],
    registers,
  });
  for (const action of ['create', 'update', 'delete']) changes.inc({ action }, 0);
  const routes = createPromRoutes(register);
  let read: (() => HubFigures) | undefined;
  let figures: HubFigures | undefined;
  let readWebhooks: (() => WebhookFigures) | undefined;
  registerWebhooks(register, () => readWebhooks?.());
  registerFigures(register, () => figures);
  let readStreams: (() => StreamFigures) | undefined;
  registerStreams(register, () => readStreams?.());

  return {
    ...createPromReceived(register),
    websub: createPromWebSub(register),
    ...createPromAlerts(register),
    route: routes.route,
    checked: (kind, outcome, seconds) => {
      checks.inc({ kind, outcome });
      checkSeconds.observe({ kind }, seconds);
    },
    changed: (action, count) => changes.inc({ action }, count),
    watch: (given) => {
      read = given;
    },
    watchStreams: (given) => {
      readStreams = given;
    },
    watchWebhooks: (given) => {
      readWebhooks = given;
    },
    render: async () => {
      figures = read?.();
      return `${await register.metrics()}\n${routes.render()}`;
    },
    contentType: register.contentType,
  };
}

/** Gauges of the state of the hub; without a value while it is unknown. */
function registerFigures(register: Registry, current: () => HubFigures | undefined): void {
  const registers = [register];
  const gauge = (name: string, help: string, figure: (figures: HubFigures) => number) => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const figures = current();
        if (figures !== undefined) this.set(figure(figures));
      },
    });
  };

  new Gauge({
    name: 'tidings_sources',
    help: 'Sources by how they stand: ok, degraded, error or disabled.',
    labelNames: ['status'],
    registers,
    collect() {
      for (const [status, count] of Object.entries(current()?.sources ?? {})) this.set({ status }, count);
    },
  });
  gauge('tidings_log_seq', 'The number of the newest change in the log.', ({ logSeq }) => logSeq);
  gauge('tidings_feed_seq', 'The number of the newest change that every served feed has.', ({ feedSeq }) => feedSeq);
  gauge('tidings_due_lag_seconds', 'How long the source that waits longest is due.', (now) => now.dueLagSeconds);
  gauge('tidings_store_writable', '1 when the store takes writes, else 0.', (now) => (now.storeWritable ? 1 : 0));
  gauge('tidings_running_checks', 'Sources that are being read now.', ({ runningChecks }) => runningChecks);
}

/** Streams of events. What is counted elsewhere is taken over when it is asked for. */
function registerStreams(register: Registry, current: () => StreamFigures | undefined): void {
  const registers = [register];
  const gauge = (name: string, help: string, figure: (figures: StreamFigures) => number) => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const figures = current();
        this.set(figures === undefined ? 0 : figure(figures));
      },
    });
  };
  const counter = (name: string, help: string, figure: (figures: StreamFigures) => number) => {
    new Counter({
      name,
      help,
      registers,
      collect() {
        const figures = current();
        this.reset();
        this.inc(figures === undefined ? 0 : figure(figures));
      },
    });
  };
  gauge('tidings_streams_open', 'Streams of events that are open.', ({ open }) => open);
  gauge('tidings_streams_waiting_bytes', 'What waits in memory for readers of streams.', (now) => now.waitingBytes);
  counter('tidings_stream_events_total', 'Changes told by streams, each as often as it was told.', ({ told }) => told);
  counter('tidings_streams_dropped_total', 'Streams ended because their reader was too slow.', (now) => now.dropped);
  counter('tidings_streams_refused_total', 'Streams beyond what is allowed.', ({ refused }) => refused);
}
