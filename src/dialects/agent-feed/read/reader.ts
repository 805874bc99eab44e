import type { EndpointRecord } from '../../../surface/endpoint-record.ts';
import type { Shape } from '../../../surface/shape.ts';
import type { ReaderEvent } from './reader-event.ts';

/** The reader of agent-feed §1–§11: ingests feeds, answers questions, and tells what it notices. */
export interface Reader extends AsyncDisposable {
  /**
   * Polls one origin, or answers from what is known where it is too early to ask again. Never throws for what an origin does.
   */
  ingest(origin: string | URL, options?: IngestOptions): Promise<IngestReport>;
  /** What is known, without asking anybody. */
  report(origin: string | URL): Promise<IngestReport>;
  canonicalEndpoint(origin: string | URL, protocol: string, options?: QuestionOptions): Promise<string | undefined>;
  resolveUrl(origin: string | URL, endpointId: string, options?: QuestionOptions): Promise<string | undefined>;
  /** `observed` is a shape, or the decoded response itself. Asks nobody; of the table nothing changes. The event, where they disagree. */
  observeLiveResponse(
    origin: string | URL,
    endpointId: string,
    observed: unknown,
    options?: ObserveOptions,
  ): Promise<Extract<ReaderEvent, { event: 'mismatch' }> | undefined>;
  /** What the origin asserted at a time, by its own signed claims. For audit: an origin that is not trusted has this too. */
  assertedAt(origin: string | URL, timeMs: number): Promise<readonly EndpointRecord[]>;
  /** An operator's word. It is recorded; of a feed that is trusted there is nothing to say. */
  retrust(origin: string | URL): Promise<IngestReport>;
  /** Called with each event as it happens. Returns how to stop that. */
  onEvent(listener: (event: ReaderEvent) => void): () => void;
  /** What was told since this was last called, at most 1000. */
  events(): readonly ReaderEvent[];
}

export interface IngestOptions {
  /** An operator's trigger: asks although the floor of 60 s is not over. A pause that the origin asked for is kept all the same. */
  readonly refresh?: boolean;
  readonly signal?: AbortSignal;
}

export interface QuestionOptions {
  /** As of this time, by what the feed that is named asserted then. An origin that is not trusted now has no answer all the same. */
  readonly atMs?: number;
}

export interface ObserveOptions {
  /** What a response has without what the feed announced. Needed to tell a field that no entry mentions; remembered. */
  readonly baseline?: Shape;
}

export interface IngestReport {
  /** Where it ended: after a migration that was followed, the new origin. */
  readonly origin: string;
  readonly feedUrl: string;
  readonly trust: boolean;
  /** `undefined` before any feed was read. */
  readonly feedStatus: string | undefined;
  readonly specVersion: number | undefined;
  readonly lastSeen: string | undefined;
  /** How many entries this call applied; how many it knew or passed over. */
  readonly applied: number;
  readonly skipped: number;
  /** Empty where the origin is not trusted, or its feed cannot be vouched for. */
  readonly endpoints: readonly EndpointRecord[];
  readonly events: readonly ReaderEvent[];
  /** Whether the origin was asked. */
  readonly polled: boolean;
  /** Epoch milliseconds. */
  readonly nextPollMs: number | undefined;
  /** The origin asked to be left alone until then. Epoch milliseconds; absent when that is over. */
  readonly pausedUntilMs: number | undefined;
  /** Why the last poll was not complete. What is told is from before it. */
  readonly problem: string | undefined;
  /** Why the feed counts as terminated for now, though it is not. */
  readonly suspended: string | undefined;
  /** Where a feed says that it moved to, if this reader did not go there. */
  readonly migratedTo: string | undefined;
  /** Feeds that led here. */
  readonly migratedFrom: readonly string[];
}
