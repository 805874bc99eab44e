import type { Diagnostic } from '../dialects/diagnostic.ts';
import type { ReaderPorts } from '../dialects/reader.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { inMemoryStorage } from '../dialects/storage.ts';
import { createReadingRules } from '../extract/rules/reading-rules.ts';
import { followSources } from '../follow/follow.ts';
import type { FollowState } from '../follow/follow-state.ts';
import type { FollowedEvent, FollowStatus } from '../follow/followed-event.ts';
import { MemoryFollowState } from '../follow/memory-follow-state.ts';
import { readSecret } from '../io/files/secret.ts';
import { wait } from '../io/node/timer-wait.ts';
import { openSqliteFollowState } from '../io/sqlite/follow-state.ts';
import { gunzip } from '../io/zlib/gunzip.ts';
import type { GivenRules } from '../model/given-rules.ts';
import { type HttpOptions, openPolite } from './open-http.ts';

export type { Diagnostic } from '../dialects/diagnostic.ts';
export type { FollowedEvent } from '../follow/followed-event.ts';

export interface FollowOptions extends HttpOptions, GivenRules {
  /** The sites to follow. */
  readonly urls?: string | readonly string[];
  /** The same, for one site. */
  readonly url?: string;
  /** An SQLite file that remembers what was seen. Without it everything is new each time. */
  readonly state?: string;
  /** Read what is new and end. Without it the sites are polled until `signal` says stop. */
  readonly once?: boolean;
  /** Begin behind this id, or at this RFC 3339 time or date (midnight in UTC), where nothing is remembered. */
  readonly since?: string;
  /** Fetch what changed: `markdown` of that page or section only. */
  readonly content?: boolean;
  /**
   * The only format that is looked for: `aicf`, `diffdelta`, `resourcesync`, `atom`, `rss`, `json-feed` or `agent-feed`. Without it the
   * first of them that a site offers, in that order.
   */
  readonly dialect?: string;
  /** Of a DiffDelta service: the only sources that are read. */
  readonly sources?: readonly string[];
  /** For a DiffDelta service; sent to the origin of `urls` and to no other. */
  readonly apiKey?: string;
  /** A file that holds it. */
  readonly apiKeyFile?: string;
  /** The shortest pause between two polls of a site; 2 s unless said otherwise. */
  readonly minIntervalMs?: number;
  readonly signal?: AbortSignal;
  /** One line on what is going on, for a person. */
  readonly onStatus?: (line: string) => void;
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

const MIN_INTERVAL_MS = 2000;

/**
 * What changes on these sites, in the order in which they publish it.
 *
 * An event counts as taken when the next one is asked for, and only then is it remembered: one may come twice
 * after a crash, none is lost. With `once`, ends by throwing a {@link TidingsError} when something could not be
 * read; what was delivered until then stays delivered.
 *
 * @example
 * for await (const { action, boundary } of follow({ urls: 'https://docs.example/', state: 'docs.db', once: true })) {
 *   console.log(action, boundary);
 * }
 */
export async function* follow(options: FollowOptions): AsyncGenerator<FollowedEvent, void> {
  const { onStatus, onDiagnostic, since } = options;
  const rules = createReadingRules(options);
  const urls = [options.urls ?? [], options.url ?? []].flat();
  const apiKey = options.apiKey ?? (options.apiKeyFile && (await readSecret(options.apiKeyFile)));
  await using opened = await openState(options.state);
  const { state, storage } = opened;
  await using ways = await openPolite(options);
  yield* followSources(
    {
      urls,
      once: options.once ?? false,
      content: options.content ?? false,
      since,
      minIntervalMs: options.minIntervalMs ?? MIN_INTERVAL_MS,
      dialect: options.dialect,
      sources: options.sources,
      rules,
      apiKey: apiKey || undefined,
    },
    {
      http: ways.http,
      pages: ways.pages,
      gunzip,
      dialects: DIALECTS,
      state,
      storage,
      now: Date.now,
      wait,
      signal: options.signal ?? new AbortController().signal,
      onDiagnostic: onDiagnostic ?? (() => {}),
      onStatus: (status) => onStatus?.(statusLine(status)),
    },
  );
}

interface OpenState extends AsyncDisposable, Pick<ReaderPorts, 'storage'> {
  readonly state: FollowState;
}

async function openState(file: string | undefined): Promise<OpenState> {
  if (file === undefined) {
    return { state: new MemoryFollowState(), storage: inMemoryStorage(), async [Symbol.asyncDispose]() {} };
  }
  const state = await openSqliteFollowState({ file });
  return { state, storage: (kind) => state.storage(kind), [Symbol.asyncDispose]: () => state[Symbol.asyncDispose]() };
}

function statusLine({ url, phase, nextPollInMs }: FollowStatus): string {
  if (nextPollInMs === undefined) return `${url}: reading`;
  const seconds = Math.ceil(nextPollInMs / 1000);
  if (phase === 'paused') return `${url}: asked for a pause, goes on in ${seconds} s`;
  return phase === 'failing' ? `${url}: failing, next try in ${seconds} s` : `${url}: next poll in ${seconds} s`;
}
