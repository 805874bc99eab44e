import { EmbeddingError } from '../errors/embedding-error.ts';
import type { Embedded, Embedder } from './embedder.ts';
import type { Chunk } from './sink.ts';

export interface BatchLimits {
  /** Texts in one request. */
  readonly maxTexts: number;
  /** Tokens in one request; a text with more is sent alone. */
  readonly maxTokens: number;
}

export const BATCH_LIMITS: BatchLimits = { maxTexts: 64, maxTokens: 8000 };

export interface EmbeddedChunks {
  readonly vectors: ReadonlyMap<string, Float32Array>;
  readonly dimension: number | undefined;
  /** As the server counts them, otherwise as we do. */
  readonly tokens: number;
}

export interface EmbedOptions {
  readonly limits: BatchLimits;
  /** The required dimension of every vector, if known. */
  readonly dimension: number | undefined;
  readonly signal: AbortSignal;
}

/** The vectors of chunks, by their ids. Throws an {@link EmbeddingError} if they cannot be obtained; then none of them counts. */
export async function embedChunks(
  chunks: readonly Chunk[],
  embedder: Embedder,
  { limits, dimension: known, signal }: EmbedOptions,
): Promise<EmbeddedChunks> {
  const vectors = new Map<string, Float32Array>();
  let dimension = known ?? embedder.dimension;
  let tokens = 0;
  for (const batch of batchesOf(chunks, limits)) {
    const answer = await embedder.embed(
      batch.map(({ text }) => text),
      signal,
    );
    for (const [at, vector] of checkedVectors(answer, batch.length, dimension).entries()) {
      const { id } = batch[at] ?? {};
      if (id !== undefined) vectors.set(id, vector);
      dimension ??= vector.length;
    }
    tokens += answer.tokens ?? batch.reduce((sum, chunk) => sum + chunk.tokens, 0);
  }
  return { vectors, dimension, tokens };
}

function batchesOf(chunks: readonly Chunk[], { maxTexts, maxTokens }: BatchLimits): readonly (readonly Chunk[])[] {
  const batches: Chunk[][] = [];
  let room = 0;
  for (const chunk of chunks) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= maxTexts || chunk.tokens > room) {
      batches.push([chunk]);
      room = maxTokens - chunk.tokens;
    } else {
      last.push(chunk);
      room -= chunk.tokens;
    }
  }
  return batches;
}

/** sqlite-vec accepts NaN, and PostgreSQL does not say which vector was wrong: invalid vectors are refused here. */
function checkedVectors({ vectors }: Embedded, count: number, known: number | undefined): readonly Float32Array[] {
  if (!Array.isArray(vectors) || vectors.length !== count) {
    const got = Array.isArray(vectors) ? vectors.length : 'none';
    throw refused(`${count} texts were sent, and ${got} vectors came back`);
  }
  let dimension = known;
  return vectors.map((vector: unknown) => {
    if (!isListOfNumbers(vector)) throw refused('a vector is no list of finite numbers');
    dimension ??= vector.length;
    if (vector.length !== dimension) {
      throw refused(`a vector has ${vector.length} numbers where others have ${dimension}`);
    }
    const numbers = Float32Array.from(vector);
    if (!numbers.every(Number.isFinite)) throw refused('a number of a vector is too large for 32 bits');
    return numbers;
  });
}

function isListOfNumbers(vector: unknown): vector is ArrayLike<number> & Iterable<number> {
  if (!Array.isArray(vector) && !(vector instanceof Float32Array) && !(vector instanceof Float64Array)) return false;
  return vector.length > 0 && Array.prototype.every.call(vector, (value: unknown) => Number.isFinite(value));
}

function refused(what: string): EmbeddingError {
  return new EmbeddingError(
    `The answer of the embedding server is refused: ${what}. Nothing of it was written. Check --embed and --embed-model.`,
    'fix-config',
  );
}
