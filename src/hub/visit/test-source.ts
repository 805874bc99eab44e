import { readSiteLinks } from '../../crawl/site-links.ts';
import { readGivenSitemap, readSitemapPages } from '../../crawl/site-map-pages.ts';
import { createSiteScope } from '../../crawl/site-scope.ts';
import { readersOf } from '../../dialects/feed-readers.ts';
import type { ReaderPorts } from '../../dialects/reader.ts';
import { inMemoryStorage } from '../../dialects/storage.ts';
import { FetchError } from '../../errors/fetch-error.ts';
import { sourceUnreadError } from '../../errors/source-trouble.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { frugalClient } from '../../fetch/frugal-client.ts';
import { brokenFeed } from '../../follow/feed-outcome.ts';
import { MemoryFollowState } from '../../follow/memory-follow-state.ts';
import { rememberedIn } from '../../follow/remembered.ts';
import type { NamedHubs } from '../../model/named-hubs.ts';
import { builtSource } from '../../produce/built-source.ts';
import type {
  AutoConfig,
  FeedConfig,
  FolderConfig,
  PageConfig,
  SiteConfig,
  SourceConfig,
} from '../config/source-config.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';
import { shunning } from './own-addresses.ts';
import { MAX_WAIT_MS, notesOf, type SourceReading, shortNotes } from './source-reading.ts';
import { sourceRulesOf } from './source-rules.ts';
import { endedBy } from './visit-end.ts';
import { readerOf } from './visit-feed.ts';
import { ensureRead } from './visit-folder.ts';
import { ensurePage } from './visit-pages.ts';
import type { VisitPorts } from './visit-ports.ts';

type TestPorts = Omit<VisitPorts, 'store' | 'wait' | 'alarm' | 'hints'>;

const MAX_PAGES = 3;
const MAX_SITEMAPS = 5;
const REMEDIES = { trust: 'give the address of a feed that is active' };

/** Reads a little of a source, to see whether it can be watched. Stores nothing; the notes say what was found. */
export async function testSource(config: SourceConfig, ports: TestPorts): Promise<VisitOutcome> {
  try {
    return { is: 'read', changes: 0, ...(await tryOut(config, ports)) };
  } catch (error) {
    return endedBy(error, ports.signal, 0);
  }
}

async function tryOut(config: SourceConfig, ports: TestPorts): Promise<SourceReading> {
  switch (config.kind) {
    case 'auto':
      return await tryAny(config, ports);
    case 'folder':
      return await tryFolder(config, ports);
    case 'site':
      return await trySite(config, ports);
    case 'page':
      return await tryPages(config, ports);
    case 'feed':
      return await tryFeed(config, ports);
  }
}

