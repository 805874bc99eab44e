import { isSameCursor } from '../../../codecs/diffdelta/check-stop.ts';
import { isCursor } from '../../../codecs/diffdelta/cursor.ts';
import {
  type FeedFacts,
  feedFactsOf,
  type SeenLink,
  type SeenSource,
  sharingBytes,
} from '../../../codecs/diffdelta/seen.ts';
import { isFound, type SeenDocument } from '../../../codecs/primitives/seen-document.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import { resolved } from './diffdelta-places.ts';
import { type DiffDeltaReader, SMALL_BYTES } from './diffdelta-reader.ts';

const MAX_LINKS = 5;
/** 410 Gone (RFC 9110 §15.5.11): removed on purpose. */
const ENDED = 410;

export interface SourceToGather {
  /** Undefined for the feed of all sources. */
  readonly id: string | undefined;
  readonly headUrl: URL;
  /** The URL of its feed according to the manifest. */
  readonly latestUrl: URL;
  /** The root of the archives if no feed states their URL. */
  readonly root: URL;
  /** Whether to also request documents twice and to walk back through archives. */
  readonly isThorough: boolean;
}

export interface GatheredSource {
  readonly seen: SeenSource;
  /** Why the rest of it could not be read now. */
  readonly stopped?: UnreadableTargetError;
}

/** Grows with each answer, so that everything seen before a server fails is kept. */
interface Gathering extends Mutable<SeenSource> {
  readonly chain: SeenLink[];
  readonly strangers: Record<string, string>;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Reads the head, feed and archives of one source. Other origins are not asked, as a client would not either (T-DD-23). Archives
 * before the last one are passed to `onArchive` and not kept.
 */
export async function gatherSource(
  reader: DiffDeltaReader,
  source: SourceToGather,
  onArchive: (archive: SeenDocument) => void,
): Promise<GatheredSource> {
  const seen: Gathering = { id: source.id, chain: [], strangers: {} };
  try {
    await gather(reader, source, { seen, onArchive });
    return { seen };
  } catch (error) {
    if (!(error instanceof UnreadableTargetError) || error.recovery !== 'retry-later') throw error;
    return { seen, stopped: error };
  }
}

interface Gatherer {
  readonly seen: Gathering;
  readonly onArchive: (archive: SeenDocument) => void;
}

async function gather(reader: DiffDeltaReader, source: SourceToGather, { seen, onArchive }: Gatherer): Promise<void> {
  const { headUrl, latestUrl, isThorough } = source;
  const follow: Follow = (field, value, base) => {
    const url = resolved(value, base);
    if (url === undefined || url.origin === base.origin) return url;
    seen.strangers[field] = url.href;
    return undefined;
  };

  const head = await reader.read(headUrl, { maxBodyBytes: SMALL_BYTES });
  seen.head = head;
  const lead = feedFactsOf(head)?.latestUrl;
  const ledTo = lead === undefined ? latestUrl : follow('latest_url', lead, headUrl);
  const latest = ledTo === undefined ? undefined : await reader.read(ledTo);
  const facts = feedFactsOf(latest);
  // A new run may have come between the two requests.
  if (facts !== undefined && isFound(head) && !isSameCursor(feedFactsOf(head)?.cursor, facts.cursor))
    seen.head = await reader.read(headUrl, { maxBodyBytes: SMALL_BYTES });
  if (latest !== undefined) seen.latest = latest;

  const archiveUrl = facts === undefined || ledTo === undefined ? undefined : archiveOf(facts, source, ledTo, follow);
  if (archiveUrl !== undefined) {
    seen.archive = sharingBytes(await reader.read(archiveUrl), latest);
    seen.archivePath = archiveUrl.pathname;
  }
  if (!isThorough) return;
  if (reader.isLive) await askAgain(reader, seen, { headUrl, ledTo, archiveUrl });
  if (ledTo !== undefined && ledTo.href !== latestUrl.href) seen.byTemplate = await reader.read(latestUrl);
  const start = feedFactsOf(seen.archive) ?? (facts?.changed === true ? facts : undefined);
  await walkBack(reader, { facts: start, url: archiveUrl ?? ledTo ?? latestUrl, follow }, { seen, onArchive });
}

type Follow = (field: string, value: string | undefined, base: URL) => URL | undefined;

/** The URL in the feed. Without one, and if something changed, the URL of §1.3. */
function archiveOf(facts: FeedFacts, { id, root }: SourceToGather, latestUrl: URL, follow: Follow): URL | undefined {
  if (facts.archiveUrl !== undefined) return follow('archive_url', facts.archiveUrl, latestUrl);
  const { cursor, generatedAt, changed } = facts;
  const ms = typeof generatedAt === 'string' ? parseTime(generatedAt) : undefined;
  if (id === undefined || changed !== true || ms === undefined) return undefined;
  if (cursor === null || !isCursor(cursor)) return undefined;
  const stamp = new Date(ms).toISOString().slice(0, 19);
  const path = `archive/${encodeURIComponent(id)}/${stamp.slice(0, 10).replaceAll('-', '/')}/`;
  return new URL(`${path}${stamp.replace(/[-:]/g, '')}Z_${cursor.slice(7, 19)}.json`, root);
}

interface FirstUrls {
  readonly headUrl: URL;
  readonly ledTo: URL | undefined;
  readonly archiveUrl: URL | undefined;
}

async function askAgain(
  reader: DiffDeltaReader,
  seen: Gathering,
  { headUrl, ledTo, archiveUrl }: FirstUrls,
): Promise<void> {
  const etagOf = (document: SeenDocument | undefined) => (isFound(document) ? document.headers?.etag : undefined);
  const [ofHead, ofLatest] = [etagOf(seen.head), etagOf(seen.latest)];
  if (ofHead !== undefined) seen.headAgain = await reader.read(headUrl, { etag: ofHead });
  if (ofLatest !== undefined && ledTo !== undefined) seen.latestAgain = await reader.read(ledTo, { etag: ofLatest });
  if (!isFound(seen.archive) || archiveUrl === undefined) return;
  seen.archiveAgain = sharingBytes(await reader.read(archiveUrl), seen.archive);
}

interface WayBack {
  readonly facts: FeedFacts | undefined;
  readonly url: URL;
  readonly follow: Follow;
}

/** Reads a few of the archives before that one. */
async function walkBack(
  reader: DiffDeltaReader,
  { follow, ...start }: WayBack,
  { seen: { chain }, onArchive }: Gatherer,
): Promise<void> {
  const visited = new Set([start.url.href]);
  let [facts, base] = [start.facts, start.url];
  while (chain.length < MAX_LINKS) {
    const url = follow('prev_archive_url', facts?.prevArchiveUrl, base);
    if (url === undefined) return;
    const path = url.pathname;
    if (visited.has(url.href)) {
      chain.push({ where: url.href, path, isLoop: true });
      return;
    }
    visited.add(url.href);
    const document = await reader.read(url);
    // A publisher that keeps archives only for a time answers 410. A lost archive answers 404.
    if (document.kind === 'answered' && document.status === ENDED) return;
    const { where } = document;
    facts = feedFactsOf(document);
    if (facts === undefined) {
      chain.push({ where, path, failure: failureOf(document) });
      return;
    }
    onArchive(document);
    chain.push({ where, path, facts });
    base = url;
  }
}

function failureOf(document: SeenDocument): string {
  if (document.kind === 'unread') return document.failure;
  return document.status === 200 ? 'It is no JSON object.' : `The answer has status ${document.status}.`;
}
