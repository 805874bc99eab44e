import { resolve } from 'node:path';
import { FEED_PATH } from '../../codecs/agent-feed/wire.ts';
import { createReadingRules } from '../../extract/rules/reading-rules.ts';
import type { GivenRules } from '../../model/given-rules.ts';
import { RULES_SHAPE } from './decode-rules.ts';
import { baseUrl, webUrl } from './setting-addresses.ts';
import {
  type Decode,
  fieldsOf,
  flag,
  listOf,
  objectOf,
  oneOf,
  placeOf,
  refused,
  text,
  wholeNumberIn,
} from './setting-decoders.ts';
import type { AutoConfig, FeedConfig, FolderConfig, PageConfig, SiteConfig, SourceConfig } from './source-config.ts';

export interface SourceContext {
  /** Whether sources may be asked more often than once a minute, for local work. */
  readonly allowPrivate: boolean;
  /** An absolute folder: relative paths start there. Absent: paths of this machine are refused, because the writer is elsewhere. */
  readonly base?: string;
  /** The dialects that have a reader. */
  readonly dialects?: readonly string[];
  /** The position of the source in messages: `tidings.config.json: sources[1]`. */
  readonly at?: string;
}

const DEFAULT_DIALECT = 'aicf';
const SIGNED_DIALECT = 'agent-feed';

const MAX_ID_LENGTH = 64;
/** They would be confused with a feed of the hub itself. */
const RESERVED_IDS = ['all'];
/** A shorter interval is impolite to the servers of others. */
const MIN_PUBLIC_INTERVAL_SECONDS = 60;
const MAX_INTERVAL_SECONDS = 30 * 86_400;
const MAX_FALLBACKS = 8;
const MAX_PATTERNS = 100;
const MAX_TAGS = 20;
const MAX_PAGE_URLS = 10_000;
const MAX_PAGES = 1_000_000;

/** Decodes and normalises a source. Throws a {@link SettingRefusedError} that names the key. The result can be decoded again without a change. */
export function decodeSource(value: unknown, context: SourceContext): SourceConfig {
  const source = decodeKind(value, context);
  // Each rule may be valid while all of them together are too many.
  createReadingRules(source);
  return source;
}

/** The source with exactly these rules. */
export function ruledSource(config: SourceConfig, value: unknown): SourceConfig {
  const rules = fieldsOf(RULES_SHAPE, value, '');
  if (config.kind === 'feed') ensurePaths(rules, '');
  const { given } = createReadingRules(rules);
  const { ignore: _ignore, only: _only, ...rest } = config;
  return { ...rest, ...given };
}

function decodeKind(value: unknown, context: SourceContext): SourceConfig {
  const { at = '' } = context;
  const kind = kindOf(objectOf(value, at).kind, placeOf(at, 'kind'));
  switch (kind) {
    case 'auto':
      return decodeAuto(value, at, context);
    case 'folder':
      return decodeFolder(value, at, context);
    case 'site':
      return decodeSite(value, at, context);
    case 'page':
    case 'pages':
      return decodePage(value, at, context);
    case 'feed':
      return decodeFeed(value, at, context);
  }
}

/** `pages` is an alias of `page`. */
const kindOf = oneOf(['auto', 'folder', 'site', 'page', 'feed', 'pages']);

function decodeAuto(value: unknown, at: string, context: SourceContext): AutoConfig {
  const shape = {
    ...basics(minIntervalOf(context)),
    url: baseUrl,
    maxPages: wholeNumberIn(1, MAX_PAGES),
    tellsOf: oneOf(['pages']),
    audit: flag,
  };
  const { id, ...rest } = fieldsOf(shape, value, at);
  const url = given(rest.url, at, 'url', 'Give the address of the site.');
  return { id: given(id, at, 'id', ID_REMEDY), ...rest, kind: 'auto', url };
}

function decodeFolder(value: unknown, at: string, { base }: SourceContext): FolderConfig {
  const shape = { ...basics(1), path: pathIn(base), site: baseUrl, cleanUrls: flag };
  const { id, path, site, ...rest } = fieldsOf(shape, value, at);
  return {
    id: given(id, at, 'id', ID_REMEDY),
    ...rest,
    kind: 'folder',
    path: given(path, at, 'path', 'Name the folder with the built HTML.'),
    site: given(site, at, 'site', 'Give the public address of the site, like https://docs.example/.'),
  };
}

function decodeSite(value: unknown, at: string, context: SourceContext): SiteConfig {
  const shape = {
    ...basics(minIntervalOf(context)),
    url: baseUrl,
    fallbacks: listOf(baseUrl, { most: MAX_FALLBACKS }),
    sitemap: webUrl,
    maxPages: wholeNumberIn(1, MAX_PAGES),
  };
  const { id, ...rest } = fieldsOf(shape, value, at);
  const url = given(rest.url, at, 'url', 'Give the address of the site.');
  ensureOthers(rest.fallbacks, url, at);
  return { id: given(id, at, 'id', ID_REMEDY), ...rest, kind: 'site', url };
}

function decodePage(value: unknown, at: string, context: SourceContext): PageConfig {
  const shape = {
    ...basics(minIntervalOf(context)),
    url: webUrl,
    urls: listOf(webUrl, { least: 1, most: MAX_PAGE_URLS }),
    fallbacks: listOf(webUrl, { most: MAX_FALLBACKS }),
  };
  const { id, url, urls: several, fallbacks, ...rest } = fieldsOf(shape, value, at);
  if (url !== undefined && several !== undefined) {
    throw refused(placeOf(at, 'url'), url, 'Give either url or urls, not both.');
  }
  const urls = given(url === undefined ? several : [url], at, 'urls', 'Give the address of at least one page.');
  if (fallbacks !== undefined && fallbacks.length > 0 && urls.length > 1) {
    throw refused(placeOf(at, 'fallbacks'), fallbacks, 'They stand for one page; make a source of it alone.');
  }
  ensureOthers(fallbacks, urls[0] ?? '', at);
  return {
    id: given(id, at, 'id', ID_REMEDY),
    ...rest,
    kind: 'page',
    urls,
    ...(fallbacks !== undefined && { fallbacks }),
  };
}

