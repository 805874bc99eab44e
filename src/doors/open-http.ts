import { join } from 'node:path';
import type { LivePages } from '../crawl/live-page.ts';
import type { SiteTerms } from '../crawl/site-terms.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { Asker } from '../fetch/asker.ts';
import { askingFor, politelyFor } from '../fetch/asking-for.ts';
import type { HostMemory } from '../fetch/host-memory.ts';
import { createHostPauses, type HostPause, type HostPauses } from '../fetch/host-pauses.ts';
import type { HttpClient, HttpPoster } from '../fetch/http-client.ts';
import { MemoryHostMemory } from '../fetch/memory-host-memory.ts';
import { COOLDOWN_MS, createPoliteClient, type PoliteClient } from '../fetch/polite-client.ts';
import { createRecordingClient } from '../fetch/recording-client.ts';
import type { RequestJournal } from '../fetch/request-journal.ts';
import type { RequestSigner } from '../fetch/request-signer.ts';
import type { RobotsUsage } from '../fetch/robots-access.ts';
import { isBotUrl, PRODUCT_TOKEN, userAgentOf } from '../fetch/user-agent.ts';
import { readAuthority } from '../io/files/authority.ts';
import { wait } from '../io/node/timer-wait.ts';
import type { HttpClientOptions } from '../io/undici/http-client.ts';

export interface HttpOptions {
  /** Allow private addresses too: for local work only. */
  readonly allowPrivate?: boolean;
  /** A PEM file with additional certificate authorities to trust, or its text. */
  readonly ca?: string;
  /** A page that tells operators who is crawling. It is part of the User-Agent. Absent: none is named. */
  readonly botUrl?: string;
  /** For one whole exchange, including redirects and body. Default: 20 s. */
  readonly timeoutMs?: number;
  /** A folder that remembers across restarts which hosts asked for a pause. Without it, only this process remembers. */
  readonly cacheDir?: string;
  /** The pause between two pages of a host. Default: 2 s. A shorter pause applies to private addresses only. */
  readonly cooldownMs?: number;
}

/** Options that only other doors set. */
export interface PoliteOptions extends HttpOptions {
  /** Nobody else uses `cacheDir` while this is open. Then it also opens on a disk that cannot be written. */
  readonly isSoleUser?: boolean;
  /** The memory of hosts, instead of `cacheDir`: shared with other processes, and not closed here. */
  readonly memory?: HostMemory | undefined;
  /** Called with messages for a person about `cacheDir`. */
  readonly onProblem?: (message: string) => void;
  /** Records every request. */
  readonly journal?: RequestJournal;
  /** Signs every request. */
  readonly signer?: RequestSigner | undefined;
}

/** The HTTP clients of one asker. */
export interface AskerWays {
  /** For protocol documents such as feeds: see {@link openHttp}. */
  readonly http: HttpClient;
  /** For pages and sitemaps. */
  readonly client: PoliteClient;
  readonly pages: LivePages;
  /** Whether robots.txt allows the resources that a page needs. */
  readonly mayFetch: (url: URL) => Promise<boolean>;
  /** What robots.txt says about the use of a page. */
  readonly usageOf: (url: URL) => Promise<RobotsUsage>;
  /** All statements about the use of pages. */
  readonly terms: SiteTerms;
  /** The same for a reader of a single page: it makes only one request to the site. */
  readonly pageTerms: SiteTerms;
}

/** The HTTP clients that a door may need: a general one, and one for each asker. */
export interface PoliteWays extends AskerWays, AsyncDisposable {
  of(asker: Asker): AskerWays;
  /** The longest pause that blocks an asker. */
  pauseOf(asker: Asker): Promise<HostPause | undefined>;
  /** Ends the pauses that block an asker, because an operator wants the requests now. */
  clearPauses(asker: Asker): Promise<void>;
}

/** The file in a cache folder with the memory of hosts. */
export const CRAWL_FILE = 'crawl.db';

/** The one HTTP client: guarded, with our own User-Agent. It makes no requests to origins that asked for a pause. */
export async function openHttp(options: HttpOptions, special: SpecialWay = {}): Promise<HttpClient> {
  const { http } = await openWay(options, special);
  return http;
}

