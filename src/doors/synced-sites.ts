import { join } from 'node:path';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { ReadingRules } from '../extract/rules/reading-rules.ts';
import type { ChangeStream, SourceLook } from '../stream/change-stream.ts';
import type { IndexPorts } from '../sync/sync.ts';
import type { EndedSource } from '../sync/sync-report.ts';
import { type EmbeddedHub, openEmbeddedHub } from './embedded-hub.ts';
import { createPageLooks } from './look-at-page.ts';
import { type HttpOptions, openPolite } from './open-http.ts';
import { openRemoteHub } from './remote-hub.ts';
import { type SyncedSource, syncedSources, syncedUrl } from './synced-sources.ts';

export interface SyncedSitesOptions extends HttpOptions {
  readonly urls: readonly string[];
  readonly folder: string;
  readonly once: boolean;
  readonly by: 'pages' | 'feed';
  readonly looksAtPages: boolean;
  readonly recheckMs: number;
  readonly rules: ReadingRules;
  readonly hub?: string;
  readonly hubToken?: string;
  readonly allowDeletes?: boolean;
  readonly ignoreTerms?: boolean;
  readonly signal: AbortSignal;
}

/** What a sync reads: a stream, and the pages that it names. */
export interface SyncedSites
  extends AsyncDisposable,
    Pick<IndexPorts, 'stream' | 'lookAtPage' | 'ended' | 'isComplete'> {
  readonly accepts: (url: string) => boolean;
}

/** A hub in this process that watches the sites, or one that runs elsewhere. */
export async function openSyncedSites(options: SyncedSitesOptions): Promise<SyncedSites> {
  return options.hub === undefined ? await watchedHere(options) : await watchedElsewhere(options, options.hub);
}

/** Reports invalid options before anything is created. */
export function ensureSites(urls: readonly string[], hub: string | undefined): void {
  for (const url of urls) syncedUrl(url);
  if (urls.length + (hub?.length ?? 0) === 0) {
    throw new SettingRefusedError('url', '(none)', 'Name a site, or a hub with --hub.');
  }
}

