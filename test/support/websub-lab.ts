import { expect } from 'vitest';
import { encodeForm } from '../../src/codecs/websub/form.ts';
import { DIALECTS } from '../../src/dialects/registry.ts';
import { Endings } from '../../src/doors/endings.ts';
import { openHubWebSub } from '../../src/doors/hub-websub.ts';
import { openHubParts } from '../../src/doors/open-hub-parts.ts';
import { openShelves } from '../../src/doors/open-shelves.ts';
import { hubConfigOf } from '../../src/doors/settings.ts';
import { shelfStorage } from '../../src/doors/shelf-storage.ts';
import type { HubLogger } from '../../src/hub/watch/logger.ts';
import { startFastifyServer } from '../../src/io/fastify/server.ts';
import { FakeWatch, siteConfig, watchedSource } from './fake-watch.ts';
import type { LoggedLine } from './serve-routes.ts';
import { SkippingTime } from './skipping-time.ts';

const ADMIN_TOKEN = 'Bearer websub-lab-token';
export const PATIENCE = { timeout: 20_000, interval: 25 };

export interface WebSubLabOptions {
  readonly folder: string;
  readonly settings?: object;
  readonly time?: SkippingTime;
  /** The ids of the watched sources. */
  readonly sources?: readonly string[];
}

/** A hub over sockets with its log, its feeds and WebSub. The test controls its sources and clock. */
export async function openWebSubLab(options: WebSubLabOptions) {
  const { folder, settings = {}, time = new SkippingTime(), sources = ['docs', 'blog'] } = options;
  const endings = new Endings();
  const websubHub = { requestsPerMinute: 10_000 };
  const config = hubConfigOf({ port: 0, allowPrivate: true, websubHub, ...settings, data: folder }, { base: folder });
  const logged: LoggedLine[] = [];
  const say = (level: keyof HubLogger) => (fields: object, message: string) =>
    void logged.push({ level, fields: { ...fields }, message });
  const logger = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
  const onBug = (error: unknown) => logger.error({ error }, 'bug');
  const parts = await openHubParts(config, endings, { onProblem: () => {} });
  const watch = new FakeWatch(sources.map((id) => watchedSource(siteConfig(id))));
  let listeningAt = '';
  const baseUrl = () => config.baseUrl ?? listeningAt;
  const stopping = new AbortController().signal;
  const storage = shelfStorage(config, parts.store, logger);
  const shelves = endings.use(
    await openShelves({ ...parts, config, dialects: DIALECTS, storage, watch, baseUrl, stopping, onBug }),
  );
  const documents = shelves.routes();
  const ownAddresses = () => [baseUrl(), listeningAt];
  const part = await openHubWebSub(
    {
      ...parts,
      ...{ adminHash: '', hubId: 'lab' },
      config,
      watch,
      documents,
      shelves,
      logger,
      baseUrl,
      ownAddresses,
      onBug,
    },
    time,
  );
  const server = await startFastifyServer({
    routes: [...documents, ...part.routes],
    host: '127.0.0.1',
    port: 0,
    isAdmin: (authorization) => authorization === ADMIN_TOKEN,
    trustProxies: [],
    logger,
    metrics: parts.metrics,
  });
  listeningAt = server.url;
  part.begin?.();
  endings.add(() => server.close(0));
  endings.add(() => part.close());
  let number = 0;
  const lab = {
    url: server.url,
    config,
    time,
    watch,
    logged,
    metrics: parts.metrics,
    store: parts.store,
    topic: (path: string) => new URL(path, baseUrl()).href,
    get: (path: string, init: RequestInit = {}) => fetch(new URL(path, server.url), init),
    post: (fields: Readonly<Record<string, string>>, type = 'application/x-www-form-urlencoded') =>
      fetch(new URL('hub', server.url), {
        method: 'POST',
        body: encodeForm(Object.entries(fields)),
        headers: { 'content-type': type },
        redirect: 'manual',
      }),
    /** Sends a request that must be accepted. */
    async ask(mode: 'subscribe' | 'unsubscribe', path: string, callback: string, more: Record<string, string> = {}) {
      const fields = { 'hub.mode': mode, 'hub.topic': lab.topic(path), 'hub.callback': callback, ...more };
      const answer = await lab.post(fields);
      expect([answer.status, answer.status === 202 ? '' : await answer.text()]).toEqual([202, '']);
    },
    /** The same, and waits until the callback was asked and its answer is stored. */
    async subscribe(path: string, callback: string, more: Record<string, string> = {}) {
      const before = (await lab.find(callback, path))?.leaseEnd;
      await lab.ask('subscribe', path, callback, more);
      await expect
        .poll(async () => {
          const found = await lab.find(callback, path);
          return found?.status === 'active' && found.pending === undefined && found.leaseEnd !== before;
        }, PATIENCE)
        .toBe(true);
    },
    /** Appends a change of a source to the log, a second later. */
    async change(source = 'docs') {
      // A topic is delivered once a second.
      time.skip(1000);
      number += 1;
      const url = `https://${source}.example/page-${number}`;
      const draft = { source, action: 'update' as const, url, title: `Page ${number}` };
      await parts.store.commit({ source, drafts: [{ ...draft, checksum: `sha256:${'0'.repeat(64)}` }] });
      return url;
    },
    async list() {
      const answer = await lab.get('api/v1/websub', { headers: { authorization: ADMIN_TOKEN } });
      return (await answer.json()) as {
        readonly subscriptions: readonly ListedSubscription[];
        readonly warning?: string;
      };
    },
    async find(callback: string, path?: string) {
      const { subscriptions } = await lab.list();
      return subscriptions.find(
        (each) => each.callback === callback && (path === undefined || each.topic === lab.topic(path)),
      );
    },
    deny: (id: string) => lab.get(`api/v1/websub/${id}`, { method: 'DELETE', headers: { authorization: ADMIN_TOKEN } }),
    /** The store refuses writes of WebSub until it is mended. */
    breakStore(error: Error) {
      const { store } = parts;
      const database = store.openTables((opened) => opened.log);
      const { appendWith } = database;
      database.appendWith = () => {
        throw error;
      };
      return {
        mend: () => {
          database.appendWith = appendWith;
        },
      };
    },
    bugs: () => logged.filter(({ level }) => level === 'error'),
    [Symbol.asyncDispose]: () => endings.run(),
  };
  return lab;
}

export type WebSubLab = Awaited<ReturnType<typeof openWebSubLab>>;

export interface ListedSubscription {
  readonly id: string;
  readonly topic: string;
  readonly callback: string;
  readonly status: string;
  readonly pending?: string;
  readonly signature?: string;
  readonly leaseEnd?: string;
  readonly lastChallenge?: { readonly at: string; readonly mode: string; readonly outcome: string };
  readonly lastDelivery?: string;
  readonly lastTry?: { readonly at: string; readonly outcome: string };
  readonly nextTry?: string;
  readonly failures?: number;
}