function decodeFeed(value: unknown, at: string, context: SourceContext): FeedConfig {
  const shape = {
    ...basics(minIntervalOf(context)),
    url: webUrl,
    dialect: oneOf(context.dialects ?? [DEFAULT_DIALECT]),
    fallbacks: listOf(webUrl, { most: MAX_FALLBACKS }),
    apiKeyFile: pathIn(context.base),
    audit: flag,
  };
  const { id, dialect = DEFAULT_DIALECT, apiKeyFile, ...rest } = fieldsOf(shape, value, at);
  const named = given(rest.url, at, 'url', 'Give the address of the feed, or of the site that has it.');
  const url = dialect === SIGNED_DIALECT ? originOf(named, at) : named;
  ensureOthers(rest.fallbacks, url, at);
  ensurePaths(rest, at);
  if (dialect === SIGNED_DIALECT) ensureOwnWord({ url, fallbacks: rest.fallbacks, apiKeyFile }, at);
  return {
    id: given(id, at, 'id', ID_REMEDY),
    ...rest,
    kind: 'feed',
    url,
    dialect,
    ...(apiKeyFile !== undefined && { apiKeyFile }),
  };
}

/** The pages of a feed are not read, so there are no elements to select. */
function ensurePaths(rules: GivenRules, at: string): void {
  for (const key of ['ignore', 'only'] as const) {
    const index = (rules[key] ?? []).findIndex((rule) => !rule.startsWith('/'));
    if (index === -1) continue;
    const remedy = 'The pages of a feed are not read here: give paths that begin with /.';
    throw refused(`${placeOf(at, key)}[${index}]`, rules[key]?.[index], remedy);
  }
}

/** A path of this machine, absolute. */
function pathIn(base: string | undefined): Decode<string> {
  return (value, at) => {
    if (base !== undefined) return resolve(base, text(4096)(value, at));
    const remedy = 'Paths of the machine of a hub stand in its config file, or are added there while it is stopped.';
    throw refused(at, value, `${remedy} The API takes none.`);
  };
}

/** The feed of an origin has a fixed path. Its full address also means the origin. */
function originOf(url: string, at: string): string {
  const { origin, pathname, search } = new URL(url);
  if (search === '' && ['/', FEED_PATH].includes(pathname)) return `${origin}/`;
  throw refused(placeOf(at, 'url'), url, `An agent-feed is that of a whole origin. Give ${origin}/.`);
}

/** The facts of an agent-feed are those of the origin that serves them, which its certificate proves (agent-feed §48). */
function ensureOwnWord({ url, fallbacks = [], apiKeyFile }: Partial<FeedConfig>, at: string): void {
  if (!url?.startsWith('https:')) throw refused(placeOf(at, 'url'), url, 'An agent-feed is read over https only.');
  if (fallbacks.length > 0) {
    throw refused(
      placeOf(at, 'fallbacks'),
      fallbacks,
      'Nobody can speak in the place of an agent-feed. Leave them out.',
    );
  }
  if (apiKeyFile !== undefined) {
    throw refused(placeOf(at, 'apiKeyFile'), apiKeyFile, 'An agent-feed is read without a key. Leave it out.');
  }
}

function basics(minIntervalSeconds: number) {
  const hint = minIntervalSeconds === 1 ? '' : ' (from 1 with allowPrivate, for local work)';
  const patterns = listOf(pathPattern, { most: MAX_PATTERNS });
  return {
    id: sourceId,
    kind: kindOf,
    title: text(200),
    tags: listOf(text(50), { most: MAX_TAGS }),
    intervalSeconds: wholeNumberIn(minIntervalSeconds, MAX_INTERVAL_SECONDS, hint),
    include: patterns,
    exclude: patterns,
    ...RULES_SHAPE,
  };
}

const ID_REMEDY = `Give a name of a-z, 0-9 and _, without hyphens, which DiffDelta does not allow (at most ${MAX_ID_LENGTH} characters, not beginning with _).`;

const sourceId: Decode<string> = (value, at) => {
  if (typeof value !== 'string' || value.length > MAX_ID_LENGTH || !/^[a-z0-9][a-z0-9_]*$/.test(value)) {
    throw refused(at, value, ID_REMEDY);
  }
  if (RESERVED_IDS.includes(value)) throw refused(at, value, 'That name means every source together. Give another.');
  return value;
};

const pathPattern: Decode<string> = (value, at) => {
  if (typeof value === 'string' && /^[/*]/.test(value) && value.length <= 2048) return value;
  throw refused(at, value, 'Give a path that begins with / or *, like /docs/ or *.pdf$.');
};

function minIntervalOf({ allowPrivate }: SourceContext): number {
  return allowPrivate ? 1 : MIN_PUBLIC_INTERVAL_SECONDS;
}

function given<T>(value: T | undefined, at: string, key: string, remedy: string): T {
  if (value === undefined) throw refused(placeOf(at, key), undefined, remedy);
  return value;
}

function ensureOthers(fallbacks: readonly string[] = [], url: string, at: string): void {
  const same = fallbacks.indexOf(url);
  if (same !== -1) throw refused(`${placeOf(at, 'fallbacks')}[${same}]`, url, 'That is the source itself.');
}