export async function openPolite(options: PoliteOptions): Promise<PoliteWays> {
  const { http, memory, pauses } = await openWay(options);
  const { resolvesToPrivateHost: isPrivateHost } = await import('../io/dns/private-host.ts');
  const { createRobotsAccess } = await import('../fetch/robots-access.ts');
  const { createLivePages } = await import('../crawl/live-page.ts');
  const { createSiteTerms } = await import('../crawl/site-terms.ts');
  const { createTermFiles, namedFilesOf } = await import('../crawl/term-files.ts');
  const robots = createRobotsAccess({ http, now: Date.now, productToken: PRODUCT_TOKEN, isPrivate: isPrivateHost });
  const { cooldownMs } = options;
  const client = createPoliteClient({
    http,
    robots,
    memory,
    pauses,
    now: Date.now,
    wait,
    isPrivate: isPrivateHost,
    ...(cooldownMs !== undefined && { cooldownMs }),
  });
  const files = createTermFiles({ now: Date.now });
  const termsOf = (ports: Pick<AskerWays, 'http' | 'usageOf'>) => ({
    terms: createSiteTerms({ ...ports, files }),
    pageTerms: createSiteTerms({ ...ports, files: namedFilesOf(files) }),
  });
  const waysOf = (asker: Asker): AskerWays => {
    const itsClient = politelyFor(asker, client);
    const itsHttp = askingFor(asker, http);
    const usageOf = (url: URL) => robots.usageOf(url, asker);
    return {
      http: itsHttp,
      client: itsClient,
      pages: createLivePages({ client: itsClient, now: Date.now }),
      mayFetch: async (url) => (await robots.mayFetch(url, asker)).allowed,
      usageOf,
      ...termsOf({ http: itsHttp, usageOf }),
    };
  };
  const usageOf = (url: URL) => robots.usageOf(url);
  return {
    http,
    client,
    pages: createLivePages({ client, now: Date.now }),
    mayFetch: async (url) => (await robots.mayFetch(url)).allowed,
    usageOf,
    ...termsOf({ http, usageOf }),
    of: waysOf,
    pauseOf: (asker) => pauses.longestOf(asker),
    async clearPauses(asker) {
      robots.forgetFailures(asker);
      await pauses.clear(asker);
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

/** What a door may replace: the User-Agent, the resolver, the signer. */
export type SpecialWay = Partial<Pick<HttpClientOptions, 'userAgent' | 'lookup' | 'signer'>>;

interface Way {
  readonly http: HttpClient;
  readonly memory: HostMemory;
  readonly pauses: HostPauses;
}

async function openWay(options: PoliteOptions, special: SpecialWay = {}): Promise<Way> {
  const guarded = await openGuarded(options, { signer: options.signer, ...special });
  const recorded = options.journal === undefined ? guarded : createRecordingClient(guarded, options.journal);
  const memory = await openMemory(options);
  const { createBackOffClient } = await import('../fetch/back-off-client.ts');
  const pauses = createHostPauses({ memory, now: Date.now });
  const backingOff = createBackOffClient({ http: recorded, pauses, now: Date.now });
  const http: HttpClient = {
    get: (request) => backingOff.get(request),
    async [Symbol.asyncDispose]() {
      await backingOff[Symbol.asyncDispose]();
      if (options.memory === undefined) await memory[Symbol.asyncDispose]();
    },
  };
  return { http, memory, pauses };
}

/** Guarded and with our own User-Agent, without a memory of pauses: for an API that we are a customer of. */
export async function openGuarded(options: HttpOptions, special: SpecialWay = {}): Promise<HttpClient & HttpPoster> {
  ensureSettings(options);
  const { allowPrivate = false, ca, botUrl, timeoutMs } = options;
  // Loaded when needed: it costs more CPU than the rest of a small publish.
  const { createUndiciHttpClient } = await import('../io/undici/http-client.ts');
  return createUndiciHttpClient({
    allowPrivate,
    userAgent: userAgentOf(botUrl),
    ca: ca === undefined ? undefined : await readAuthority(ca),
    ...(timeoutMs !== undefined && { deadlineMs: timeoutMs }),
    ...special,
  });
}

/** Used without a folder. All calls of this process share it; otherwise there would be no pause between the requests of two calls. */
const ownMemory = new MemoryHostMemory();

async function openMemory(options: PoliteOptions): Promise<HostMemory> {
  const {
    cacheDir,
    isSoleUser = false,
    allowPrivate = false,
    cooldownMs = COOLDOWN_MS,
    onProblem = () => {},
  } = options;
  if (options.memory !== undefined) return options.memory;
  if (cacheDir === undefined) return ownMemory;
  const file = join(cacheDir, CRAWL_FILE);
  if (isSoleUser) {
    const { openSoleHostMemory } = await import('../io/sqlite/sole-host-memory.ts');
    const gapMs = allowPrivate ? cooldownMs : Math.max(cooldownMs, COOLDOWN_MS);
    return await openSoleHostMemory({ file, now: Date.now, gapMs, onProblem });
  }
  const { openSqliteHostMemory } = await import('../io/sqlite/host-memory.ts');
  return await openSqliteHostMemory({ file, nowMs: Date.now() });
}

/** Reports a wrong setting before any request is made. */
export function ensureSettings({ botUrl, timeoutMs, cooldownMs }: HttpOptions): void {
  if (botUrl !== undefined && !isBotUrl(botUrl)) {
    throw new SettingRefusedError('botUrl', botUrl, 'Give the http(s) URL of a page about your crawler.');
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= 2 ** 31 - 1)) {
    throw new SettingRefusedError('timeout', timeoutMs, 'Give a time above 0.');
  }
  if (cooldownMs !== undefined && !(Number.isFinite(cooldownMs) && cooldownMs >= 0)) {
    throw new SettingRefusedError('cooldown', cooldownMs, 'Give a number of milliseconds, 0 or more.');
  }
}
