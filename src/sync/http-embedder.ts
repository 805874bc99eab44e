/**
 * Embeddings by a server that speaks the API of OpenAI, as most do.
 *
 *     POST <url>/embeddings   { "model": "text-embedding-3-small", "input": ["text", "more text"] }
 *     200                     { "data": [{ "index": 0, "embedding": [0.01, …] }, …], "usage": { "prompt_tokens": 5 } }
 *
 * https://platform.openai.com/docs/api-reference/embeddings/create
 */
import { EmbeddingError } from '../errors/embedding-error.ts';
import { FetchError } from '../errors/fetch-error.ts';
import type { HttpHeaders, HttpPoster } from '../fetch/http-client.ts';
import { readBodyText } from '../fetch/read-text.ts';
import { retryAfterMs } from '../fetch/response-headers.ts';
import type { Embedded, Embedder } from './embedder.ts';

export interface HttpEmbedderOptions {
  /** The base, like `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly model: string;
  readonly dimension?: number | undefined;
  /** Sent as a bearer token to this server, and to no other. */
  readonly key?: string | undefined;
  readonly http: HttpPoster;
  readonly now: () => number;
  /** Resolves after this time, or as soon as the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 500;
/** A longer requested pause is not waited for: the next run comes later. */
const MAX_PAUSE_MS = 60_000;
const DEADLINE_MS = 120_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_SAID = 300;
/** Statuses of temporary failures. */
const PASSING = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

export function createHttpEmbedder(options: HttpEmbedderOptions): Embedder {
  const { model, dimension, now, wait } = options;
  const place = embeddingsUrl(options.url);
  let pauseMs = 0;
  return {
    model,
    dimension,
    async embed(texts, signal) {
      if (pauseMs > 0) await wait(pauseMs, signal);
      pauseMs = 0;
      for (let tries = 1; ; tries += 1) {
        signal.throwIfAborted();
        const answer = await ask(place, texts, { ...options, signal });
        if ('embedded' in answer) {
          pauseMs = Math.min(exhaustedMs(answer.headers), MAX_PAUSE_MS);
          return answer.embedded;
        }
        const asked =
          answer.headers && (retryAfterMs(answer.headers, now()) ?? (exhaustedMs(answer.headers) || undefined));
        const nextMs = asked ?? FIRST_PAUSE_MS * 2 ** (tries - 1);
        if (tries >= MAX_TRIES || nextMs > MAX_PAUSE_MS) throw downError(place, answer.problem, answer.cause);
        await wait(nextMs, signal);
      }
    },
  };
}

function embeddingsUrl(base: string): URL {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/embeddings') ? path : `${path}/embeddings`;
  return url;
}

type Answer =
  | { readonly embedded: Embedded; readonly headers: HttpHeaders }
  | { readonly problem: string; readonly headers?: HttpHeaders; readonly cause?: unknown };

interface Asking extends HttpEmbedderOptions {
  readonly signal: AbortSignal;
}

/** Throws for errors that another attempt would not fix. */
async function ask(url: URL, texts: readonly string[], { model, key, http, signal }: Asking): Promise<Answer> {
  try {
    const response = await http.post({
      url,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      ...(key !== undefined && { secretHeaders: { authorization: `Bearer ${key}` } }),
      body: JSON.stringify({ model, input: texts }),
      maxBodyBytes: MAX_ANSWER_BYTES,
      deadlineMs: DEADLINE_MS,
      signal,
    });
    const { status, headers } = response;
    const text = await readBodyText(response, { maxBytes: MAX_ANSWER_BYTES });
    if (status === 200) return { embedded: embeddedIn(text, texts.length), headers };
    const problem = `it answered with status ${status}${saidIn(text, key)}`;
    if (PASSING.has(status)) return { problem, headers };
    throw refusedError(url, problem);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof FetchError)) throw error;
    if (error.recovery !== 'retry-later') throw refusedError(url, error.message, error);
    return { problem: error.message, cause: error };
  }
}

/** In the order of the texts, whatever the order of the answer. Missing vectors stay empty, and the caller refuses them. */
function embeddedIn(text: string, count: number): Embedded {
  const { data, usage } = (parsed(text) ?? {}) as { readonly data?: unknown; readonly usage?: unknown };
  if (!Array.isArray(data)) return { vectors: [] };
  if (data.length !== count) return { vectors: data };
  const vectors: unknown[] = Array(count).fill(undefined);
  for (const [at, item] of data.entries()) {
    const { index = at, embedding } = (item ?? {}) as { readonly index?: unknown; readonly embedding?: unknown };
    if (typeof index === 'number' && index in vectors) vectors[index] = embedding;
  }
  const { prompt_tokens: prompt, total_tokens: total } = (usage ?? {}) as Readonly<Record<string, unknown>>;
  const tokens = [prompt, total].find((value) => Number.isSafeInteger(value) && Number(value) > 0);
  return { vectors, ...(tokens !== undefined && { tokens: Number(tokens) }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How long to send nothing, from the headers of OpenAI and others: `x-ratelimit-reset-tokens: 6m0s`. */
function exhaustedMs(headers: HttpHeaders): number {
  const pauses = ['requests', 'tokens'].map((what) =>
    headers[`x-ratelimit-remaining-${what}`]?.trim() === '0' ? durationMs(headers[`x-ratelimit-reset-${what}`]) : 0,
  );
  return Math.max(...pauses);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function durationMs(text = ''): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
}

/** The message of the server, without the key, which some servers repeat. */
function saidIn(text: string, key: string | undefined): string {
  const { error } = (parsed(text) ?? {}) as { readonly error?: { readonly message?: unknown } | string };
  const said = typeof error === 'string' ? error : error?.message;
  if (typeof said !== 'string' || said === '') return '';
  const safe = key === undefined ? said : said.replaceAll(key, '(key)');
  return `: ${safe.replaceAll(/\s+/g, ' ').slice(0, MAX_SAID)}`;
}

function downError(url: URL, problem: string, cause?: unknown): EmbeddingError {
  const message = `The embedding server ${url.origin} is not there: ${problem.replace(/\.$/, '')}. The index stays as it is, and the next run goes on.`;
  return new EmbeddingError(message, 'retry-later', cause);
}

function refusedError(url: URL, problem: string, cause?: unknown): EmbeddingError {
  const message = `The embedding server ${url.origin} refuses: ${problem.replace(/\.$/, '')}. The index stays as it is. Check --embed, --embed-model and the key.`;
  return new EmbeddingError(message, 'fix-config', cause);
}