/** Tries the first feed that can be read, else the pages. */
async function tryAny(config: AutoConfig, ports: TestPorts): Promise<SourceReading> {
  const notes: string[] = [];
  for (const { name, reader } of await readersOf(ports.dialects)) {
    try {
      const found = await reader.discover(
        { url: new URL(config.url), isNamed: false, remedies: REMEDIES },
        readerPorts(name, ports, (note) => void notes.push(note)),
      );
      if ('nothing' in found) continue;
      const { words, hubs } = await found.describe();
      return { notes: shortNotes([`${config.url}: read by ${name}: ${words}.`, ...hubNotes(hubs), ...notes]) };
    } catch (error) {
      if (brokenFeed(error) === undefined) throw error;
      ports.signal.throwIfAborted();
      notes.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const reading = await readSite({ ...config, kind: 'site' }, ports);
  return {
    ...reading,
    notes: shortNotes([...reading.notes, 'no feed that can be read: followed by its pages', ...notes]),
  };
}

async function tryFeed({ url, dialect, apiKeyFile }: FeedConfig, ports: TestPorts): Promise<SourceReading> {
  const { name, reader } = await readerOf(dialect, ports.dialects);
  const notes: string[] = [];
  const apiKey = apiKeyFile === undefined ? undefined : await ports.readSecret?.(apiKeyFile);
  const question = { url: new URL(url), isNamed: true, apiKey, remedies: REMEDIES };
  const found = await reader.discover(
    question,
    readerPorts(name, ports, (note) => void notes.push(note)),
  );
  if ('nothing' in found) throw found.nothing;
  const { words, hubs } = await found.describe();
  return { notes: shortNotes([`${url}: ${words}.`, ...hubNotes(hubs), ...notes]) };
}

/** Whether a hub can push its news. */
function hubNotes(named: NamedHubs | undefined): readonly string[] {
  const [hub] = named?.hubs ?? [];
  if (hub === undefined) return [];
  if (named?.self === undefined) return [`It names the WebSub hub ${hub}, but not itself: it is polled.`];
  return [`It names the WebSub hub ${hub}, which can tell of its news at once.`];
}

/** Ports of a reader without any stored memory. */
function readerPorts(dialect: string, ports: TestPorts, note: (message: string) => void): ReaderPorts {
  const { gunzip, now, signal } = ports;
  return {
    ...{ gunzip, now, signal },
    http: shunning(ports.http, ports.ownAddresses),
    remembered: rememberedIn(new MemoryFollowState(), { dialect }),
    storage: inMemoryStorage(),
    report: ({ message }) => note(message),
  };
}

async function tryFolder(config: FolderConfig, { openFolder, signal }: TestPorts): Promise<SourceReading> {
  const { path, site, cleanUrls = false } = config;
  const comparison = await builtSource(openFolder(path)).compare(
    { pages: new Map() },
    { site: new URL(site), cleanUrls, ...sourceRulesOf(config), signal },
  );
  ensureRead(path, comparison);
  const { pages, failures } = comparison;
  if (pages.size === 0) throw sourceUnreadError(path, 'It holds no HTML page that the filters let through.');
  return {
    pages: pages.size,
    unread: failures.length,
    notes: [`${count(pages.size, 'page')} in ${path}`, ...notesOf(failures)],
  };
}

async function trySite(config: SiteConfig, ports: TestPorts): Promise<SourceReading> {
  return await withFeed(new URL(config.url), ports, await readSite(config, ports));
}

async function readSite(config: SiteConfig, ports: TestPorts): Promise<SourceReading> {
  const base = new URL(config.url);
  const { accepts } = sourceRulesOf(config);
  const scope = createSiteScope(base, base);
  const client = frugalClient(ports.client, { most: MAX_SITEMAPS });
  const sitemapPorts = { ...ports, client, maxWaitMs: MAX_WAIT_MS };
  const sitemaps =
    config.sitemap === undefined
      ? await readSitemapPages(scope, undefined, sitemapPorts)
      : await readGivenSitemap(new URL(config.sitemap), scope, sitemapPorts);
  const listed = [...sitemaps.pages.keys()].filter(accepts);
  const notes = notesOf(sitemaps.failures.map(({ url: file, message }) => ({ file, message })));
  const [failure] = sitemaps.failures;
  if (config.sitemap !== undefined && sitemaps.pages.size === 0) {
    throw sourceUnreadError(config.sitemap, failure?.message ?? 'It names no page.');
  }
  if (sitemaps.pages.size > 0) {
    const atLeast = sitemaps.isWhole ? '' : 'at least ';
    const reading = await readSome(listed, ports);
    return {
      pages: listed.length,
      unread: reading.unread,
      notes: [`${atLeast}${count(listed.length, 'page')} by sitemap`, ...reading.notes, ...notes],
    };
  }
  const start = await ports.pages.read({ url: base, signal: ports.signal, maxWaitMs: MAX_WAIT_MS });
  const links = start.kind === 'page' ? readSiteLinks(start).links.flatMap((link) => scope.take(link) ?? []) : [];
  const targets = [...new Set(links)].filter((link) => link !== base.href && accepts(link));
  const reading = await readSome(targets, ports, MAX_PAGES - 1);
  return {
    unread: reading.unread,
    notes: [
      `no sitemap; ${count(targets.length, 'link')} to pages of the site on ${base.href}`,
      ...reading.notes,
      ...notes,
    ],
  };
}

async function tryPages(config: PageConfig, ports: TestPorts): Promise<SourceReading> {
  const { notes, unread } = await readSome(config.urls.filter(sourceRulesOf(config).accepts), ports);
  const [first = ''] = config.urls;
  return withFeed(new URL(first), ports, { pages: config.urls.length, unread, notes });
}

/** Reads the first few, and fails if none of them can be read. */
async function readSome(urls: readonly string[], ports: TestPorts, limit = MAX_PAGES) {
  const notes: string[] = [];
  const errors: FetchError[] = [];
  const chosen = urls.slice(0, limit);
  for (const url of chosen) {
    try {
      const answer = await ports.pages.read({ url: new URL(url), signal: ports.signal, maxWaitMs: MAX_WAIT_MS });
      if (answer.kind === 'page') ensurePage(url, answer);
      notes.push(`${url}: it can be read.`);
    } catch (error) {
      ports.signal.throwIfAborted();
      if (!(error instanceof FetchError)) throw error;
      errors.push(error);
      notes.push(`${url}: ${error.message}`);
    }
  }
  const [first] = errors;
  if (first !== undefined && errors.length === chosen.length) throw first;
  return { notes, unread: errors.length };
}

async function withFeed(base: URL, ports: TestPorts, reading: SourceReading): Promise<SourceReading> {
  const feed = await preferredFeed(base, ports);
  const notes = feed === undefined ? [] : [`It offers ${feed}: kind "feed" asks it less.`];
  return { ...reading, notes: [...reading.notes, ...notes] };
}

/** The noun of the preferred dialect, if the site offers a feed in it. */
async function preferredFeed(base: URL, ports: TestPorts): Promise<string | undefined> {
  const preferred = ports.dialects.find(({ reader }) => reader !== undefined);
  const reader = await preferred?.reader?.();
  if (preferred === undefined || reader === undefined) return undefined;
  try {
    const found = await reader.discover(
      { url: new URL('/', base), isNamed: false },
      readerPorts(preferred.name, ports, () => {}),
    );
    return 'nothing' in found ? undefined : reader.noun;
  } catch (error) {
    ports.signal.throwIfAborted();
    if (error instanceof TidingsError) return undefined;
    throw error;
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
