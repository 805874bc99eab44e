import { isSameCursor } from '../codecs/diffdelta/check-stop.ts';
import { isCursor } from '../codecs/diffdelta/cursor.ts';
import {
  type FeedFacts,
  factsOf,
  isFound,
  type SeenLink,
  type SeenSource,
  sharingBytes,
} from '../codecs/diffdelta/seen.ts';
import type { SeenDocument } from '../codecs/primitives/seen-document.ts';
import { parseTime } from '../codecs/primitives/time.ts';
import { resolved } from './diffdelta-places.ts';
import { type DiffDeltaReader, SMALL_BYTES } from './diffdelta-reader.ts';

const MAX_LINKS = 5;

export interface SourceToGather {
  /** Undefined for the feed of all sources. */
  readonly id: string | undefined;
  readonly headUrl: URL;
  /** Where the manifest says that its feed is. */
  readonly latestUrl: URL;
  /** Where archives are when no feed says it. */
  readonly root: URL;
  /** Whether to ask twice and to walk back, too. */
  readonly isThorough: boolean;
}

/** Head, feed and archives of one source. Other origins are not asked: a client would not either (T-DD-23). */
export async function gatherSource(reader: DiffDeltaReader, source: SourceToGather): Promise<SeenSource> {
  const { id, headUrl, latestUrl, isThorough } = source;
  const strangers: Record<string, string> = {};
  const follow = (field: string, value: string | undefined, base: URL): URL | undefined => {
    const url = resolved(value, base);
    if (url === undefined || url.origin === base.origin) return url;
    strangers[field] = url.href;
    return undefined;
  };

  let head = await reader.read(headUrl, { maxBodyBytes: SMALL_BYTES });
  const lead = factsOf(head)?.latestUrl;
  const ledTo = lead === undefined ? latestUrl : follow('latest_url', lead, headUrl);
  const latest = ledTo === undefined ? undefined : await reader.read(ledTo);
  const facts = factsOf(latest);
  // A run may have come between the two.
  if (facts !== undefined && isFound(head) && !isSameCursor(factsOf(head)?.cursor, facts.cursor))
    head = await reader.read(headUrl, { maxBodyBytes: SMALL_BYTES });

  const archiveUrl = facts === undefined || ledTo === undefined ? undefined : archiveOf(facts, source, ledTo, follow);
  const archive = archiveUrl === undefined ? undefined : sharingBytes(await reader.read(archiveUrl), latest);
  const start = factsOf(archive) ?? (facts?.changed === true ? facts : undefined);
  const base = archiveUrl ?? ledTo ?? latestUrl;
  return {
    id,
    head,
    ...(latest !== undefined && { latest }),
    ...(archive !== undefined && { archive }),
    ...(archiveUrl !== undefined && { archivePath: archiveUrl.pathname }),
    ...(isThorough && reader.isLive && (await askAgain(reader, { head, latest, archive, archiveUrl, headUrl, ledTo }))),
    ...(isThorough &&
      ledTo !== undefined &&
      ledTo.href !== latestUrl.href && { byTemplate: await reader.read(latestUrl) }),
    chain: isThorough ? await walkBack(reader, start, base, follow) : [],
    strangers,
  };
}

type Follow = (field: string, value: string | undefined, base: URL) => URL | undefined;

/** As the feed says; where it does not, and something changed, where §1.3 puts it. */
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

interface FirstAnswers {
  readonly head: SeenDocument;
  readonly headUrl: URL;
  readonly latest: SeenDocument | undefined;
  readonly ledTo: URL | undefined;
  readonly archive: SeenDocument | undefined;
  readonly archiveUrl: URL | undefined;
}

async function askAgain(reader: DiffDeltaReader, first: FirstAnswers): Promise<Partial<SeenSource>> {
  const again = async (document: SeenDocument | undefined, url: URL | undefined) => {
    const etag = isFound(document) ? document.headers?.etag : undefined;
    return etag === undefined || url === undefined ? undefined : await reader.read(url, { etag });
  };
  const headAgain = await again(first.head, first.headUrl);
  const latestAgain = await again(first.latest, first.ledTo);
  const archiveAgain =
    isFound(first.archive) && first.archiveUrl !== undefined
      ? sharingBytes(await reader.read(first.archiveUrl), first.archive)
      : undefined;
  return {
    ...(headAgain !== undefined && { headAgain }),
    ...(latestAgain !== undefined && { latestAgain }),
    ...(archiveAgain !== undefined && { archiveAgain }),
  };
}

/** The archives before `start`, a few of them; their texts are let go. */
async function walkBack(
  reader: DiffDeltaReader,
  start: FeedFacts | undefined,
  startUrl: URL,
  follow: Follow,
): Promise<SeenLink[]> {
  const links: SeenLink[] = [];
  const visited = new Set([startUrl.href]);
  let [facts, base] = [start, startUrl];
  while (links.length < MAX_LINKS) {
    const url = follow('prev_archive_url', facts?.prevArchiveUrl, base);
    if (url === undefined) return links;
    if (visited.has(url.href)) return [...links, { where: url.href, path: url.pathname, isLoop: true }];
    visited.add(url.href);
    const document = await reader.read(url);
    facts = factsOf(document);
    const { where } = document;
    if (facts === undefined) return [...links, { where, path: url.pathname, failure: failureOf(document) }];
    links.push({ where, path: url.pathname, facts });
    base = url;
  }
  return links;
}

function failureOf(document: SeenDocument): string {
  if (document.kind === 'unread') return document.failure;
  return document.status === 200 ? 'It is no JSON object.' : `The answer has status ${document.status}.`;
}
