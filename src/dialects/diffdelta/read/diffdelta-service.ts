import { type DecodedDiscovery, decodeDiffDeltaDiscovery } from '../../../codecs/diffdelta/decode-discovery.ts';
import { decodeDiffDeltaFeed } from '../../../codecs/diffdelta/decode-feed.ts';
import { decodeHead } from '../../../codecs/diffdelta/decode-head.ts';
import { DIFFDELTA_DISCOVERY_PATH } from '../../../codecs/diffdelta/wire.ts';
import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { BodyEncodingError, BodyTooLargeError } from '../../../errors/fetch-error.ts';
import { sourceIdOf } from '../../../model/source.ts';
import { warn } from '../../diagnostic.ts';
import type { Remembered } from '../../reader.ts';
import { MAX_RUN_BYTES } from './archive-walk.ts';
import { type Access, type DocumentQuestion, ensureDecoded, getDocument } from './diffdelta-access.ts';
import { decodeManifest, type KnownManifest, type KnownSourceList } from './diffdelta-memory.ts';
import type { FeedPlace } from './feed-place.ts';
import { listedPlaces, readListedSources, reconciledSources } from './source-list.ts';

/** What a URL offers in DiffDelta: feeds that are read one after another. */
export interface Service {
  readonly feeds: readonly ServiceFeed[];
  /** The interval that the manifest recommends, for feeds that state none. */
  readonly ttlMs?: number;
  readonly manifest?: ServiceManifest;
}

/** The manifest that led to a service. */
export interface ServiceManifest {
  /** The key of its memory. */
  readonly entry: string;
  readonly id: string;
  readonly known: KnownManifest;
  /** Whether it differs from what is remembered. */
  readonly isNew: boolean;
}

export interface ServiceFeed extends FeedPlace {
  /** The key of its memory: the URL of its head, or of the feed itself. */
  readonly entry: string;
  /** The id that it gets, if that is free. */
  readonly id: string;
  /** Only the list of sources names it, not the manifest: it may have no feed yet. */
  readonly isListedOnly?: true;
}

const MAX_MANIFEST_BYTES = 8 * 1024 * 1024;
/** More sources than this are read through the feed of all: so many requests stay within the free limit of a minute (§10). */
const MAX_SOURCES = 50;
const MAX_ASKED = 1000;
const MAX_SHOWN = 20;
const HEAD = /(?:^|\/)head\.json$/;
const LATEST = /(?:^|\/)latest\.json$/;
const MANIFEST = /(?:^|\/)diffdelta\.json$/;

/** Whether the name of a URL shows that it belongs to DiffDelta. */
export function isDiffDeltaName({ pathname }: URL): boolean {
  return [HEAD, LATEST, MANIFEST].some((name) => name.test(pathname));
}

/** Where a manifest may be: at the root, then below the path. */
export function manifestCandidates(given: URL): string[] {
  if (MANIFEST.test(given.pathname)) return [given.href];
  const folder = given.pathname.replace(/[^/]*\.[^/]*$/, '').replace(/\/+$/, '');
  const atRoot = new URL(DIFFDELTA_DISCOVERY_PATH, given).href;
  return folder === '' ? [atRoot] : [atRoot, new URL(`${folder}${DIFFDELTA_DISCOVERY_PATH}`, given).href];
}

/** A feed or head that was named directly. */
export function namedFeed(url: URL): Service | undefined {
  if (HEAD.test(url.pathname)) return { feeds: [feedAt(url, { head: url.href })] };
  if (LATEST.test(url.pathname)) return { feeds: [feedAt(url, { latest: url.href })] };
  return undefined;
}

/** Reads a URL whose name does not show what it is: a manifest, a head or a feed. Undefined if it is none of them. */
export async function serviceAt(question: ServiceQuestion, access: Access): Promise<Service | undefined> {
  const { given } = question;
  const document = await getIfThere(given.href, { maxBytes: MAX_RUN_BYTES }, access);
  if (document === undefined || document === 'unchanged') return undefined;
  const { text, url } = document;
  if (decodeHead(text).ok) return { feeds: [feedAt(given, { head: given.href })] };
  const manifest = decodeDiffDeltaDiscovery(text);
  if (manifest.ok) return await serviceOf(manifest.value, { base: url, ...question }, access);
  return decodeDiffDeltaFeed(text, url).ok ? { feeds: [feedAt(given, { latest: given.href })] } : undefined;
}

