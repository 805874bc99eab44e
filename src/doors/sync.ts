import { join, resolve } from 'node:path';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { createReadingRules } from '../extract/rules/reading-rules.ts';
import { makeFolder } from '../io/files/make-folder.ts';
import { openSqliteSyncState, SYNC_STATE_FILE } from '../io/sqlite/sync-state.ts';
import type { GivenRules } from '../model/given-rules.ts';
import type { UseName } from '../model/uses.ts';
import { CHUNK_SETTINGS, type ChunkSettings } from '../sync/chunk-section.ts';
import { BATCH_LIMITS, type BatchLimits } from '../sync/embed-chunks.ts';
import type { Embedder } from '../sync/embedder.ts';
import { MemorySyncState } from '../sync/memory-sync-state.ts';
import { ChunkPipeline } from '../sync/pipeline.ts';
import type { Sink } from '../sync/sink.ts';
import { stateName } from '../sync/state-name.ts';
import { syncIndex } from '../sync/sync.ts';
import type { SyncReport } from '../sync/sync-report.ts';
import type { SyncPlace, SyncState } from '../sync/sync-state.ts';
import type { HttpOptions } from './open-http.ts';
import { ensureSites, openSyncedSites } from './synced-sites.ts';

export { openChunkRecord } from '../io/sqlite/chunk-record.ts';
export type { ChunkRecord, RecordedPage } from '../sync/chunk-record.ts';
export { createMemoryChunkRecord } from '../sync/chunk-record.ts';
export type { ChunkSettings } from '../sync/chunk-section.ts';
export { chunkSection } from '../sync/chunk-section.ts';
export type { Embedded, Embedder } from '../sync/embedder.ts';
export type { LangchainDocument, LangchainSinkOptions, LangchainVectorStore } from '../sync/langchain-sink.ts';
export { langchainSink } from '../sync/langchain-sink.ts';
export type {
  Chunk,
  HeldPage,
  HeldSection,
  HeldSections,
  Pipeline,
  Sink,
  SyncedPage,
  SyncedSection,
} from '../sync/sink.ts';
export type { SyncReport } from '../sync/sync-report.ts';
export { isEqual } from '../sync/sync-report.ts';
export { openEmbedder } from './open-embedder.ts';
export { openSink } from './open-sink.ts';

export interface SyncOptions extends HttpOptions, GivenRules {
  /** The sites. With `hub`, only pages below them are taken. */
  readonly urls?: string | readonly string[];
  /** The index: any object with the four methods, or one from {@link openSink}. */
  readonly sink: Sink;
  /** Absent: no vectors are made. */
  readonly embed?: Embedder;
  /** The size limits of one request to the embedding server. */
  readonly batch?: Partial<BatchLimits>;
  readonly chunk?: Partial<ChunkSettings>;
  /** The purpose of the index: pages that refuse this use are left out. Default: `ai-input`. */
  readonly use?: UseName;
  readonly ignoreTerms?: boolean;
  /** Count what would be done, without doing it. */
  readonly plan?: boolean;
  /** Look once, then end. Without it, the sites are watched until `signal` aborts. */
  readonly once?: boolean;
  /** Continue even if much would be removed. */
  readonly allowDeletes?: boolean;
  /** The folder for the state. Only one sync at a time can hold it. Default: {@link syncStateFolder}. */
  readonly state?: string;
  /**
   * `pages`: every page of the sites is checked for changes each time. `feed`: the feeds of the sites report changes, and the pages are checked each
   * `recheckMs`. Default: `pages`.
   */
  readonly by?: 'pages' | 'feed';
  /** Default: one day. */
  readonly recheckMs?: number;
  /** A hub that already watches the sites: its stream is read. */
  readonly hub?: string;
  readonly hubToken?: string;
  readonly signal?: AbortSignal;
  /** Called with the number of pages that are still to be read. */
  readonly onProgress?: (left: number) => void;
}

/**
 * Keeps an index equal to sites. Yields a report after each settle. With `once` or `plan`, yields one.
 *
 * What cannot be read or written is named in the report and retried. Only invalid options throw.
 *
 * @example
 * for await (const { upserts, deletes } of sync({ urls: 'https://docs.example/', sink, once: true })) console.log(upserts, deletes);
 */
