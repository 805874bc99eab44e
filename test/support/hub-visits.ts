import { DIALECTS } from '../../src/dialects/registry.ts';
import type { SourceConfig } from '../../src/hub/config/source-config.ts';
import type { HubStore, VisitCommit, WatchedSource } from '../../src/hub/store/hub-store.ts';
import type { VisitOutcome } from '../../src/hub/store/visit-outcome.ts';
import { testSource } from '../../src/hub/visit/test-source.ts';
import type { VisitPorts } from '../../src/hub/visit/visit-ports.ts';
import { visitSource } from '../../src/hub/visit/visit-source.ts';
import { createFileBuiltSite } from '../../src/io/files/built-site.ts';
import { alarm } from '../../src/io/node/timer-alarm.ts';
import { openSqliteHubStore } from '../../src/io/sqlite/hub-store.ts';
import { createUndiciHttpClient } from '../../src/io/undici/http-client.ts';
import { gunzip } from '../../src/io/zlib/gunzip.ts';
import type { Change } from '../../src/model/change.ts';
import { politely } from './polite.ts';
import { temporaryFolder } from './site.ts';

export interface VisitLab extends AsyncDisposable {
  readonly store: HubStore;
  /** The data folder. */
  readonly folder: string;
  /** All changes so far. */
  readonly log: readonly Change[];
  /** How often something was written. */
  readonly commits: number;
  /** The state that the checks left. */
  health: WatchedSource['health'];
  /** The next visit, as the hub would make it. */
  visit(extra?: Partial<Pick<WatchedSource, 'allowDeletes'>> & Partial<VisitPorts>): Promise<VisitOutcome>;
  test(config: SourceConfig, extra?: Partial<VisitPorts>): Promise<VisitOutcome>;
  /** Changes since the last call like `update /a#one`, without `base`. */
  told(base: string): string[];
  /** The commits of visits since the last call. */
  takeCommits(): VisitCommit[];
  /** Later visits use another config under the same id. */
  configure(config: SourceConfig): void;
  /** Moves the clock, so that what was given up is requested again. */
  advance(ms: number): void;
}

/**
 * One source, a store on disk, and the real HTTP clients to loopback. Time passes only when something waits, and then at once. `prepare` may put a database
 * into the folder before it is opened.
 */
export async function openVisitLab(
  first: SourceConfig,
  prepare: (folder: string) => void = () => {},
): Promise<VisitLab> {
  let config = first;
  let skippedMs = 0;
  const openedMs = Date.now();
  const now = () => openedMs + skippedMs;
  const http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test', deadlineMs: 60_000 });
  const folder = temporaryFolder();
  prepare(folder.path);
  const store = await openSqliteHubStore({ folder: folder.path, now });
  const log: Change[] = [];
  store.onChanges((changes) => log.push(...changes));
  const commits: VisitCommit[] = [];
  let written = 0;
  const ways = politely(http, { now });
  const ports: VisitPorts = {
    ...ways,
    dialects: DIALECTS,
    hints: { extensions: {}, nonce: () => 'nonce' },
    store: {
      pagesOf: (source) => store.pagesOf(source),
      storage: (kind) => store.storage(kind),
      changes: (query) => store.changes(query),
      seqBefore: (timeMs) => store.seqBefore(timeMs),
      followStateOf(source) {
        const state = store.followStateOf(source);
        const commit = state.commit.bind(state);
        return Object.assign(state, {
          commit(...edit: Parameters<typeof commit>) {
            written += 1;
            return commit(...edit);
          },
        });
      },
      commit: (visit) => {
        written += 1;
        commits.push(visit);
        return store.commit(visit);
      },
    },
    openFolder: createFileBuiltSite,
    gunzip,
    now,
    wait: async (ms) => {
      skippedMs += ms;
    },
    alarm,
    signal: new AbortController().signal,
  };
  let health: WatchedSource['health'] = {
    changed: false,
    failures: 0,
    intervalMs: 60_000,
    dueAtMs: 0,
    changeGapsMs: [],
  };
  let told = 0;
  return {
    store,
    folder: folder.path,
    log,
    get commits() {
      return written;
    },
    get health() {
      return health;
    },
    set health(other) {
      health = other;
    },
    async visit({ allowDeletes, ...others } = {}) {
      const source = { config, origin: 'config', addedAtMs: 0, ...(allowDeletes && { allowDeletes }), health } as const;
      const outcome = await visitSource(source, { ...ports, ...others });
      health = { ...health, looks: (health.looks ?? 0) + 1 };
      if (outcome.is !== 'abandoned' && outcome.ladder !== undefined) health = { ...health, ladder: outcome.ladder };
      if (outcome.is === 'read') {
        const { notes, rules, honesty } = outcome;
        const kept = { ...(rules !== undefined && { rules }), ...(honesty !== undefined && { honesty }) };
        health = { ...health, lastOkMs: now(), notes, ...kept };
      }
      if (outcome.changes > 0) health = { ...health, lastChangeMs: now() };
      return outcome;
    },
    test: (other, extra) => testSource(other, { ...ports, ...extra }),
    told(base) {
      const changes = log.slice(told);
      told = log.length;
      return changes.map(
        ({ action, url, anchor }) => `${action} ${url.replace(base, '/')}${anchor === undefined ? '' : `#${anchor}`}`,
      );
    },
    takeCommits: () => commits.splice(0),
    configure(other) {
      config = other;
    },
    advance(ms) {
      skippedMs += ms;
    },
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
