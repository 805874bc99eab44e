import { onTestFinished } from 'vitest';
import type { ChangeReceipts } from '../../src/dialects/shelf.ts';
import { ConnectionError, FetchAbortedError } from '../../src/errors/fetch-error.ts';
import type { HttpPost, HttpPoster, HttpResponse } from '../../src/fetch/http-client.ts';
import type { PushEvent, PushLog } from '../../src/hub/push/push-log.ts';
import { createAttempter } from '../../src/hub/push/webhooks/attempt.ts';
import type { Subscription, SubscriptionOwner } from '../../src/hub/push/webhooks/subscription.ts';
import { Subscriptions } from '../../src/hub/push/webhooks/subscriptions.ts';
import {
  type OwnerStanding,
  type StandingChange,
  WebhookEngine,
  type WebhookEngineParts,
} from '../../src/hub/push/webhooks/webhook-engine.ts';

import { openSqliteHubStore } from '../../src/io/sqlite/hub-store.ts';
import { openSqliteWebhooks } from '../../src/io/sqlite/webhooks.ts';
import { changeOf } from './change-of.ts';
import { FakeTime } from './fake-time.ts';
import type { ReceivedBody } from './received-body.ts';
import { temporaryFolder } from './site.ts';

export const NOON = Date.parse('2026-03-01T12:00:00Z');
export const HOOK = 'https://hooks.example/a';

/** What an endpoint received. */
export interface Received {
  readonly url: string;
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: ReceivedBody;
  readonly atMs: number;
}

export interface Answering {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** No answer comes. */
  readonly breaks?: true;
  /** Answers when it resolves. The signal of the request ends the wait. */
  readonly when?: Promise<unknown>;
}

/** A log in memory to which a test appends. */
class HandLog implements PushLog {
  epoch = '';
  readonly events: PushEvent[] = [];
  cut: { readonly seq: number; readonly id: string } | undefined;
  reads = 0;
  readonly #listeners = new Set<(events: readonly PushEvent[]) => void>();

  get seq(): number {
    return this.events.length;
  }

  begins() {
    return this.cut;
  }

  async find(id: string) {
    return id === this.cut?.id
      ? this.cut
      : this.events.find((event) => event.id === id && event.seq > (this.cut?.seq ?? 0));
  }

  async seqBefore(timeMs: number) {
    return this.events.findLast(({ timestamp }) => Date.parse(timestamp) < timeMs)?.seq ?? 0;
  }

  held(afterSeq: number, limit: number): readonly PushEvent[] | undefined {
    return afterSeq < (this.cut?.seq ?? 0) ? undefined : this.events.slice(afterSeq, afterSeq + limit);
  }

  async read(afterSeq: number, limit: number): Promise<readonly PushEvent[]> {
    this.reads += 1;
    return this.events.filter(({ seq }) => seq > afterSeq && seq > (this.cut?.seq ?? 0)).slice(0, limit);
  }

  onEvents(listener: (events: readonly PushEvent[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  append(...paths: readonly string[]): PushEvent[] {
    const added = paths.map((path, at) => changeEvent(this.events.length + at + 1, path));
    this.events.push(...added);
    for (const listener of this.#listeners) listener(added);
    return added;
  }
}

function changeEvent(seq: number, path: string): PushEvent {
  const id = `01J00000000000000000000${String(seq).padStart(3, '0')}`;
  const change = changeOf({ seq, id, url: `https://docs.example${path}`, time: '2026-03-01T11:00:00Z' });
  return { seq, id, type: 'change', timestamp: change.time, json: JSON.stringify(change), change };
}

export interface WebhookLabOptions extends Partial<Pick<WebhookEngineParts, 'quick' | 'slow'>> {
  readonly answer?: (received: Received, nth: number) => Answering;
  readonly random?: () => number;
  readonly receipts?: ChangeReceipts;
}

/** Subscriptions over a real store, with a clock that moves when told and endpoints that answer as the test says. */
export async function webhookLab({
  answer = () => ({}),
  random = () => 0.5,
  receipts,
  ...limits
}: WebhookLabOptions = {}) {
  const folder = temporaryFolder();
  const hub = await openSqliteHubStore({ folder: folder.path });
  const store = hub.openTables(openSqliteWebhooks);
  const time = new FakeTime(NOON, 12);
  const log = new HandLog();
  const received: Received[] = [];
  const standings: StandingChange[] = [];
  const bugs: unknown[] = [];
  const owners = new Map<string, OwnerStanding>();
  const http = endpoints(received, time, answer);
  const { now, alarm } = time;
  const bytes = countingBytes();
  const build = () => {
    const attempter = createAttempter({
      http,
      now,
      hubUrl: () => 'https://hub.example/',
      receipts,
      onAttempt: () => {},
    });
    const engine = new WebhookEngine({
      ...limits,
      store,
      logs: { changes: log },
      attempter,
      receipts,
      ownerStanding: ({ owner }) => (owner.kind === 'key' ? (owners.get(owner.hash) ?? 'good') : 'good'),
      now,
      alarm,
      random,
      onStanding: (_, change) => standings.push(change),
      onProblem: () => {},
      onBug: (error) => bugs.push(error),
    });
    return {
      engine,
      subscriptions: new Subscriptions({ engine, store, attempter, logs: { changes: log }, now, random: bytes }),
    };
  };
  const lab = {
    ...build(),
    hub,
    store,
    time,
    log,
    received,
    standings,
    bugs,
    owners,
    /** The deliveries, without those about the subscription itself. */
    events: () => received.filter(({ body }) => !String(body?.type).startsWith('subscription.')),
    async subscribe(wish: object = {}, owner: SubscriptionOwner = { kind: 'admin' }): Promise<Subscription> {
      return lab.subscriptions.add({ url: HOOK, verify: false, ...wish }, owner);
    },
    /** Like after a crash: everything in memory is lost. */
    restart() {
      const old = lab.engine;
      Object.assign(lab, build());
      void old.close();
      lab.engine.begin();
    },
  };
  lab.engine.begin();
  onTestFinished(async () => {
    await lab.engine.close();
    await hub[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  return lab;
}

/** Endpoints that answer as the test says. */
export function endpoints(
  received: Received[],
  time: Pick<FakeTime, 'now'>,
  answer: NonNullable<WebhookLabOptions['answer']>,
): HttpPoster {
  return {
    async post({ url, headers = {}, body, signal }: HttpPost): Promise<HttpResponse> {
      const text = String(body);
      const parsed = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined;
      const one = { url: url.href, id: headers['webhook-id'] ?? '', headers, text, body: parsed, atMs: time.now() };
      received.push(one);
      const { status = 200, body: said = '', headers: more = {}, breaks, when } = answer(one, received.length);
      if (when !== undefined) await Promise.race([when, aborted(signal, url)]);
      if (breaks) throw new ConnectionError(url, new Error('reset'));
      const bytes = new TextEncoder().encode(said);
      return { url, status, headers: more, body: pieces(bytes), discard: async () => {} };
    },
  };
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function aborted(signal: AbortSignal | undefined, url: URL): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new FetchAbortedError(url, signal?.reason));
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Different bytes each time, but the same in each run. */
function countingBytes(): (size: number) => Uint8Array {
  let count = 0;
  return (size) => {
    count += 1;
    return new Uint8Array(size).map((_, at) => (at * 31 + count * 7 + 1) % 256);
  };
}
