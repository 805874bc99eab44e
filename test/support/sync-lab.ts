import { type Use, type Wishes, wishesFor } from '../../src/codecs/usage-terms/usage.ts';
import { CursorLostError } from '../../src/errors/cursor-lost-error.ts';
import { extractPage } from '../../src/extract/extract-page.ts';
import { EXTRACTOR } from '../../src/extract/extractor-version.ts';
import type { Action } from '../../src/model/change.ts';
import type { ChangeStream, SourceLook, StreamedChange } from '../../src/stream/change-stream.ts';
import { CHUNK_SETTINGS, type ChunkSettings } from '../../src/sync/chunk-section.ts';
import { BATCH_LIMITS } from '../../src/sync/embed-chunks.ts';
import type { Embedder } from '../../src/sync/embedder.ts';
import { MemorySyncState } from '../../src/sync/memory-sync-state.ts';
import type { LookAtPage } from '../../src/sync/page-look.ts';
import { ChunkPipeline } from '../../src/sync/pipeline.ts';
import type { Sink, SyncedPage } from '../../src/sync/sink.ts';
import { type IndexOptions, type IndexPorts, syncIndex } from '../../src/sync/sync.ts';
import type { SyncReport } from '../../src/sync/sync-report.ts';
import type { SyncState } from '../../src/sync/sync-state.ts';

export const LAB_SOURCE = 'docs';
export const labUrl = (name: string) => `https://docs.example/${name}`;

/** A site, its stream and a sink, all in memory. */
export class SyncLab {
  readonly html = new Map<string, string>();
  readonly terms = new Map<string, Wishes>();
  readonly changes: StreamedChange[] = [];
  readonly sink = new MapSink();
  readonly looked: string[] = [];
  /** Texts that were sent for embedding. */
  readonly embedded: string[] = [];
  state: SyncState = new MemorySyncState();
  looks: readonly SourceLook[] = [{ source: LAB_SOURCE, url: labUrl(''), is: 'ok' }];
  ended: readonly string[] = [];
  nowMs = Date.parse('2026-11-17T12:00:00Z');
  isComplete = true;
  dimension = 3;
  settings: ChunkSettings = CHUNK_SETTINGS;
  /** Earlier changes are gone from the log. */
  begins = 1;

  /** Sets the content of a page, and reports the change in the stream. */
  write(name: string, body: string, action: Action = 'update'): void {
    this.html.set(labUrl(name), `<html><title>${name}</title><body><main>${body}</main></body></html>`);
    this.tell(name, action);
  }

  drop(name: string): void {
    this.html.delete(labUrl(name));
    this.tell(name, 'delete');
  }

  tell(
    name: string,
    action: Action,
    { anchor, note }: { readonly anchor?: string; readonly note?: string } = {},
  ): void {
    const seq = this.changes.length + 1;
    const url = labUrl(name);
    const time = new Date(this.nowMs + seq).toISOString();
    const id = `id${String(seq).padStart(6, '0')}`;
    const base = { seq, id, source: LAB_SOURCE, kind: 'page' as const, action, url, time, provenance: {} };
    this.changes.push({
      ...base,
      boundary: url,
      ...(anchor !== undefined && { anchor }),
      ...(note !== undefined && { note }),
    });
  }

  refuse(name: string, ...uses: Use[]): void {
    this.terms.set(labUrl(name), wishesFor(uses, 'no'));
  }

  get stream(): ChangeStream {
    return {
      changes: async ({ after, limit = 100 }) => {
        const log = this.changes.slice(this.begins - 1);
        const at = after === undefined ? -1 : log.findIndex(({ id }) => id === after);
        if (after !== undefined && at === -1) throw new CursorLostError(after);
        const found = log.slice(at + 1, at + 1 + limit);
        return { changes: found, next: found.at(-1)?.id ?? after ?? null };
      },
      sources: async () => [{ id: LAB_SOURCE, url: labUrl(''), kind: 'site', status: 'ok' }],
      look: async () => this.looks,
      news: async () => undefined,
      async [Symbol.asyncDispose]() {},
    };
  }

  readonly lookAtPage: LookAtPage = async (url) => {
    this.looked.push(url);
    const html = this.html.get(url);
    if (html === undefined) return { is: 'gone', reason: 'the page answered with status 404' };
    if (html.includes('FAIL')) return { is: 'failed', reason: 'the page answered with status 500' };
    const uses = this.terms.get(url) ?? {};
    const signals = [{ vocabulary: 'content-signal' as const, where: 'header', said: 'x', wishes: uses }];
    return { is: 'page', page: extractPage(html, url), terms: { uses, signals } };
  };

  embedder(model = 'test-model'): Embedder {
    return {
      model,
      embed: async (texts) => {
        this.embedded.push(...texts);
        return { vectors: texts.map((text) => Array.from({ length: this.dimension }, (_, at) => text.length + at)) };
      },
    };
  }

  async once(options: Partial<IndexOptions> = {}, ports: Partial<IndexPorts> = {}): Promise<SyncReport> {
    const { embedder } = ports;
    const state = options.isPlan ? new MemorySyncState(await this.state.load()) : this.state;
    const reports = syncIndex(
      {
        once: true,
        isPlan: false,
        use: 'ai-input',
        allowDeletes: false,
        accepts: () => true,
        confirmMs: 2000,
        ...options,
      },
      {
        stream: this.stream,
        sink: this.sink,
        state,
        lookAtPage: this.lookAtPage,
        pipeline: new ChunkPipeline({ extractor: EXTRACTOR, settings: this.settings, model: embedder?.model }),
        limits: BATCH_LIMITS,
        ended: async () => this.ended.map((source) => ({ source, reason: 'it was ended by its origin' })),
        isComplete: async () => this.isComplete,
        now: () => this.nowMs,
        signal: new AbortController().signal,
        ...ports,
      },
    );
    for await (const report of reports) return report;
    throw new Error('There was no report.');
  }
}

/** Any object with the four methods is a sink. */
export class MapSink implements Sink {
  readonly kept = new Map<string, SyncedPage>();
  puts = 0;
  /** The error of the next calls. */
  failure: Error | undefined;

  async *pages() {
    this.#fail();
    yield* this.kept.values();
  }

  async held(url: string) {
    this.#fail();
    return this.kept.get(url);
  }

  async put(page: SyncedPage) {
    this.#fail();
    this.puts += 1;
    const before = new Map(chunksOf(this.kept.get(page.url)).map((chunk) => [chunk.id, chunk.vector]));
    const sections = page.sections.map((section) => ({
      ...section,
      chunks: section.chunks.map((chunk) => ({
        ...chunk,
        vector: chunk.vector ?? before.get(chunk.id) ?? new Float32Array(),
      })),
    }));
    this.kept.set(page.url, { ...page, sections });
  }

  async remove(url: string) {
    this.#fail();
    this.kept.delete(url);
  }

  get urls(): readonly string[] {
    return [...this.kept.keys()].sort();
  }

  #fail(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}

function chunksOf(page: SyncedPage | undefined) {
  return page?.sections.flatMap(({ chunks }) => chunks) ?? [];
}
