import { DEFAULT_STREAMS, type StreamSettings } from '../../src/hub/config/stream-settings.ts';
import { createKeyRing } from '../../src/hub/keys/key-ring.ts';
import { logEpoch } from '../../src/hub/log-epoch.ts';
import { ChangeTail } from '../../src/hub/push/change-tail.ts';
import { EventStreams } from '../../src/hub/push/streams/event-streams.ts';
import { changesRoutes } from '../../src/hub/routes/changes-routes.ts';
import { eventsRoutes } from '../../src/hub/routes/events-routes.ts';
import type { HubMetrics } from '../../src/hub/watch/metrics.ts';
import { createNews } from '../../src/hub/watch/news.ts';
import type { ServerLimits } from '../../src/io/fastify/limits.ts';
import { startFastifyServer } from '../../src/io/fastify/server.ts';
import { openSqliteHubStore } from '../../src/io/sqlite/hub-store.ts';
import type { Change, ChangeDraft } from '../../src/model/change.ts';

export interface EventsLabOptions {
  readonly folder: string;
  readonly port?: number;
  readonly settings?: Partial<StreamSettings>;
  readonly limits?: Partial<ServerLimits>;
  readonly trustProxies?: readonly string[];
  /** The number of changes kept in memory. */
  readonly keptEvents?: number;
  readonly now?: () => number;
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
/** Metrics that are ignored. */
export const UNCOUNTED: HubMetrics = {
  route: () => ({ answered() {} }),
  checked() {},
  changed() {},
  watch() {},
  watchStreams() {},
  watchWebhooks() {},
  watchAlerts() {},
};

/** The streams of a hub over a real log and a real server, without its other parts. The test appends changes. */
export async function openEventsLab(options: EventsLabOptions) {
  const { folder, port = 0, limits, trustProxies = [], keptEvents, now } = options;
  const settings = { ...DEFAULT_STREAMS, ...options.settings };
  const store = await openSqliteHubStore({ folder, ...(now && { now }) });
  const news = createNews({ recent: await store.recentChanges(5), lastIds: await store.lastChangeIds(), kept: 5 });
  store.onChanges((changes) => news.add(changes));
  const tail = new ChangeTail({ store, newest: news.newest(), ...(keptEvents !== undefined && { keptEvents }) });
  const epoch = await logEpoch(store);
  const problems: unknown[] = [];
  const onProblem = (error: unknown) => void problems.push(error);
  const streams = new EventStreams({ store, epoch, tail, newest: news.newest, settings, onProblem });
  const isSource = (id: string) => id === 'quiet' || news.lastChangeIdOf(id) !== undefined;
  const keys = await createKeyRing(store.keys);
  const server = await startFastifyServer({
    routes: [
      ...eventsRoutes({ streams, settings, keys, isSource }),
      ...changesRoutes({ store, epoch, newest: news.newest, isSource, baseUrl: () => server.url }),
    ],
    host: '127.0.0.1',
    port,
    isAdmin: () => false,
    trustProxies,
    limits: { streams: settings.most, ...limits },
    logger: SILENT,
    metrics: UNCOUNTED,
  });
  let closed: Promise<void> | undefined;
  const lab = {
    url: server.url,
    port: server.port,
    store,
    streams,
    tail,
    keys,
    epoch,
    problems,
    commit: (count: number, source = 'docs', fields: Partial<ChangeDraft> = {}): Promise<readonly Change[]> =>
      store.commit({ source, drafts: Array.from({ length: count }, (_, at) => draftOf(source, at, fields)) }),
    close() {
      streams.close();
      closed ??= server.close(1000).then(() => store[Symbol.asyncDispose]());
      return closed;
    },
    [Symbol.asyncDispose]: () => lab.close(),
  };
  return lab;
}

function draftOf(source: string, at: number, fields: Partial<ChangeDraft>): ChangeDraft {
  return { source, action: 'update', url: `https://${source}.example/page-${at}`, title: `Page ${at}`, ...fields };
}
