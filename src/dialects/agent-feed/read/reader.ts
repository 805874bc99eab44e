import type { EndpointRecord } from '../../../surface/endpoint-record.ts';
import type { Shape } from '../../../surface/shape.ts';
import type { ReaderEvent } from './reader-event.ts';

/** The reader of agent-feed §1–§11: ingests feeds, answers questions, and reports events. */
export interface Reader extends AsyncDisposable {
  /**
   * Polls one origin, or answers from what is known if it is too early to ask again. Never throws because of what an origin does.
   */
  ingest(origin: string | URL, options?: IngestOptions): Promise<IngestReport>;
  /** What is known, without any request. */
  report(origin: string | URL): Promise<IngestReport>;
  canonicalEndpoint(origin: string | URL, protocol: string, options?: QuestionOptions): Promise<string | undefined>;
  resolveUrl(origin: string | URL, endpointId: string, options?: QuestionOptions): Promise<string | undefined>;
  /**
   * `observed` is a shape, or the decoded response itself. Makes no request and does not change the table. Returns the event if
   * they disagree.
   */
  observeLiveResponse(
    origin: string | URL,
    endpointId: string,
    observed: unknown,
    options?: ObserveOptions,
  ): Promise<Extract<ReaderEvent, { event: 'mismatch' }> | undefined>;
  /**
   * What the origin asserted at a time, by its own signed claims. For audit, so it also answers for an origin that is not trusted.
   */
  assertedAt(origin: string | URL, timeMs: number): Promise<readonly EndpointRecord[]>;
  /** Records that an operator trusts the feed again. Does nothing for a feed that is trusted. */
  retrust(origin: string | URL): Promise<IngestReport>;
  /** Calls `listener` with each event as it happens. Returns a function that ends this. */
  onEvent(listener: (event: ReaderEvent) => void): () => void;
  /** The events since the last call, at most 1000. */
  events(): readonly ReaderEvent[];
}

export interface IngestOptions {
  /** Requested by an operator: polls even within the floor of 60 s. A pause that the origin asked for still applies. */
  readonly refresh?: boolean;
  readonly signal?: AbortSignal;
}

export interface QuestionOptions {
  /** Answers as of this time, by what the named feed asserted then. An origin that is not trusted now still gets no answer. */
  readonly atMs?: number;
}

export interface ObserveOptions {
  /**
   * The fields of a response without what the feed announced. Needed to detect a field that no entry mentions. It is remembered.
   */
  readonly baseline?: Shape;
}

export interface IngestReport {
  /** The origin of the last feed on the path: after a followed migration, the new origin. */
  readonly origin: string;
  readonly feedUrl: string;
  readonly trust: boolean;
  /** `undefined` before any feed was read. */
  readonly feedStatus: string | undefined;
  readonly specVersion: number | undefined;
  readonly lastSeen: string | undefined;
  /** How many entries this call applied, and how many it skipped or knew already. */
  readonly applied: number;
  readonly skipped: number;
  /** Empty if the origin is not trusted, or its feed is suspended. */
  readonly endpoints: readonly EndpointRecord[];
  readonly events: readonly ReaderEvent[];
  /** Whether a request was made. */
  readonly polled: boolean;
  /** Epoch milliseconds. */
  readonly nextPollMs: number | undefined;
  /** The end of the pause that the origin asked for, in epoch milliseconds. Absent when it is over. */
  readonly pausedUntilMs: number | undefined;
  /** Why the last poll was not complete. The report then shows the state before it. */
  readonly problem: string | undefined;
  /** Why the feed counts as terminated for now, although it is not. */
  readonly suspended: string | undefined;
  /** Where the feed says it moved to, if this reader did not follow. */
  readonly migratedTo: string | undefined;
  /** The feeds that led here. */
  readonly migratedFrom: readonly string[];
}
