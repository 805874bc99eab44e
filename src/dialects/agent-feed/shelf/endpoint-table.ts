import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { formatTime } from '../../../codecs/primitives/time.ts';
import type { HttpClient } from '../../../fetch/http-client.ts';
import type { ShelfSource } from '../../shelf.ts';
import { createReader } from '../read/create-reader.ts';
import { feedAt } from '../read/feed-url.ts';
import { type ReadEndpoint, readEndpoint } from '../read/read-endpoint.ts';
import type { IngestReport, Reader } from '../read/reader.ts';
import type { ObservedMismatch, ReaderState } from '../read/reader-state.ts';
import { turnsOn } from '../read/turns.ts';

/** What is known about one watched origin, by its own signed statements. */
export interface OriginView {
  /** The id of the source that watches it. */
  readonly source: string;
  readonly origin: string;
  readonly feed: string;
  readonly trust: boolean;
  readonly feedStatus: string | null;
  /** Empty if the origin is not trusted, or its feed is suspended. */
  readonly endpoints: readonly ReadEndpoint[];
  /** How live answers differed from what was announced, newest last. */
  readonly mismatches: readonly ObservedMismatch[];
  /** Why nothing of the feed counts for now; `problem` says why the last poll was not complete. */
  readonly suspended?: string;
  readonly problem?: string;
  readonly migratedTo?: string;
  readonly nextPollAt?: string;
}

/** Where an endpoint is now. After its sunset, where its replacement is. */
export interface ResolvedEndpoint {
  readonly source: string;
  readonly origin: string;
  readonly endpointId: string;
  readonly url: string;
}

const MAX_MISMATCHES = 50;

interface Watched {
  readonly source: ShelfSource;
  readonly report: IngestReport;
}

/** What readers know about the origins that a hub watches. Makes no requests. */
export class EndpointTable {
  readonly #state: ReaderState;
  readonly #sources: () => readonly ShelfSource[];
  readonly #reader: Reader;
  readonly #now: () => number;

  constructor(
    state: ReaderState,
    { sources, now }: { readonly sources: () => readonly ShelfSource[]; readonly now: () => number },
  ) {
    this.#state = state;
    this.#sources = sources;
    this.#now = now;
    this.#reader = createReader({ http: NO_WAY_OUT, state, now, policy: { insecureLoopback: true } });
  }

  async origins(): Promise<readonly OriginView[]> {
    const views: OriginView[] = [];
    for await (const { source, report } of this.#watched()) views.push(await this.#viewOf(source, report));
    return views;
  }

  /** Finds endpoints by their id or by their current address, in all origins. */
  async resolve(wanted: string): Promise<readonly ResolvedEndpoint[]> {
    const found: ResolvedEndpoint[] = [];
    for await (const { source, report } of this.#watched()) {
      const ids = report.endpoints
        .filter(({ endpointId, url }) => endpointId === wanted || isSameUrl(url, wanted))
        .map(({ endpointId }) => endpointId);
      for (const endpointId of new Set(ids)) {
        const url = await this.#reader.resolveUrl(report.feedUrl, endpointId);
        if (url !== undefined) found.push({ source: source.id, origin: report.origin, endpointId, url });
      }
    }
    return found;
  }

  /**
   * Compares a live answer with what its feed announced, and remembers a difference. Undefined for an origin that is not watched.
   */
  async observe(
    origin: string,
    endpointId: string,
    observed: unknown,
  ): Promise<{ readonly mismatch: ObservedMismatch | null } | undefined> {
    for await (const { report } of this.#watched()) {
      if (report.origin !== origin) continue;
      const event = await this.#reader.observeLiveResponse(report.feedUrl, endpointId, observed);
      if (event === undefined) return { mismatch: null };
      const { event: _, origin: _origin, 'endpoint-id': _id, ...disagreement } = event;
      const mismatch = { at: formatTime(this.#now()), endpointId, ...disagreement };
      await this.#remember(report.feedUrl, mismatch);
      return { mismatch };
    }
    return undefined;
  }

  /** Observations do not change the reader (AF-L14): the hub keeps this history. */
  async #remember(feedUrl: string, mismatch: ObservedMismatch): Promise<void> {
    await turnsOn(this.#state).take(feedUrl, async () => {
      const memory = await this.#state.find(feedUrl);
      if (memory === undefined) return;
      const mismatches = [...(memory.mismatches ?? []), mismatch].slice(-MAX_MISMATCHES);
      await this.#state.commit({ memory: { ...memory, mismatches }, seen: [], facts: [] });
    });
  }

  async *#watched(): AsyncGenerator<Watched, void> {
    const told = new Set<string>();
    for (const source of this.#sources()) {
      const feedUrl = canParseUrl(source.url) ? feedAt(new URL(source.url)).href : '';
      if (feedUrl === '' || (await this.#state.find(feedUrl)) === undefined) continue;
      const report = await this.#reader.report(feedUrl);
      if (told.has(report.feedUrl)) continue;
      told.add(report.feedUrl);
      yield { source, report };
    }
  }

  async #viewOf({ id }: ShelfSource, report: IngestReport): Promise<OriginView> {
    const { origin, feedUrl, trust, feedStatus = null, endpoints, suspended, problem, migratedTo, nextPollMs } = report;
    const memory = await this.#state.find(feedUrl);
    return {
      source: id,
      origin,
      feed: feedUrl,
      trust,
      feedStatus,
      endpoints: endpoints.map(readEndpoint),
      mismatches: memory?.mismatches ?? [],
      ...(suspended !== undefined && { suspended }),
      ...(problem !== undefined && { problem }),
      ...(migratedTo !== undefined && { migratedTo }),
      ...(nextPollMs !== undefined && { nextPollAt: formatTime(nextPollMs) }),
    };
  }
}

function isSameUrl(url: string | undefined, wanted: string): boolean {
  if (url === undefined || !canParseUrl(wanted)) return false;
  return url === wanted || (canParseUrl(url) && new URL(url).href === new URL(wanted).href);
}

const NO_WAY_OUT: HttpClient = {
  get() {
    throw new Error('The table is answered from what is known.');
  },
  async [Symbol.asyncDispose]() {},
};
