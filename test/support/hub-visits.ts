import { randomBytes } from 'node:crypto';
import type { VisitCommit, WatchedSource } from '../../src/hub/hub-store.ts';
import { MemoryHubStore } from '../../src/hub/memory-hub-store.ts';
import type { SourceConfig } from '../../src/hub/source-config.ts';
import { testSource } from '../../src/hub/visit/test-source.ts';
import type { VisitOutcome } from '../../src/hub/visit/visit.ts';
import type { VisitPorts } from '../../src/hub/visit/visit-ports.ts';
import { visitSource } from '../../src/hub/visit/visit-source.ts';
import { createFileBuiltSite } from '../../src/io/file-built-site.ts';
import { createUndiciHttpClient } from '../../src/io/undici-http-client.ts';
import { gunzip } from '../../src/io/zlib-gunzip.ts';
import { politely } from './polite.ts';

export interface VisitLab extends AsyncDisposable {
  readonly store: MemoryHubStore;
  /** One visit, as the hub would make it next. */
  visit(extra?: Partial<Pick<WatchedSource, 'allowDeletes'>> & Partial<VisitPorts>): Promise<VisitOutcome>;
  test(config: SourceConfig): Promise<VisitOutcome>;
  /** `update /a#one`, of changes since the last call; `base` is left out. */
  told(base: string): string[];
  /** Of visits since the last call. */
  takeCommits(): VisitCommit[];
  /** Later visits read another config under the same id. */
  configure(config: SourceConfig): void;
  /** What was waited for in vain is asked for again. */
  advance(ms: number): void;
}

/** One source, a memory, and the real ways out to loopback. Waiting takes no time. */
export function openVisitLab(first: SourceConfig): VisitLab {
  let config = first;
  let skippedMs = 0;
  const now = () => Date.now() + skippedMs;
  const http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test', deadlineMs: 1000 });
  const store = new MemoryHubStore({ now, random: randomBytes });
  const commits: VisitCommit[] = [];
  const ways = politely(http, { now });
  const ports: VisitPorts = {
    ...ways,
    store: {
      pagesOf: (source) => store.pagesOf(source),
      followStateOf: (source) => store.followStateOf(source),
      commit: (visit) => {
        commits.push(visit);
        return store.commit(visit);
      },
    },
    openFolder: createFileBuiltSite,
    gunzip,
    now,
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
    async visit({ allowDeletes, ...others } = {}) {
      const source = { config, origin: 'config', addedAtMs: 0, ...(allowDeletes && { allowDeletes }), health } as const;
      const outcome = await visitSource(source, { ...ports, ...others });
      if (outcome.is === 'read') health = { ...health, lastOkMs: now() };
      if (outcome.changes > 0) health = { ...health, lastChangeMs: now() };
      return outcome;
    },
    test: (other) => testSource(other, ports),
    told(base) {
      const changes = store.log.slice(told);
      told = store.log.length;
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
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}
