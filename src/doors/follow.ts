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
   * An SQLite file that remembers what was seen; pages of sites without a feed are remembered in a folder beside it, `<state>.pages`. Without it
   * everything is new each time.
   */
  readonly state?: string;
  /** Read what is new and end. Without it the sites are polled until `signal` says stop. */
  readonly once?: boolean;
  /**
   * Begin behind this id, at this RFC 3339 time or date (midnight in UTC), or so long ago (`30m`, `12h`, `7d`, `2w`), where nothing is
   * remembered.
   */
  readonly since?: string;
  /**
   * What is done with each event before it is given out. Where it throws a {@link TidingsError}, the event was not taken: with `once` its
   * site ends there and the error is thrown at the end, else it is tried again, ever later. Of one site it gets one event at a time.
   */
  readonly take?: (event: FollowedEvent, signal: AbortSignal) => Promise<void>;
  /** Fetch what changed: `markdown` of that page or section only. */
  readonly content?: boolean;
  /**
   * The only format that is looked for: `aicf`, `diffdelta`, `resourcesync`, `atom`, `rss`, `json-feed`, `agent-feed`, or `sitemap` or `pages` for
   * the site itself. Without it the first of them that a site offers, in that order.
   */
  readonly dialect?: string;
  /** Of a site without a feed, so many pages are read at most; 10,000 unless said otherwise. */
  readonly maxPages?: number;
  /** Much of a site is really gone, or another. Without it that is a safety stop. */
  readonly allowDeletes?: boolean;
  /** Of a DiffDelta service: the only sources that are read. */
  readonly sources?: readonly string[];
  /**
   * Hold each site against its provable log before each poll. What is proven wrong ends the following with an {@link AuditFailedError}. Needs `state`:
   * what was seen is remembered in a folder beside it, `<state>.audit`, and evidence is kept there.
   */
  readonly audit?: boolean;
  /** With `audit`: keys of witnesses that must have cosigned the log, or files that hold one each. */
  readonly witnesses?: readonly string[];
  /** How many of them; all unless said otherwise. */
  readonly quorum?: number;
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