export interface ServiceQuestion {
  /** The URL that the user named. */
  readonly given: URL;
  /** The sources that the user wants; all by default. */
  readonly sources: readonly string[] | undefined;
}

/** What the manifest at this URL offers; undefined if there is none. */
export async function serviceOfManifest(
  url: string,
  question: ServiceQuestion,
  access: Access,
): Promise<Service | undefined> {
  const known = decodeManifest(await access.ports.remembered.memoryOf(url)) ?? {};
  const found = await manifestAt(url, known, access);
  if (found === undefined) return undefined;
  const { base, discovery } = found;
  const manifest = ensureDecoded(decodeDiffDeltaDiscovery(discovery.text), url, 'manifest');
  const list = await readListedSources({ manifest, base, known: known.list }, access);
  const service = await serviceOf(manifest, { base, list, ...question }, access);
  const now = { ...known, discovery, ...(list !== undefined && { list }) };
  const isNew = JSON.stringify(known) !== JSON.stringify(now);
  return { ...service, manifest: { entry: url, id: `${sourceIdOf(question.given)}_manifest`, known: now, isNew } };
}

interface FoundManifest {
  /** URLs in the manifest are relative to this. */
  readonly base: URL;
  readonly discovery: NonNullable<KnownManifest['discovery']>;
}

async function manifestAt(
  url: string,
  { discovery: kept }: KnownManifest,
  access: Access,
): Promise<FoundManifest | undefined> {
  const asked = { maxBytes: MAX_MANIFEST_BYTES, validators: kept?.validators };
  const document = await getIfThere(url, asked, access);
  if (document === undefined) return undefined;
  if (document === 'unchanged') {
    return { base: new URL(url), discovery: kept ?? { text: '', validators: {} } };
  }
  // URLs in the manifest are relative to where it was found, so a text from elsewhere is not kept.
  const validators = document.url.href === url ? document.validators : {};
  return { base: document.url, discovery: { text: document.text, validators } };
}

/** Uses only the templates (T-DD-21): a feed per source, or the feed of all if the sources are many or not listed. */
async function serviceOf(
  { endpoints, polling, sources_supported: supported = [] }: DecodedDiscovery,
  { base, list, given, sources }: ServiceQuestion & { readonly base: URL; readonly list?: KnownSourceList | undefined },
  { ports }: Access,
): Promise<Service> {
  const { diff_by_source_template: template, diff_head_by_source_template: headTemplate } = endpoints;
  const { diff_latest: latest, diff_head: head } = endpoints;
  const { recommended_ttl_sec: ttlSec } = polling;
  const ttl = ttlSec === undefined ? {} : { ttlMs: ttlSec * 1000 };
  const places = listedPlaces(list);
  const offered = reconciledSources(supported, list);
  const wanted = [...new Set(sources ?? offered)].filter((id) => !/^\.{0,2}$/.test(id));
  const asked = new Set(sources ?? supported);
  const singly = (): readonly ServiceFeed[] =>
    wanted.slice(0, MAX_ASKED).map((source) => {
      const named = { latest: filled(template ?? '', source), head: headTemplate && filled(headTemplate, source) };
      const other = places.get(source);
      const place = { ...placeOf(named, base), ...(other !== undefined && { other }) };
      const feed = serviceFeed(place, `${sourceIdOf(given)}_${idOf(source)}`);
      return asked.has(source) ? feed : { ...feed, isListedOnly: true as const };
    });
  if (sources !== undefined)
    reportUnlisted(wanted, [...offered, ...(list?.listed ?? []).map(({ id }) => id)], { base, ports });
  const canSingly = template !== undefined && wanted.length > 0;
  if (sources !== undefined || latest === undefined) {
    if (canSingly) return { feeds: singly(), ...ttl };
    throw new FeedUnreadableError(base.href, 'offers no feeds of single sources.');
  }
  const ofAll = () => [serviceFeed(placeOf({ latest, head }, base, { guessHead: false }), sourceIdOf(given))];
  if (!canSingly || wanted.length > MAX_ASKED) return { feeds: ofAll(), ...ttl };
  const [usual, other] = wanted.length <= MAX_SOURCES ? [singly, ofAll] : [ofAll, singly];
  // A service keeps the way it was read before: changing over would report every item again.
  const isOther = !(await isKnown(usual(), ports.remembered)) && (await isKnown(ifNamed(other), ports.remembered));
  return { feeds: isOther ? other() : usual(), ...ttl };
}

