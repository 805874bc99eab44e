import type { Use } from '../codecs/usage-terms/usage.ts';
import type { SafetyStopError } from '../errors/safety-stop-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { ChangeStream, SourceLook } from '../stream/change-stream.ts';
import { auditSink, markOrphans } from './audit-sink.ts';
import type { BatchLimits } from './embed-chunks.ts';
import type { Embedder } from './embedder.ts';
import { guardedSink } from './guarded-sink.ts';
import { markChanges, readAgain } from './mark-changes.ts';
import type { LookAtPage } from './page-look.ts';
import type { ChunkPipeline } from './pipeline.ts';
import { planningSink } from './planning-sink.ts';
import { removeLeaving, removePages } from './remove-pages.ts';
import { readDirtyPages, type SettlePorts, Tally } from './settle.ts';
import type { Sink } from './sink.ts';
import { SyncMarks } from './sync-marks.ts';
import type { EndedSource, SyncReport } from './sync-report.ts';
import type { PageMark, SyncState } from './sync-state.ts';

export interface IndexPorts {
  readonly stream: ChangeStream;
  readonly sink: Sink;
  readonly state: SyncState;
  readonly lookAtPage: LookAtPage;
  readonly pipeline: ChunkPipeline;
  readonly embedder?: Embedder | undefined;
  readonly limits: BatchLimits;
  /** Sources whose origin has ended its feed. */
  readonly ended?: (() => Promise<readonly EndedSource[]>) | undefined;
  /** Whether the last looks read all sites completely: then a page that was not reported does not exist. */
  readonly isComplete: () => Promise<boolean>;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onProgress?: ((left: number) => void) | undefined;
}

export interface IndexOptions {
  readonly once: boolean;
  /** Counts what would be done. The state must be a temporary one. */
  readonly isPlan: boolean;
  readonly use: Use | undefined;
  readonly allowDeletes: boolean;
  /** Whether pages at this URL are kept in the index. */
  readonly accepts: (url: string) => boolean;
  /** Looks that are closer together than this count as one. */
  readonly confirmMs: number;
}

/** The longest time without news before the sink is settled again, which retries pages that could not be read. */
const PATIENCE_MS = 60_000;

/**
 * Makes an index equal to what a stream reports, repeatedly until the signal is aborted, or once. Yields a report after each settle; in continuous
 * operation only after those that did or left something.
 */
export async function* syncIndex(options: IndexOptions, ports: IndexPorts): AsyncGenerator<SyncReport, void> {
  const { stream, signal } = ports;
  const marks = await SyncMarks.open(ports.state);
  const sink = guardedSink(options.isPlan ? planningSink(ports.sink) : ports.sink);
  const settling = new Settling(options, { ...ports, ...options, sink, marks });
  if (options.once) {
    yield await settling.look();
    return;
  }
  for (let said: string | undefined; !signal.aborted; ) {
    const looks = await troubledSources(stream, signal);
    const report = await settling.settle(looks);
    const troubles = JSON.stringify(looks);
    if (said !== troubles || hasNews(report)) yield report;
    said = troubles;
    await stream.news(PATIENCE_MS, signal);
  }
}

/** Sources whose last look failed. */
async function troubledSources(stream: ChangeStream, signal: AbortSignal): Promise<readonly SourceLook[]> {
  const sources = await stream.sources(signal);
  return sources.flatMap(({ id, url, errorMessage: message }) =>
    message === undefined ? [] : [{ source: id, url, is: 'failed', message }],
  );
}

function hasNews({ pages, unread, stops, error }: SyncReport): boolean {
  return pages.put + pages.removed + unread.length + stops.length > 0 || error !== undefined;
}

type Ports = SettlePorts & Pick<IndexPorts, 'stream' | 'ended' | 'isComplete'>;

class Settling {
  readonly #options: IndexOptions;
  readonly #ports: Ports;
  #isAudited = false;
  #hasOrphansMarked = false;
  #ended: readonly EndedSource[] = [];

  constructor(options: IndexOptions, ports: Ports) {
    this.#options = options;
    this.#ports = ports;
  }

