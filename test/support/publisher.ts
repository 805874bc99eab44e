import type { AicfDiscovery, AicfEvent } from '../../src/codecs/aicf/wire.ts';
import type { Diagnostic } from '../../src/dialects/diagnostic.ts';
import type { TidingsError } from '../../src/errors/tidings-error.ts';
import { type FollowPorts, type FollowRequest, followSources } from '../../src/follow/follow.ts';
import type { FollowState } from '../../src/follow/follow-state.ts';
import type { FollowedEvent } from '../../src/follow/followed-event.ts';
import { MemoryFollowState } from '../../src/follow/memory-follow-state.ts';
import { createUndiciHttpClient } from '../../src/io/undici/http-client.ts';
import { type FeedServer, type FeedServerOptions, startFeedServer } from './feed-server.ts';
import { politely } from './polite.ts';
import { readerParts } from './reader-ports.ts';

export const DISCOVERY = '/.well-known/ai-changefeed';
export const FEED = '/ai-changes.ndjson';

export interface Publisher extends FeedServer {
  discover(extra?: Partial<AicfDiscovery> & Record<string, unknown>): void;
  /** Appends events to the feed, one line each. */
  publish(...events: readonly AicfEvent[]): void;
  /** An event on a page of this origin. */
  event(id: string, extra?: Partial<AicfEvent> & Record<string, unknown>): AicfEvent;
}

/** A server with a discovery document and an empty feed. */
export async function startPublisher(options: FeedServerOptions = {}): Promise<Publisher> {
  const server = await startFeedServer(options);
  const event: Publisher['event'] = (id, { url = '/page', ...extra } = {}) => ({
    id,
    action: 'update',
    time: '2025-08-21T12:00:00Z',
    ...extra,
    url: new URL(url, server.origin).href,
  });
  const publisher: Publisher = Object.assign(Object.create(server) as FeedServer, {
    discover(extra: Record<string, unknown> = {}) {
      const document = { aicf_version: '0.1', self: new URL(FEED, server.origin).href, ...extra };
      server.put(DISCOVERY, JSON.stringify(document));
    },
    publish(...events: readonly AicfEvent[]) {
      server.append(FEED, linesOf(...events));
    },
    event,
  });
  publisher.discover();
  server.put(FEED, '');
  return publisher;
}

export function linesOf(...events: readonly object[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

export interface PollResult {
  readonly events: FollowedEvent[];
  readonly ids: string[];
  readonly diagnostics: Diagnostic[];
  readonly codes: string[];
  readonly error: TidingsError | undefined;
  /** The requested paths in order, without robots.txt. */
  readonly paths: string[];
}

export type Follower = (request?: Partial<FollowRequest> & { readonly take?: number }) => Promise<PollResult>;

/** Polls a server once per call, with one state for all calls. */
export function createFollower(
  server: FeedServer,
  state: FollowState = new MemoryFollowState(),
  now: () => number = Date.now,
): Follower {
  const parts = readerParts();
  return async ({ take = Number.POSITIVE_INFINITY, ...request } = {}) => {
    server.takeRequests();
    const events: FollowedEvent[] = [];
    const diagnostics: Diagnostic[] = [];
    let error: TidingsError | undefined;
    await using http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test' });
    const ports: FollowPorts = {
      ...politely(http),
      ...parts,
      state,
      now,
      wait: async () => {},
      signal: new AbortController().signal,
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      onStatus: () => {},
    };
    try {
      const full = { urls: [server.origin], once: true, content: false, minIntervalMs: 2000, ...request };
      for await (const event of followSources(full, ports)) {
        if (events.length === take) break;
        events.push(event);
      }
    } catch (thrown) {
      error = thrown as TidingsError;
    }
    const codes = diagnostics.map(({ code }) => code);
    return {
      events,
      ids: events.map(({ id }) => id),
      diagnostics,
      codes,
      error,
      paths: server.takePaths().filter((path) => path !== '/robots.txt'),
    };
  };
}
