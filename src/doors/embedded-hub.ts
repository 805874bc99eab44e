import { resolve } from 'node:path';
import type { LivePage, LivePages } from '../crawl/live-page.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { hubIdentity } from '../hub/hub-identity.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import type { RunningWatch } from '../hub/watch/watch.ts';
import { randomNonce } from '../io/node/random-token.ts';
import type { ChangeStream, SourceLook } from '../stream/change-stream.ts';
import { Endings } from './endings.ts';
import { LooksAtSources } from './looks-at-sources.ts';
import type { HttpOptions } from './open-http.ts';
import { type HubParts, openHubParts } from './open-hub-parts.ts';
import { keepingPages } from './recent-pages.ts';
import { hubConfigOf } from './settings.ts';
import { storeStream, streamSource } from './store-stream.ts';
import { watchSources } from './watch-sources.ts';

export interface EmbeddedHubOptions extends HttpOptions {
  /** The data folder. Only one hub at a time can hold it: a second one fails with a `LogLockedError`. */
  readonly data: string;
  /** As in `tidings.config.json`: `{ id, kind, url, … }`. */
  readonly sources: readonly object[];
  readonly concurrency?: number;
  readonly logger?: HubLogger;
  /** Two looks closer together than this count as one moment, so that one does not confirm what the other did not find. Default: 2 s. */
  readonly confirmMs?: number;
  /** Called with the number of pages of a source read since the hub was opened. */
  readonly onProgress?: (source: string, pages: number) => void;
  /** The dialects that it reads. Default: all that Tidings supports. */
  readonly dialects?: readonly Dialect[];
}

/** A hub in this process without a server. Its results are read from its log. */
export interface EmbeddedHub extends ChangeStream, Pick<HubParts, 'store' | 'ways' | 'cache'> {
  readonly watch: RunningWatch;
  /** A page as the last look found it, or else as it is now. Throws the same errors as {@link LivePages}. */
  readPage(url: URL, signal: AbortSignal): Promise<LivePage>;
}

const MAX_WAIT_MS = 60_000;
const SILENT: HubLogger = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * The hub without a server, with the same readers, breakers and fallbacks: for `follow`, `sync` and `mcp`. Sources of an earlier run that this one does not
 * name are not watched; when they are named again, they continue where they stopped.
 *
 * No request is made before the first `look` or `news`.
 */
export async function openEmbeddedHub(options: EmbeddedHubOptions): Promise<EmbeddedHub> {
  const endings = new Endings();
  try {
    return await open(options, endings);
  } catch (error) {
    await endings.run();
    throw error;
  }
}

async function open(options: EmbeddedHubOptions, endings: Endings): Promise<EmbeddedHub> {
  const { logger = SILENT, dialects = DIALECTS, onProgress, onProblem } = { ...options, onProblem: sayTo(options) };
  // A caller may pass the text of a certificate; a config names a file.
  const { ca } = options;
  const config = {
    ...hubConfigOf(settingsOf(options), { base: resolve('.') }),
    ...(ca !== undefined && { ca }),
  };
  const parts = await openHubParts(config, endings, { onProblem });
  const { store, cache } = parts;
  const { ways, recent } = keepingPages(parts.ways, onProgress);
  const identity = await hubIdentity(store, randomNonce);
  await identity.keep();

  let begin = () => {};
  const mayBegin = new Promise<void>((resolveBegin) => {
    begin = resolveBegin;
  });
  const looks = new LooksAtSources();
  const watch = await watchSources(
    { ...parts, ways },
    {
      config,
      dialects,
      logger,
      mayBegin,
      hubId: identity.id,
      confirmMs: options.confirmMs,
      onVisit: (id) => looks.begun(id),
      onEvent: (event) => looks.heard(event),
    },
  );
  endings.add(() => watch.stop());
  const log = storeStream(store, parts.tail);

  return {
    store,
    cache,
    ways,
    watch,
    changes: (query, signal) => log.changes(query, signal),
    sources: async () => watch.sources().map(streamSource),
    async look(signal): Promise<readonly SourceLook[]> {
      begin();
      return await looks.lookAtAll(watch, signal);
    },
    async news(maxWaitMs, signal) {
      begin();
      await log.news(Math.min(maxWaitMs, MAX_WAIT_MS), signal);
    },
    readPage: async (url, signal) => recent(url) ?? (await readNow(ways.pages, url, signal)),
    [Symbol.asyncDispose]: () => endings.run(),
  };
}

function settingsOf({ data, sources, allowPrivate, botUrl, cooldownMs, concurrency }: EmbeddedHubOptions): object {
  return {
    data,
    sources,
    ...(allowPrivate !== undefined && { allowPrivate }),
    ...(botUrl !== undefined && { botUrl }),
    ...(cooldownMs !== undefined && { cooldownMs }),
    ...(concurrency !== undefined && { concurrency }),
  };
}

function sayTo({ logger = SILENT }: EmbeddedHubOptions): (message: string) => void {
  return (message) => logger.warn({}, message);
}

async function readNow(pages: LivePages, url: URL, signal: AbortSignal): Promise<LivePage> {
  const answer = await pages.read({ url, signal, maxWaitMs: MAX_WAIT_MS });
  if (answer.kind === 'page') return answer;
  throw new Error('Nothing was asked for on a condition.');
}
