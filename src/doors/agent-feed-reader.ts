import type { IngestOptions, ObserveOptions, Reader } from '../dialects/agent-feed/read/reader.ts';
import type { ReaderEvent } from '../dialects/agent-feed/read/reader-event.ts';
import { type Moment, momentOf } from './moment.ts';
import { ensureSettings } from './open-http.ts';
import { type OpenReader, openReader } from './open-reader.ts';
import { type ReadEndpoint, type ReadReport, readEndpoint, readReport } from './read-report.ts';
import type { ReaderOptions } from './reader-options.ts';

export interface Question {
  /** Answer as of this time, from what the origin asserted then. An origin that is not trusted now still gives no answer. */
  readonly at?: Moment;
}

/** Reads agent-feeds and answers questions from them. Supports `await using`. */
export interface AgentFeedReader extends AsyncDisposable {
  /** Polls one origin, or answers from the stored state if it is too early to poll again. Never throws because of what an origin does. */
  ingest(origin: string | URL, options?: IngestOptions): Promise<ReadReport>;
  /** The stored state of an origin, without any request. */
  report(origin: string | URL): Promise<ReadReport>;
  /** The URL of the endpoint that speaks a protocol, or null. */
  canonicalEndpoint(origin: string | URL, protocol: string, question?: Question): Promise<string | null>;
  /** The URL of an endpoint, or null. After the sunset of the endpoint, the URL of its replacement. */
  resolveUrl(origin: string | URL, endpointId: string, question?: Question): Promise<string | null>;
  /** `observed` is a shape or the decoded response itself. Makes no request. Resolves to an event if the response and the feed disagree. */
  observeLiveResponse(
    origin: string | URL,
    endpointId: string,
    observed: unknown,
    options?: ObserveOptions,
  ): Promise<Extract<ReaderEvent, { event: 'mismatch' }> | undefined>;
  /** What the origin asserted at a time, by its own signed claims. For audits: it also answers for an origin that is not trusted. */
  assertedAt(origin: string | URL, time: Moment): Promise<readonly ReadEndpoint[]>;
  /** Trusts a feed again on the word of an operator, which is recorded. Does nothing for a feed that is already trusted. */
  retrust(origin: string | URL): Promise<ReadReport>;
  /** Calls the listener with each event as it happens. Returns a function that removes the listener. */
  onEvent(listener: (event: ReaderEvent) => void): () => void;
  /** The events since the last call, at most 1000. */
  events(): readonly ReaderEvent[];
  /** Waits for running work. The reader cannot be used afterwards. */
  close(): Promise<void>;
}

/**
 * A reader of agent-feeds. It opens its state file on first use and holds it until it is closed.
 *
 * @example
 * const reader = createReader({ state: 'reader.db' });
 * const { trust, endpoints } = await reader.ingest('https://api.example');
 * const url = await reader.resolveUrl('https://api.example', 'orders-api');
 * await reader.close();
 */
export function createAgentFeedReader(options: ReaderOptions = {}): AgentFeedReader {
  ensureSettings(options);
  const listeners = new Set<(event: ReaderEvent) => void>(options.onEvent === undefined ? [] : [options.onEvent]);
  let opened: OpenReader | undefined;
  let opening: Promise<OpenReader> | undefined;
  let isClosed = false;
  return {
    async ingest(origin, how) {
      const reader = await open();
      return readReport(options.readOnly ? await reader.report(origin) : await reader.ingest(origin, how));
    },
    report: async (origin) => readReport(await (await open()).report(origin)),
    canonicalEndpoint: async (origin, protocol, question) =>
      (await (await open()).canonicalEndpoint(origin, protocol, timeOf(question))) ?? null,
    resolveUrl: async (origin, endpointId, question) =>
      (await (await open()).resolveUrl(origin, endpointId, timeOf(question))) ?? null,
    observeLiveResponse: async (origin, endpointId, observed, how) =>
      await (await open()).observeLiveResponse(origin, endpointId, observed, how),
    async assertedAt(origin, time) {
      const timeMs = momentOf('time', time);
      return (await (await open()).assertedAt(origin, timeMs)).map(readEndpoint);
    },
    retrust: async (origin) => readReport(await (await open()).retrust(origin)),
    onEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    events: () => opened?.reader.events() ?? [],
    close,
    [Symbol.asyncDispose]: close,
  };

  async function open(): Promise<Reader> {
    if (isClosed) throw new Error('This reader is closed. Make another one with createReader().');
    opening ??= openReader(options, (event) => {
      for (const listener of listeners) listener(event);
    });
    try {
      opened = await opening;
      return opened.reader;
    } catch (error) {
      // A file that is in use now may be free at the next call.
      opening = undefined;
      throw error;
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    await (await opening)?.close();
  }
}

function timeOf({ at }: Question = {}): { readonly atMs?: number } {
  return at === undefined ? {} : { atMs: momentOf('at', at) };
}