export async function* sync(options: SyncOptions): AsyncGenerator<SyncReport, void> {
  const { sink, embed: embedder, plan: isPlan = false, allowDeletes = false, ignoreTerms = false } = options;
  const { signal = new AbortController().signal, onProgress } = options;
  const urls = [options.urls ?? []].flat();
  const rules = createReadingRules(options);
  const settings = chunkSettings(options.chunk);
  const once = options.once === true || isPlan;
  ensureSites(urls, options.hub);
  const { by = 'pages', recheckMs = DAY_MS } = options;
  const folder = options.state ?? syncStateFolder(urls, options.hub ?? '');
  makeFolder(folder);
  await using kept = await openSqliteSyncState(join(folder, SYNC_STATE_FILE));
  const known = await kept.load();
  const lookedAtMs = Date.now();
  const looksAtPages = !once || by === 'pages' || isDue(known.place, { nowMs: lookedAtMs, recheckMs });
  const sources = { by, looksAtPages, recheckMs };
  await using sites = await openSyncedSites({ ...options, ...sources, urls, folder, once, rules, signal });
  const state: SyncState = isPlan ? new MemorySyncState(known) : kept;
  const { extractor } = rules;
  const use = ignoreTerms ? undefined : (options.use ?? 'ai-input');
  const reports = syncIndex(
    { once, isPlan, use, allowDeletes, accepts: sites.accepts, confirmMs: once ? 0 : CONFIRM_MS },
    {
      ...sites,
      sink,
      state,
      pipeline: new ChunkPipeline({ extractor, settings, model: embedder?.model, dimension: embedder?.dimension }),
      embedder,
      limits: { ...BATCH_LIMITS, ...options.batch },
      now: Date.now,
      signal,
      onProgress,
    },
  );
  for await (const report of reports) {
    if (once && !isPlan && looksAtPages && report.looks.every(({ is }) => is === 'ok')) {
      const { place } = await kept.load();
      await kept.write({ place: { ...place, lookedAtMs } });
    }
    yield report;
  }
}

const CONFIRM_MS = 2000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether the pages must be checked although a feed reports changes. A future time was written by a wrong clock. */
function isDue(
  { lookedAtMs = 0 }: SyncPlace,
  { nowMs, recheckMs }: { readonly nowMs: number; readonly recheckMs: number },
): boolean {
  return lookedAtMs > nowMs || nowMs - lookedAtMs >= recheckMs;
}

/** The default state folder of a sync: `.tidings/sync-<hash>` in the working folder. */
export function syncStateFolder(urls: readonly string[], target: string): string {
  return resolve('.tidings', `sync-${stateName(urls, target)}`);
}

const MOST_TOKENS = 8000;

function chunkSettings(given: Partial<ChunkSettings> = {}): ChunkSettings {
  const settings = { ...CHUNK_SETTINGS, ...given };
  const { targetTokens, maxTokens } = settings;
  const isSound = [targetTokens, maxTokens].every((count) => Number.isSafeInteger(count) && count >= 50);
  if (isSound && targetTokens <= maxTokens && maxTokens <= MOST_TOKENS) return settings;
  const advice = `Give whole numbers from 50 to ${MOST_TOKENS}, and a target that is not above the maximum.`;
  throw new SettingRefusedError('chunk', `${targetTokens}/${maxTokens}`, advice);
}

export type { SafetyStopError } from '../errors/safety-stop-error.ts';
export type { Recovery, TidingsError } from '../errors/tidings-error.ts';
export type { GivenRules } from '../model/given-rules.ts';
export type { UseName, Uses } from '../model/uses.ts';
export type { SourceLook } from '../stream/change-stream.ts';
export type { ChunkedSection, ChunkOptions } from '../sync/chunk-section.ts';
export type { BatchLimits } from '../sync/embed-chunks.ts';
export type { EndedSource, LeftPage } from '../sync/sync-report.ts';
export type { OpenEmbedderOptions, OpenedEmbedder } from './open-embedder.ts';
export type { HttpOptions } from './open-http.ts';
export type { OpenSinkOptions } from './open-sink.ts';
