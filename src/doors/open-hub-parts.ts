import { join } from 'node:path';
import type { DocumentCache } from '../crawl/document-cache.ts';
import { RequestJournal } from '../fetch/request-journal.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { type Job, JobBoard } from '../hub/jobs/job-board.ts';
import { createKeyRing, type KeyRing } from '../hub/keys/key-ring.ts';
import { UsageMeter } from '../hub/keys/key-usage.ts';
import { type MakeLimiter, makeOwnLimiter } from '../hub/keys/rate-limiter.ts';
import { logEpoch } from '../hub/log-epoch.ts';
import { ChangeTail } from '../hub/push/change-tail.ts';
import { DoubtingClock } from '../hub/schedule/doubting-clock.ts';
import { createNews, type HubNews } from '../hub/watch/news.ts';
import { alarm } from '../io/node/timer-alarm.ts';
import { uptimeMs } from '../io/node/uptime.ts';
import { createPromMetrics, type PromMetrics } from '../io/prom/metrics.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import type { Endings } from './endings.ts';
import { type HubBotAuth, openBotAuth } from './hub-bot-auth.ts';
import type { JoinedCluster } from './join-cluster.ts';
import { lastKnownMs } from './last-known.ts';
import { openDocumentCache } from './open-document-cache.ts';
import { openPolite, type PoliteWays } from './open-http.ts';
import { openOwnFolder } from './own-folder.ts';

/** What a hub has in its data folder, and its HTTP clients. */
export interface HubParts {
  /** This process of a hub that runs in several processes. */
  readonly cluster?: JoinedCluster | undefined;
  readonly store: WholeHubStore;
  readonly ways: PoliteWays;
  /** The HTTP client for addresses that strangers name: never connects to private networks. */
  readonly publicWays: PoliteWays;
  /** How the crawler proves its identity, if it can. */
  readonly botAuth: HubBotAuth | undefined;
  /** The latest requests to hosts, of both clients. */
  readonly journal: RequestJournal;
  readonly cache: DocumentCache;
  readonly news: HubNews;
  /** The end of the log, for all push channels. */
  readonly tail: ChangeTail;
  /** The epoch of the log; undefined if no backup was ever restored. */
  readonly epoch: string | undefined;
  readonly metrics: PromMetrics;
  readonly keys: KeyRing;
  /** Counts the requests with the keys. */
  readonly usage: UsageMeter;
  /** Rate limits for clients, over all processes of the hub. */
  readonly makeLimiter: MakeLimiter;
  /** The clock for the times of changes. */
  readonly clock: DoubtingClock;
  /** The running jobs that take a while. */
  readonly jobs: JobBoard;
}

export interface OpenPartsOptions {
  readonly onProblem: (message: string) => void;
  /** This process of a hub that runs in several processes. */
  readonly cluster?: JoinedCluster | undefined;
  /** The clock of the machine. */
  readonly wall?: () => number;
  /** An operator checked the clock, and it is right. */
  readonly trustClock?: boolean;
  /** Called with every step of a job that may take a while. */
  readonly onJob?: ((job: Job) => void) | undefined;
}

const RECENT_CHANGES = 50;

/** Opens all parts. From then on news and metrics follow what is committed to the store. */
export async function openHubParts(
  config: HubConfig,
  endings: Endings,
  { onProblem, onJob, cluster, wall = Date.now, trustClock: isTrusted = false }: OpenPartsOptions,
): Promise<HubParts> {
  let time = wall;
  const { data: folder, excerpts } = config;
  const store = cluster?.store ?? endings.use(await openOwnFolder({ folder, excerpts, now: () => time() }));
  const clock = new DoubtingClock({ wall, elapsed: uptimeMs, lastKnownMs: await lastKnownMs(store), isTrusted });
  time = () => clock.now();
  const cacheDir = join(config.data, 'cache');
  const journal = new RequestJournal({ now: wall });
  const memory = cluster?.hosts;
  const botAuth = await openBotAuth(config, onProblem);
  const shared = { ...config, journal, memory, signer: botAuth?.signer };
  const ways = endings.use(await openPolite({ ...shared, cacheDir, isSoleUser: true, onProblem }));
  const publicWays = config.allowPrivate ? endings.use(await openPolite({ ...shared, allowPrivate: false })) : ways;
  const { cache } = await openDocumentCache(cacheDir, onProblem);
  endings.use(cache);
  const news = createNews({
    recent: await store.recentChanges(RECENT_CHANGES),
    lastIds: await store.lastChangeIds(),
    kept: RECENT_CHANGES,
  });
  const metrics = createPromMetrics();
  store.onChanges((changes) => {
    news.add(changes);
    for (const { action } of changes) metrics.changed(action, 1);
    // A reader who follows the log to a page must not get the old text.
    for (const url of new Set(changes.map((change) => change.url))) void cache.forget({ url, variant: 'static' });
  });
  store.onRedactions((change) => {
    news.replace(change);
    void cache.forget({ url: change.url, variant: 'static' });
  });
  // After the news, so that the hub already knows a change when a subscriber hears of it.
  const tail = new ChangeTail({ store, newest: news.newest() });
  const keys = await createKeyRing(store.keys);
  cluster?.store.replica.onApplied(({ kind }) => {
    if (kind === 'keys') keys.reload().catch((error: unknown) => onProblem(`API keys are not known anew: ${error}`));
  });
  const epoch = await logEpoch(store);
  const onUsageProblem = () => onProblem('What was asked with API keys could not be written down; it is tried again.');
  const usage = endings.use(new UsageMeter({ store: store.keyUsage, now: wall, alarm, onProblem: onUsageProblem }));
  const jobs = new JobBoard({ now: wall, ...(onJob !== undefined && { onStep: onJob }) });
  const makeLimiter = cluster?.makeLimiter ?? makeOwnLimiter;
  const told = { news, tail, epoch, metrics, jobs };
  return { cluster, store, ways, publicWays, botAuth, journal, cache, keys, usage, makeLimiter, clock, ...told };
}