/** Warns only: unlisted sources are still requested, because a list need not be complete. */
function reportUnlisted(
  wanted: readonly string[],
  listed: readonly string[],
  { base, ports }: { readonly base: URL; readonly ports: Access['ports'] },
): void {
  const unlisted = listed.length === 0 ? [] : wanted.filter((id) => !listed.includes(id));
  if (unlisted.length === 0) return;
  const more = listed.length > MAX_SHOWN ? ` and ${listed.length - MAX_SHOWN} more` : '';
  const message = `${base.href} does not list ${shown(unlisted)}. It lists ${shown(listed)}${more}.`;
  warn(ports, 'source-status', message);
}

function shown(ids: readonly string[]): string {
  return ids
    .slice(0, MAX_SHOWN)
    .map((id) => JSON.stringify(id.slice(0, 100)))
    .join(', ');
}

async function isKnown(feeds: readonly ServiceFeed[], remembered: Remembered): Promise<boolean> {
  for (const { entry } of feeds) if ((await remembered.memoryOf(entry)) !== undefined) return true;
  return false;
}

/** Empty if the manifest names no web address for them. */
function ifNamed(feeds: () => readonly ServiceFeed[]): readonly ServiceFeed[] {
  try {
    return feeds();
  } catch (error) {
    if (error instanceof FeedUnreadableError) return [];
    throw error;
  }
}

function serviceFeed(place: FeedPlace, id: string): ServiceFeed {
  return { ...place, entry: place.head ?? place.latest ?? '', id };
}

/** If no head is named, one may be beside the feed. */
function placeOf(
  named: { readonly latest: string; readonly head: string | undefined },
  base: URL,
  { guessHead = true } = {},
): FeedPlace {
  const latest = webUrl(named.latest, base);
  const beside =
    guessHead && LATEST.test(new URL(latest).pathname) ? latest.replace(/latest\.json(?=$|\?)/, 'head.json') : latest;
  const head = named.head === undefined ? beside : webUrl(named.head, base);
  return head === latest ? { latest } : { head, latest };
}

function filled(template: string, source: string): string {
  return template.replaceAll('{source}', () => encodeURIComponent(source.toWellFormed()));
}

function webUrl(named: string, base: URL): string {
  const url = canParseUrl(named, base.href) ? new URL(named, base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new FeedUnreadableError(base.href, `names ${JSON.stringify(named.slice(0, 200))}, which is no web address.`);
  }
  url.hash = '';
  return url.href;
}

function feedAt(url: URL, place: FeedPlace): ServiceFeed {
  const source = url.pathname.split('/').at(-2) ?? '';
  const isNamed = source !== '' && source !== 'diff';
  return { ...place, entry: url.href, id: isNamed ? `${sourceIdOf(url)}_${idOf(source)}` : sourceIdOf(url) };
}

function idOf(source: string): string {
  const plain = source
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return plain.slice(0, 64) || 'source';
}

/** Undefined if there is nothing, or something that cannot be a DiffDelta document. */
async function getIfThere(url: string, question: DocumentQuestion, access: Access) {
  try {
    return await getDocument(url, question, access);
  } catch (error) {
    const isNone = error instanceof FeedUnreadableError && (error.status === 404 || error.status === 410);
    if (isNone || error instanceof BodyTooLargeError || error instanceof BodyEncodingError) return undefined;
    throw error;
  }
}