  /** Reads pages while the sources are still being checked, and removes what is gone after all were. */
  async look(): Promise<SyncReport> {
    const { stream, signal } = this.#ports;
    let looks: readonly SourceLook[] | undefined;
    const looking = stream.look(signal).then((ended) => {
      looks = ended;
    });
    const tally = new Tally();
    try {
      while (looks === undefined) {
        await Promise.race([looking, stream.news(NEWS_MS, signal)]);
        if (looks === undefined) await this.#take(tally);
      }
    } catch (error) {
      // The sources are checked even if the sink is down: what is found stays in the log.
      await looking;
      return this.#reportOf(tally, looks ?? [], { error });
    }
    return await this.settle(looks, tally);
  }

  async settle(looks: readonly SourceLook[], tally = new Tally()): Promise<SyncReport> {
    try {
      await this.#take(tally);
      await this.#findOrphans(tally);
      const { marks, sink } = this.#ports;
      const stops = await removeLeaving({ ...this.#options, sink, marks, onRemoved: tally.onRemoved });
      return this.#reportOf(tally, looks, { stops });
    } catch (error) {
      return this.#reportOf(tally, looks, { error });
    }
  }

  async #take(tally: Tally): Promise<void> {
    const ports = this.#ports;
    const { marks, pipeline, sink } = ports;
    if (!this.#isAudited) {
      if (pipeline.described !== undefined) await sink.prepare?.(pipeline.described);
      await this.#readAllAgainIfOther();
    }
    await markChanges({ ...ports, accepts: this.#options.accepts });
    if (!this.#isAudited) await auditSink({ sink, marks });
    this.#isAudited = true;
    await this.#removeEnded(tally);
    await readDirtyPages(ports, tally, (source) => this.#isEnded(source));
  }

  /** Once, and not before the sites were read completely. */
  async #findOrphans(tally: Tally): Promise<void> {
    const { stream, signal, isComplete, marks } = this.#ports;
    if (this.#hasOrphansMarked || !(await isComplete())) return;
    const sources = new Set((await stream.sources(signal)).map(({ id }) => id));
    await markOrphans({ ...this.#ports, sources });
    this.#hasOrphansMarked = true;
    if (marks.all('dirty').length > 0) await readDirtyPages(this.#ports, tally, (source) => this.#isEnded(source));
  }

  /** A page that was read for another use, or in another way, says nothing about how it must be held now. */
  async #readAllAgainIfOther(): Promise<void> {
    const { marks, pipeline, use } = this.#ports;
    const setup = `${pipeline.base} ${use ?? 'any use'}`;
    if (marks.place.setup === setup) return;
    await marks.write({ place: { ...marks.place, setup }, put: readAgain(marks) });
  }

  /** Their marks are kept, so that the pages come back if somebody trusts the source again. */
  async #removeEnded(tally: Tally): Promise<void> {
    const { ended, marks, sink } = this.#ports;
    this.#ended = (await ended?.()) ?? [];
    const pages = marks.all().filter(({ source, checksum }) => checksum !== undefined && this.#isEnded(source));
    await removePages(pages, { sink, marks, onRemoved: tally.onRemoved });
    const put = pages.map(({ url, source, updated }): PageMark => ({ url, source, updated, is: 'dirty' }));
    if (put.length > 0) await marks.write({ put });
  }

  #isEnded(id: string): boolean {
    return this.#ended.some(({ source }) => source === id);
  }

  #reportOf(tally: Tally, looks: readonly SourceLook[], rest: ReportRest): SyncReport {
    const { marks, signal } = this.#ports;
    const { error, stops = [] } = rest;
    if (error !== undefined && (!(error instanceof TidingsError) || signal.aborted)) throw error;
    const held = marks.all('held');
    const dirty = marks.all('dirty').filter(({ source }) => !this.#isEnded(source));
    const sections = held.reduce((sum, mark) => sum + (mark.sections ?? 0), 0);
    return {
      upserts: tally.upserts,
      deletes: tally.deletes,
      unchanged: Math.max(0, sections - tally.upserts),
      tokens: tally.tokens,
      embeddings: tally.embeddings,
      pages: { put: tally.put, removed: tally.removed, unchanged: Math.max(0, held.length - tally.put) },
      unread: dirty.map(({ url, reason = 'it was not read yet' }) => ({ url, reason })),
      refused: marks.all('refused').map(({ url, reason = '' }) => ({ url, reason })),
      looks,
      ended: this.#ended,
      stops,
      ...(error !== undefined && { error }),
    };
  }
}

/** How long a look may continue before its results so far are used. */
const NEWS_MS = 5000;

interface ReportRest {
  readonly error?: unknown;
  readonly stops?: readonly SafetyStopError[];
}
