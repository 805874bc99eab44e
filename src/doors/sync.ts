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
  /** The sites; with `hub`, the only pages that are taken are those below them. */
  readonly urls?: string | readonly string[];
  /** Where the index is: any object with the four methods, or one of {@link openSink}. */
  readonly sink: Sink;
  /** Absent: no vectors are made. */
  readonly embed?: Embedder;
  /** How much goes to the embedding server at once. */
  readonly batch?: Partial<BatchLimits>;
  readonly chunk?: Partial<ChunkSettings>;
  /** What the index is for: pages that say no to it are left out. `ai-input` unless said otherwise. */
  readonly use?: UseName;
  readonly ignoreTerms?: boolean;
  /** Count what would be done, and do none of it. */
  readonly plan?: boolean;
  /** Look once and end. Without it the sites are watched until `signal` says stop. */
  readonly once?: boolean;
  /** Go on although much would be removed. */
  readonly allowDeletes?: boolean;
  /** A folder for what is remembered; one sync at a time has it. Default: {@link syncStateFolder}. */
  readonly state?: string;
  /**
   * `pages`: every page of the sites is asked each time whether it has changed. `feed`: the feeds of the sites say so, and the pages are asked each
   * `recheckMs`. `pages` unless said otherwise.
   */
  readonly by?: 'pages' | 'feed';
  /** A day unless said otherwise. */
  readonly recheckMs?: number;
  /** A hub that watches the sites already: its stream is read. */
  readonly hub?: string;
  readonly hubToken?: string;
  readonly signal?: AbortSignal;
  /** Called with how many pages are still to be read. */
  readonly onProgress?: (left: number) => void;
}

/**
 * Keeps an index equal to sites. Gives a report behind each settle; with `once` or `plan`, one.
 *
 * What cannot be read or written is named in the report and tried again; only what makes no sense from the start is thrown.
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

/** Whether the pages are to be looked at although a feed tells of them. A moment to come was written by a clock that was wrong. */
function isDue(
  { lookedAtMs = 0 }: SyncPlace,
  { nowMs, recheckMs }: { readonly nowMs: number; readonly recheckMs: number },
): boolean {
  return lookedAtMs > nowMs || nowMs - lookedAtMs >= recheckMs;
}

/** Where a sync remembers what it knows, unless said otherwise: `.tidings/sync-<hash>` in the working folder. */
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
export type { TidingsError } from '../errors/tidings-error.ts';
export type { GivenRules } from '../model/given-rules.ts';
export type { UseName } from '../model/uses.ts';
export type { SourceLook } from '../stream/change-stream.ts';
export type { ChunkedSection, ChunkOptions } from '../sync/chunk-section.ts';
export type { BatchLimits } from '../sync/embed-chunks.ts';
export type { EndedSource, LeftPage } from '../sync/sync-report.ts';
export type { OpenEmbedderOptions, OpenedEmbedder } from './open-embedder.ts';
export type { HttpOptions } from './open-http.ts';
export type { OpenSinkOptions } from './open-sink.ts';
