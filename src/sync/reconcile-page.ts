import type { Page } from '../model/page.ts';
import { type BatchLimits, embedChunks } from './embed-chunks.ts';
import type { Embedder } from './embedder.ts';
import { makePage, type PageOrigin, withFingerprint } from './make-page.ts';
import type { ChunkPipeline } from './pipeline.ts';
import type { Chunk, HeldSection, HeldSections, Pipeline, Sink, SyncedPage } from './sink.ts';

export interface ReconcilePorts {
  readonly sink: Sink;
  readonly pipeline: ChunkPipeline;
  readonly embedder?: Embedder | undefined;
  readonly limits: BatchLimits;
  /** Counts what would be sent to the embedding server, and sends nothing. */
  readonly isPlan: boolean;
  readonly signal: AbortSignal;
}

/** The result for one page: numbers of sections, except the last two. */
export interface PageEdit {
  readonly upserts: number;
  readonly deletes: number;
  readonly unchanged: number;
  /** Of the embedded chunks; without embeddings, of the new ones. */
  readonly tokens: number;
  /** Chunks that were sent to be embedded. */
  readonly embeddings: number;
  readonly isPut: boolean;
  readonly checksum: string;
}

/** Updates an index to a page as it was read. What the index already has is neither embedded nor written again. */
export async function reconcilePage(page: Page, facts: PageOrigin, ports: ReconcilePorts): Promise<PageEdit> {
  const { sink, pipeline, embedder } = ports;
  let held = await sink.held(page.url);
  if (held !== undefined && pipeline.learnFrom(held)) {
    await prepare(sink, pipeline.described);
    // A sink that knows about vectors also says which of them are missing.
    held = await sink.held(page.url);
  }
  const made = makePage(page, facts, pipeline);
  const has = heldChunks(held);
  const fresh = made.sections.flatMap(({ chunks }) => chunks).filter((chunk) => !has.has(keyOf(chunk)));
  const counts = { ...countSections(made, held), checksum: made.checksum };
  const isEqual = counts.upserts + counts.deletes === 0 && held?.checksum === made.checksum;
  if (isEqual) return { ...counts, tokens: 0, embeddings: 0, isPut: false };
  const tokens = fresh.reduce((sum, chunk) => sum + chunk.tokens, 0);
  if (embedder === undefined || ports.isPlan || fresh.length === 0) {
    await sink.put(made);
    return { ...counts, tokens, embeddings: embedder === undefined ? 0 : fresh.length, isPut: true };
  }
  const { dimension } = pipeline;
  const embedded = await embedChunks(fresh, embedder, { ...ports, dimension });
  if (embedded.dimension !== undefined && pipeline.learnDimension(embedded.dimension)) {
    await prepare(sink, pipeline.described);
  }
  await sink.put(withVectors(withFingerprint(made, pipeline.fingerprint), embedded.vectors));
  return { ...counts, tokens: embedded.tokens, embeddings: fresh.length, isPut: true };
}

async function prepare(sink: Sink, pipeline: Pipeline | undefined): Promise<void> {
  if (pipeline !== undefined) await sink.prepare?.(pipeline);
}

function heldChunks(held: HeldSections | undefined): ReadonlySet<string> {
  return new Set(held?.sections.flatMap(({ chunks }) => chunks.map(keyOf)));
}

function keyOf({ id, fingerprint }: Pick<Chunk, 'id' | 'fingerprint'>): string {
  return `${id} ${fingerprint}`;
}

/** Independent of the order in which a sink lists them. */
function keysOf(chunks: HeldSection['chunks']): string {
  return chunks.map(keyOf).sort().join();
}

type SectionCounts = Pick<PageEdit, 'upserts' | 'deletes' | 'unchanged'>;

function countSections({ sections }: SyncedPage, held: HeldSections | undefined): SectionCounts {
  const before = new Map(held?.sections.map((section) => [section.anchor, section]));
  const upserts = sections.filter(({ anchor, checksum, chunks }) => {
    const known = before.get(anchor);
    return known?.checksum !== checksum || keysOf(known.chunks) !== keysOf(chunks);
  }).length;
  const kept = sections.filter(({ anchor }) => before.has(anchor)).length;
  return { upserts, deletes: before.size - kept, unchanged: sections.length - upserts };
}

function withVectors(page: SyncedPage, vectors: ReadonlyMap<string, Float32Array>): SyncedPage {
  const sections = page.sections.map((section) => ({
    ...section,
    chunks: section.chunks.map((chunk) => {
      const vector = vectors.get(chunk.id);
      return vector === undefined ? chunk : { ...chunk, vector };
    }),
  }));
  return { ...page, sections };
}
