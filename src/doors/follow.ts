import type { Diagnostic } from '../dialects/diagnostic.ts';
import type { ReaderPorts } from '../dialects/reader.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { inMemoryStorage } from '../dialects/storage.ts';
import { followSources } from '../follow/follow.ts';
import { createFollowRules } from '../follow/follow-rules.ts';
import type { FollowState } from '../follow/follow-state.ts';
import type { FollowedEvent, FollowStatus } from '../follow/followed-event.ts';
import { MemoryFollowState } from '../follow/memory-follow-state.ts';
import type { ToldLog } from '../follow/told-log.ts';
import { readSecret } from '../io/files/secret.ts';
import { wait } from '../io/node/timer-wait.ts';
import { openSqliteFollowState } from '../io/sqlite/follow-state.ts';
import { gunzip } from '../io/zlib/gunzip.ts';
import type { GivenRules } from '../model/given-rules.ts';
import { auditedPolls } from './audited-polls.ts';
import { followedSite } from './followed-site.ts';
import { type HttpOptions, openPolite } from './open-http.ts';

export type { Diagnostic } from '../dialects/diagnostic.ts';
export type { FollowedEvent } from '../follow/followed-event.ts';

export interface FollowOptions extends HttpOptions, GivenRules {
  /** The sites to follow. */
  readonly urls?: string | readonly string[];
  /** The same, for one site. */
  readonly url?: string;
  /**
   * An SQLite file that remembers what was seen. Pages of sites without a feed are remembered in a folder beside it, `<state>.pages`. Without it, everything is
   * new each time.
   */
  readonly state?: string;
  /** Read what is new, then end. Without it, the sites are polled until `signal` aborts. */
  readonly once?: boolean;
  /** If nothing is remembered, begin after this id, at this RFC 3339 time or date (midnight in UTC), or this long ago (`30m`, `12h`, `7d`, `2w`). */
  readonly since?: string;
  /**
   * Handles each event before it is yielded. If it throws a {@link TidingsError}, the event counts as not taken: with `once` its site ends there and the error
   * is thrown at the end; otherwise it is retried with growing pauses. It gets the events of one site one at a time.
   */
  readonly take?: (event: FollowedEvent, signal: AbortSignal) => Promise<void>;
  /** Fetch the changed content: `markdown` of that page or section only. */
  readonly content?: boolean;
  /**
   * The only format to look for: `aicf`, `diffdelta`, `resourcesync`, `atom`, `rss`, `json-feed`, `agent-feed`, or `sitemap` or `pages` for the site itself.
   * Default: the first that a site offers, in this order.
   */
  readonly dialect?: string;
  /** The maximum number of pages read from a site without a feed. Default: 10,000. */
  readonly maxPages?: number;
  /** Accept that much of a site is really gone or changed. Without it, that is a safety stop. */
  readonly allowDeletes?: boolean;
  /** The only sources of a DiffDelta service to read. */
  readonly sources?: readonly string[];
  /**
   * Check each site against its provable log before each poll. A proven fault ends `follow` with an {@link AuditFailedError}. Needs `state`: what was seen and
   * the evidence are kept in a folder beside it, `<state>.audit`.
   */
  readonly audit?: boolean;
  /** With `audit`: keys of witnesses that must have cosigned the log, or files with one key each. */
  readonly witnesses?: readonly string[];
  /** How many of the witnesses must have cosigned. Default: all. */
  readonly quorum?: number;
  /** The key for a DiffDelta service. It is sent only to the origin of `urls`. */
  readonly apiKey?: string;
  /** A file that contains the API key. */
  readonly apiKeyFile?: string;
  /** The shortest pause between two polls of a site. Default: 2 s. */
  readonly minIntervalMs?: number;
  readonly signal?: AbortSignal;
  /** One line about the current step, for a person. */
  readonly onStatus?: (line: string) => void;
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

const MIN_INTERVAL_MS = 2000;

/**
 * Yields the changes of these sites, in the order in which the sites publish them.
 *
 * An event counts as taken, and is remembered, only when the next one is requested: after a crash an event may come twice, but none is lost. With `once`,
 * throws a {@link TidingsError} at the end if something could not be read; events delivered before stay delivered.
 *
 * @example
 * for await (const { action, boundary } of follow({ urls: 'https://docs.example/', state: 'docs.db', once: true })) {
 *   console.log(action, boundary);
 * }
 */
export async function* follow(options: FollowOptions): AsyncGenerator<FollowedEvent, void> {
  const { onStatus, onDiagnostic, since } = options;
  const rules = createFollowRules(options);
  const urls = [options.urls ?? [], options.url ?? []].flat();
  const apiKey = options.apiKey ?? (options.apiKeyFile && (await readSecret(options.apiKeyFile)));
  await using opened = await openState(options.state);
  const { state, storage, told } = opened;
  await using ways = await openPolite(options);
  const audit =
    options.audit === true
      ? auditedPolls(options, (message) => onDiagnostic?.({ level: 'warn', code: 'audit', message }))
      : undefined;
  await using site = followedSite({
    http: options,
    state: options.state,
    rules: (rules.sections?.withoutIds ?? rules).given,
    maxPages: options.maxPages,
    allowDeletes: options.allowDeletes ?? false,
    dialect: options.dialect,
    onStatus: (line) => onStatus?.(line),
  });
  yield* followSources(
    {
      urls,
      once: options.once ?? false,
      content: options.content ?? false,
      since,
      minIntervalMs: options.minIntervalMs ?? MIN_INTERVAL_MS,
      dialect: options.dialect,
      sources: options.sources,
      allowDeletes: options.allowDeletes,
      rules,
      apiKey: apiKey || undefined,
    },
    {
      http: ways.http,
      pages: ways.pages,
      gunzip,
      dialects: DIALECTS,
      site: site.dialect,
      told,
      state,
      storage,
      now: Date.now,
      wait,
      signal: options.signal ?? new AbortController().signal,
      take: options.take,
      audit,
      onDiagnostic: onDiagnostic ?? (() => {}),
      onStatus: (status) => onStatus?.(statusLine(status)),
    },
  );
}

interface OpenState extends AsyncDisposable, Pick<ReaderPorts, 'storage'> {
  readonly state: FollowState;
  readonly told: ToldLog;
}

async function openState(file: string | undefined): Promise<OpenState> {
  if (file === undefined) {
    const memory = new MemoryFollowState(Date.now);
    return { state: memory, storage: inMemoryStorage(), told: () => memory.told(), async [Symbol.asyncDispose]() {} };
  }
  const state = await openSqliteFollowState({ file });
  return {
    state,
    storage: (kind) => state.storage(kind),
    told: () => state.changes(0),
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
}

function statusLine({ url, phase, nextPollInMs }: FollowStatus): string {
  if (nextPollInMs === undefined) return `${url}: reading`;
  const seconds = Math.ceil(nextPollInMs / 1000);
  if (phase === 'paused') return `${url}: asked for a pause, goes on in ${seconds} s`;
  return phase === 'failing' ? `${url}: failing, next try in ${seconds} s` : `${url}: next poll in ${seconds} s`;
}
