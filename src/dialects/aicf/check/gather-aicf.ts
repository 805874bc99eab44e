import { pointersOf } from '../../../codecs/aicf/check-discovery.ts';
import { decodeEvents } from '../../../codecs/aicf/decode.ts';
import type { AicfSeen } from '../../../codecs/aicf/seen.ts';
import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import {
  type AnsweredDocument,
  documentText,
  isFound,
  type SeenDocument,
} from '../../../codecs/primitives/seen-document.ts';
import { withoutFragment } from '../../../codecs/primitives/without-fragment.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import { answerOf, type DocumentSource } from '../../document-source.ts';
import { type AicfPlaces, aicfPlaces } from './aicf-places.ts';

const MAX_TARGETS = 5;
/** The newest archives; each may be as large as a feed. */
const MAX_ARCHIVES = 8;

export interface GatheredAicf {
  readonly seen: AicfSeen;
  /** Set if the named feed has no discovery document: why the clauses about one do not apply. */
  readonly withoutDiscovery?: string;
}

/** Reads everything of a site that AICF clauses apply to. Throws only if not even its discovery document can be requested. */
export async function gatherAicf(source: DocumentSource): Promise<GatheredAicf> {
  const places = aicfPlaces(source);
  const { discovery, missingAt, ofAnother } = await readDiscovery(source, places);
  const found = discovery.status === 200 && !ofAnother;
  const pointers = found ? pointersOf(discovery) : undefined;
  const address = namedFeedOf(places) ?? (found ? pointers?.self : places.feedAddress);
  const feed = address === undefined ? undefined : await source.read(address);
  if (feed?.kind === 'answered') answerOf(source, feed);
  if (!found && !source.live && !isFound(feed)) {
    throw new UnreadableTargetError(source.name, 'it holds neither a discovery document nor a feed', 'fix-input');
  }

  const archives: SeenDocument[] = [];
  for (const archive of pointers?.archives.slice(-MAX_ARCHIVES) ?? []) archives.push(await source.read(archive));
  const seen = {
    discovery,
    ...(missingAt !== undefined && { discoveryMissingAt: missingAt }),
    ...(feed !== undefined && { feed }),
    ...(source.live && isFound(feed) && (await readLive(source, feed))),
    archives,
  };
  if (!ofAnother) return { seen };
  const withoutDiscovery = `The feed was named itself, and ${discovery.where} is about another one.`;
  return { seen, withoutDiscovery };
}

interface Discovery {
  readonly discovery: AnsweredDocument;
  /** The place where it is missing. */
  readonly missingAt?: string;
  /** It exists, but describes another feed than the named one. */
  readonly ofAnother?: boolean;
}

async function readDiscovery(source: DocumentSource, places: AicfPlaces): Promise<Discovery> {
  const [rightPath = '/', ...otherPaths] = places.discoveryPaths;
  const right = answerOf(source, await source.read(rightPath));
  const isThere = right.status === 200;
  const feed = namedFeedOf(places);
  if (isThere && (otherPaths.length === 0 || (feed !== undefined && isAbout(right, feed)))) return { discovery: right };
  for (const path of otherPaths) {
    const other = await source.read(path);
    if (places.named?.is === 'discovery') return { discovery: answerOf(source, other), ...missing(right) };
    if (isFound(other) && isMeant(other, isThere, feed)) return { discovery: other, ...missing(right) };
  }
  return { discovery: right, ofAnother: isThere && feed !== undefined };
}

function missing({ status, where }: AnsweredDocument): { readonly missingAt?: string } {
  return status === 200 ? {} : { missingAt: where };
}

/** A document below the root takes precedence, unless the server answers every path. */
function isMeant(other: AnsweredDocument, isRootThere: boolean, feed: string | undefined): boolean {
  if (feed !== undefined) return isAbout(other, feed);
  return !isRootThere || pointersOf(other).self !== undefined;
}

function isAbout(discovery: AnsweredDocument, feed: string): boolean {
  const { self } = pointersOf(discovery);
  return self !== undefined && canParseUrl(self) && new URL(self).href === feed;
}

function namedFeedOf({ named }: AicfPlaces): string | undefined {
  return named?.is === 'feed' ? named.address : undefined;
}

async function readLive(source: DocumentSource, feed: AnsweredDocument): Promise<Partial<AicfSeen>> {
  const { etag, 'last-modified': lastModified } = feed.headers ?? {};
  const headers = {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(etag === undefined && lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
  const feedAgain = await source.read(feed.where, { headers });
  const targets: SeenDocument[] = [];
  for (const url of livePages(feed)) targets.push(await source.read(url, { headersOnly: true }));
  return { feedAgain, targets };
}

/** The pages of the newest events, without deleted ones. */
function livePages(feed: AnsweredDocument): string[] {
  const pages = new Map<string, boolean>();
  for (const { url, action, anchor } of decodeEvents(documentText(feed).text).events.reverse()) {
    const page = withoutFragment(url);
    if (!pages.has(page)) pages.set(page, action !== 'delete' || anchor !== undefined);
  }
  return [...pages]
    .filter(([, alive]) => alive)
    .map(([page]) => page)
    .slice(0, MAX_TARGETS);
}
