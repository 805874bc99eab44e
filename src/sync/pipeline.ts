import { hash } from 'node:crypto';
import { CHUNKER_VERSION, type ChunkSettings } from './chunk-section.ts';
import type { HeldSections, Pipeline } from './sink.ts';

export interface PipelineParts {
  /** The version of the extractor, with the rules by which pages are read. */
  readonly extractor: string;
  readonly settings: ChunkSettings;
  /** Of the embeddings; absent without embeddings. */
  readonly model?: string | undefined;
  /** If it is known from the start. */
  readonly dimension?: number | undefined;
}

/**
 * How pages become chunks. The dimension of the embeddings is at the end of the fingerprint, `3f2a90c1b4d7e856.768`, so the content of an index shows
 * it: then the embedding server need not be asked for a vector only to learn its length.
 */
export class ChunkPipeline {
  /** Of all parts except the dimension. */
  readonly base: string;
  readonly settings: ChunkSettings;
  readonly #model: string | undefined;
  #dimension: number | undefined;

  constructor({ extractor, settings, model, dimension }: PipelineParts) {
    const { targetTokens, maxTokens } = settings;
    const parts = [extractor, CHUNKER_VERSION, targetTokens, maxTokens, model ?? null];
    this.base = hash('sha256', JSON.stringify(parts), 'hex').slice(0, BASE_LENGTH);
    this.settings = settings;
    this.#model = model;
    this.#dimension = dimension;
  }

  get dimension(): number | undefined {
    return this.#dimension;
  }

  /** Incomplete until the dimension is known: no chunk in an index has such a fingerprint. */
  get fingerprint(): string {
    return this.#model === undefined ? this.base : `${this.base}.${this.#dimension ?? ''}`;
  }

  /** For sinks; undefined until the dimension is known. */
  get described(): Pipeline | undefined {
    const { fingerprint } = this;
    if (this.#model === undefined) return { fingerprint };
    if (this.#dimension === undefined) return undefined;
    return { fingerprint, embedding: { model: this.#model, dimension: this.#dimension } };
  }

  /** Returns whether that was new. */
  learnDimension(dimension: number): boolean {
    const isNews = this.#dimension === undefined;
    this.#dimension ??= dimension;
    return isNews;
  }

  /** From chunks that the same pipeline has made. */
  learnFrom({ sections }: HeldSections): boolean {
    if (this.#model === undefined || this.#dimension !== undefined) return false;
    for (const { fingerprint } of sections.flatMap(({ chunks }) => chunks)) {
      const [base, dimension = ''] = fingerprint.split('.');
      if (base === this.base && /^[1-9]\d{0,5}$/.test(dimension)) return this.learnDimension(Number(dimension));
    }
    return false;
  }
}

const BASE_LENGTH = 16;
