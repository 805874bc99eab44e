import { onTestFinished, vi } from 'vitest';
import type { HttpResponse } from '../../src/fetch/http-client.ts';
import type { SourceConfig } from '../../src/hub/config/source-config.ts';
import { createRateLimiter } from '../../src/hub/keys/rate-limiter.ts';
import { callbackRoutes } from '../../src/hub/push/subscriber/callback-routes.ts';
import { Subscriber } from '../../src/hub/push/subscriber/subscriber.ts';
import type { SubscriberEvent, SubscriberPorts } from '../../src/hub/push/subscriber/subscriber-ports.ts';
import { viewWebSub } from '../../src/hub/push/subscriber/websub-view.ts';
import type { VisitOutcome } from '../../src/hub/store/visit-outcome.ts';
import { randomToken } from '../../src/io/node/random-token.ts';
import { openSqliteHubStore } from '../../src/io/sqlite/hub-store.ts';
import { SqliteTopics } from '../../src/io/sqlite/topics.ts';
import { createUndiciHttpClient } from '../../src/io/undici/http-client.ts';
import type { NamedHubs } from '../../src/model/named-hubs.ts';
import { FakeTime } from './fake-time.ts';
import { FakeWatch, watchedSource } from './fake-watch.ts';
import { type FakeHub, startFakeHub } from './fake-websub-hub.ts';
import { type LiveSite, startLiveSite } from './live-site.ts';
import { serveRoutes } from './serve-routes.ts';
import { temporaryFolder } from './site.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const WAIT = { timeout: 10_000, interval: 5 };

export interface LabOptions extends Partial<Pick<SubscriberPorts, 'allowPrivate' | 'isOn' | 'restFactor'>> {
  readonly ca?: string;
}

/** A subscriber with its own clock; a hub, a site and the callbacks on real sockets; its state on disk. */
export class SubscriberLab {
  readonly time = new FakeTime(NOON);
  readonly events: SubscriberEvent[] = [];
  /** The error of every write, if set. */
  refusal: Error | undefined;
  readonly watch: FakeWatch;
  readonly site: LiveSite;
  readonly hub: FakeHub;
  readonly feed: string;
  subscriber: Subscriber;
  #underWay = 0;
  readonly #open: () => Subscriber;

  private constructor(
    parts: Pick<SubscriberLab, 'watch' | 'site' | 'hub' | 'feed' | 'subscriber'>,
    open: (lab: SubscriberLab) => Subscriber,
  ) {
    this.watch = parts.watch;
    this.site = parts.site;
    this.hub = parts.hub;
    this.feed = parts.feed;
    this.subscriber = parts.subscriber;
    this.#open = () => open(this);
  }

