import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { EmbeddingError } from '../errors/embedding-error.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { wait } from '../io/node/timer-wait.ts';
import type { Embedder } from '../sync/embedder.ts';
import { createHttpEmbedder } from '../sync/http-embedder.ts';
import { type HttpOptions, openGuarded } from './open-http.ts';

export interface OpenEmbedderOptions extends Pick<HttpOptions, 'ca' | 'botUrl'> {
  readonly model?: string | undefined;
  readonly dimension?: number | undefined;
  /** Sent to the server as a bearer token. */
  readonly key?: string | undefined;
}

export interface OpenedEmbedder extends Embedder, AsyncDisposable {}

const DEFAULT_MODEL = 'text-embedding-3-small';

/**
 * Makes vectors: an OpenAI-compatible server by its base URL, or a module by its path. The server may have a private address, because a person names it.
 *
 * @example
 * await using embedder = await openEmbedder('http://127.0.0.1:11434/v1', { model: 'nomic-embed-text' });
 */
export async function openEmbedder(target: string, options: OpenEmbedderOptions = {}): Promise<OpenedEmbedder> {
  if (!/^https?:/i.test(target)) return await moduleEmbedder(target, options);
  if (!canParseUrl(target))
    throw new SettingRefusedError('--embed', target, 'Give the base URL of a server, or a module.');
  const { model = DEFAULT_MODEL, dimension, key, ...http } = options;
  const client = await openGuarded({ ...http, allowPrivate: true });
  const embedder = createHttpEmbedder({ url: target, model, dimension, key, http: client, now: Date.now, wait });
  return { ...embedder, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}

/** The module of a user: `export async function embed(texts) { … }`. */
interface EmbedModule {
  readonly embed?: unknown;
  readonly model?: unknown;
  readonly dimension?: unknown;
}

async function moduleEmbedder(path: string, options: OpenEmbedderOptions): Promise<OpenedEmbedder> {
  const { embed, model, dimension } = await loadModule(path);
  if (typeof embed !== 'function')
    throw new SettingRefusedError('--embed', path, 'The module must export a function `embed(texts)`.');
  const known = options.dimension ?? dimension;
  return {
    model: options.model ?? (typeof model === 'string' ? model : path),
    ...(typeof known === 'number' && { dimension: known }),
    async embed(texts) {
      try {
        return { vectors: await embed(texts) };
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error);
        throw new EmbeddingError(
          `${path} could not embed: ${said}. The index stays as it is, and the next run goes on.`,
          'retry-later',
          error,
        );
      }
    },
    async [Symbol.asyncDispose]() {},
  };
}

async function loadModule(path: string): Promise<EmbedModule> {
  try {
    return await import(pathToFileURL(resolve(path)).href);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingRefusedError(
      '--embed',
      path,
      `Give the base URL of a server, or a module: it cannot be loaded (${reason}).`,
    );
  }
}