async function watchedHere(options: SyncedSitesOptions): Promise<SyncedSites> {
  const { urls, folder, once, rules, recheckMs, allowDeletes = false, ignoreTerms = false } = options;
  const recheckSeconds = Math.ceil(recheckMs / 1000);
  const sources = syncedSources(urls, { ...options, recheckSeconds, rules: rules.given });
  const hub = await openEmbeddedHub({
    ...options,
    data: join(folder, 'hub'),
    sources: sources.map(({ config }) => config),
    ...(once && { confirmMs: 0 }),
  });
  const byId = new Map(sources.map((source) => [source.config.id, source]));
  return {
    stream: {
      ...namingSites(hub, byId),
      look: async (signal) => looksAtSites(await lookAll(hub, signal, allowDeletes), { hub, byId }),
    },
    lookAtPage: createPageLooks({ ...hub, terms: hub.ways.terms, rules, hearsTerms: !ignoreTerms }),
    accepts: rules.accepts,
    ended: async () => endedSites(hub, byId),
    isComplete: async () => isComplete(hub, byId),
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

type ById = ReadonlyMap<string, SyncedSource>;

/** The stream of a hub in which all sources of a site have the name of the site. */
function namingSites(hub: EmbeddedHub, byId: ById): ChangeStream {
  const siteOf = (id: string) => byId.get(id)?.site ?? id.replace(/_(?:feed|switch)$/, '');
  return {
    async changes(query, signal) {
      const { changes, next } = await hub.changes(query, signal);
      return { changes: changes.map((change) => ({ ...change, source: siteOf(change.source) })), next };
    },
    async sources(signal) {
      const all = (await hub.sources(signal)).filter(({ id }) => byId.get(id)?.role !== 'switch');
      return [...new Map(all.map((source) => [siteOf(source.id), { ...source, id: siteOf(source.id) }])).values()];
    },
    look: (signal) => hub.look(signal),
    news: (maxWaitMs, signal) => hub.news(maxWaitMs, signal),
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

async function lookAll(hub: EmbeddedHub, signal: AbortSignal, allowDeletes: boolean): Promise<readonly SourceLook[]> {
  const ids = hub.watch.sources().map(({ config }) => config.id);
  if (allowDeletes) for (const id of ids) await hub.watch.resume(id, { allowDeletes, keepsHostPauses: true });
  const looks = await hub.look(signal);
  return looks.map((look) => (look.is === 'ok' ? { ...look, ...unreadOf(hub, look.source) } : look));
}

/** If a look succeeded except for some pages, the index is not equal to the site. */
function unreadOf({ watch }: EmbeddedHub, id: string): Partial<SourceLook> {
  const { unread = 0, notes = [] } = watch.source(id)?.health ?? {};
  if (unread === 0) return {};
  const pages = unread === 1 ? 'one page or file' : `${unread} pages or files`;
  return { is: 'failed', message: `${pages} could not be read. ${notes.slice(0, 3).join(' ')}` };
}

/** Whether the last look read all pages of every site. */
function isComplete({ watch }: EmbeddedHub, byId: ById): boolean {
  const pages = watch.sources().filter(({ config }) => byId.get(config.id)?.role === 'pages');
  const isRead = pages.every(({ health }) => health.lastOkMs !== undefined && !health.error && !health.unread);
  return pages.length > 0 && isRead;
}

/** The message of a hub names a command of the hub. */
const RESUME = /tidings source resume \S+ --allow-deletes/g;

/** The error code for a domain that seems to have another owner. */
const OTHER_OWNER = 'AgentFeedOtherOwnerError';

/** Most sites have no agent-feed, so an unreadable one is not reported. */
function looksAtSites(
  looks: readonly SourceLook[],
  { hub, byId }: { readonly hub: EmbeddedHub; readonly byId: ById },
): readonly SourceLook[] {
  return looks.flatMap((look) => {
    const { site, role } = byId.get(look.source) ?? { site: look.source, role: 'pages' };
    if (role === 'switch' && hub.watch.source(look.source)?.health.error?.code !== OTHER_OWNER) return [];
    const { message } = look;
    return [
      { ...look, source: site, ...(message !== undefined && { message: message.replace(RESUME, '--allow-deletes') }) },
    ];
  });
}

/** Error codes for an origin that ended its agent-feed: nothing it says counts any more. */
const ENDED = new Set(['AgentFeedUntrustedError', 'AgentFeedSuspendedError']);

function endedSites({ watch }: EmbeddedHub, byId: ById): readonly EndedSource[] {
  return watch.sources().flatMap(({ config, health: { error } }) => {
    if (error === undefined || !ENDED.has(error.code)) return [];
    return [{ source: byId.get(config.id)?.site ?? config.id, reason: error.message }];
  });
}

async function watchedElsewhere(options: SyncedSitesOptions, url: string): Promise<SyncedSites> {
  const { urls, hubToken: token, ca, signal, rules, folder, ignoreTerms = false } = options;
  const prefixes = urls.map((address) => syncedUrl(address).href);
  const stream = await openRemoteHub({
    url,
    signal,
    ...(token !== undefined && { token }),
    ...(ca !== undefined && { ca }),
  });
  const ways = await openPolite({ ...options, cacheDir: options.cacheDir ?? folder });
  const readPage = async (page: URL, stop: AbortSignal) => {
    const answer = await ways.pages.read({ url: page, signal: stop, maxWaitMs: MAX_WAIT_MS });
    if (answer.kind === 'page') return answer;
    throw new Error('Nothing was asked for on a condition.');
  };
  return {
    stream,
    lookAtPage: createPageLooks({ readPage, terms: ways.terms, rules, hearsTerms: !ignoreTerms }),
    accepts: (page) =>
      rules.accepts(page) && (prefixes.length === 0 || prefixes.some((prefix) => page.startsWith(prefix))),
    ended: undefined,
    // A hub knows nothing beyond what it has reported.
    isComplete: async () => true,
    async [Symbol.asyncDispose]() {
      await stream[Symbol.asyncDispose]();
      await ways[Symbol.asyncDispose]();
    },
  };
}

const MAX_WAIT_MS = 60_000;