  static async open({ ca, ...options }: LabOptions = {}): Promise<SubscriberLab> {
    const site = await startLiveSite();
    const hub = await startFakeHub();
    const folder = temporaryFolder();
    const store = await openSqliteHubStore({ folder: folder.path });
    const topics = store.openTables((opened) => new SqliteTopics(opened));
    const http = createUndiciHttpClient({
      allowPrivate: true,
      userAgent: 'test',
      ...(ca !== undefined && { ca }),
    });
    const feed = `${site.url}feed.xml`;
    const config: SourceConfig = { id: 'blog', kind: 'feed', dialect: 'atom', url: feed };
    const watch = new FakeWatch([watchedSource(config)]);
    let base = '';
    const openSubscriber = (lab: SubscriberLab) => {
      const subscriber = new Subscriber({
        store: {
          all: () => topics.all(),
          onWritten: (listener) => topics.onWritten(listener),
          async write(edit) {
            if (lab.refusal !== undefined) throw lab.refusal;
            await topics.write(edit);
          },
        },
        watch,
        httpFor: () => ({
          get: (request) => lab.exchange(http.get(request)),
          [Symbol.asyncDispose]: async () => {},
        }),
        poster: { post: (request) => lab.exchange(http.post(request)) },
        now: lab.time.now,
        alarm: lab.time.alarm,
        random: () => 0.5,
        newToken: randomToken,
        callbackOf: (id) => `${base}websub/${id}`,
        isOwn: (url) => url.href.startsWith(base),
        allowPrivate: true,
        isOn: true,
        restFactor: 6,
        ...options,
        onEvent: (event) => lab.events.push(event),
      });
      return subscriber;
    };
    const lab: SubscriberLab = new SubscriberLab(
      { watch, site, hub, feed, subscriber: undefined as unknown as Subscriber },
      openSubscriber,
    );
    lab.subscriber = openSubscriber(lab);
    const limiter = createRateLimiter({ now: lab.time.now });
    const current = {
      challenged: (...asked: Parameters<Subscriber['challenged']>) => lab.subscriber.challenged(...asked),
      delivered: (...asked: Parameters<Subscriber['delivered']>) => lab.subscriber.delivered(...asked),
      refusal: (id: string) => lab.subscriber.refusal(id),
    };
    const { server } = await serveRoutes(callbackRoutes({ subscriber: current, limiter, onRefused: () => {} }));
    base = server.url;
    onTestFinished(async () => {
      await lab.subscriber.close();
      await hub[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      await http[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    });
    lab.subscriber.begin();
    return lab;
  }

  get named(): NamedHubs {
    return { at: this.feed, hubs: [this.hub.url], self: this.feed };
  }

  /** Serves the feed, with these links in its head, or in the headers of its answer. */
  serve({ links = '', link }: { readonly links?: string; readonly link?: string } = {}): void {
    const body = `<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:f</id><title>F</title><updated>2026-03-01T12:00:00Z</updated>${links}</feed>`;
    const headers = { 'content-type': 'application/atom+xml', ...(link !== undefined && { link }) };
    this.site.put({ '/feed.xml': { status: 200, headers, body } });
  }

  /** A finished check of the source, with what it read. */
  look({
    changes = 0,
    hubs,
    startedMs = this.time.now(),
  }: {
    changes?: number;
    hubs?: NamedHubs;
    startedMs?: number;
  } = {}): number {
    const source = this.watch.source('blog');
    if (source === undefined) throw new Error('The source is gone.');
    const outcome: VisitOutcome = { is: 'read', changes, notes: [], ...(hubs !== undefined && { hubs }) };
    const endedMs = this.time.now();
    const rest = this.subscriber.looked({ source, outcome, startedMs, endedMs });
    this.watch.byId.set('blog', { ...source, health: { ...source.health, lastCheckMs: endedMs, lastOkMs: endedMs } });
    return rest;
  }

  /** Subscribes, until the subscription is confirmed. */
  async subscribe(): Promise<string> {
    this.serve({ link: `<${this.hub.url}>; rel=hub, <${this.feed}>; rel=self` });
    this.look({ changes: 1, hubs: this.named });
    await this.until(() => this.view()?.state === 'active' && this.hub.held.size > 0);
    return [...this.hub.held.keys()].at(-1) ?? '';
  }

  view() {
    return viewWebSub(this.subscriber.following('blog'), this.subscriber.subscriptionsOf('blog'), this.time.now());
  }

  /** Time must not pass during a request. */
  async exchange(answering: Promise<HttpResponse>): Promise<HttpResponse> {
    const response = await this.#during(answering);
    return { ...response, discard: () => this.#during(response.discard()) };
  }

  async #during<T>(work: Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await work;
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Starts what is due, and waits until the condition holds and no request is open. */
  async until(holds: () => boolean): Promise<void> {
    await vi.waitFor(async () => {
      await this.time.pass(0);
      if (this.#underWay > 0) throw new Error('A hub or a topic is being asked.');
      if (!holds()) throw new Error(`It did not come to pass: ${holds}; ${JSON.stringify(this.view())}`);
    }, WAIT);
    for (let turns = 0; turns < 5; turns += 1) await this.time.pass(0);
  }

  /** A new subscriber over the same state, like after a restart. */
  async restart(): Promise<void> {
    await this.subscriber.close();
    this.subscriber = this.#open();
    this.subscriber.begin();
  }

  said(): string[] {
    return this.events.map((event) => event.is);
  }
}
