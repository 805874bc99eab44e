import { type DiffDeltaCheck, openDiffDeltaCheck } from '../codecs/diffdelta/check.ts';
import { isRecord } from '../codecs/diffdelta/read-object.ts';
import { fieldsOf, isFound, type SeenDiscovery } from '../codecs/diffdelta/seen.ts';
import { DISCOVERY_PATH } from '../codecs/diffdelta/wire.ts';
import type { CheckOutcome } from '../codecs/primitives/ledger.ts';
import type { SeenDocument } from '../codecs/primitives/seen-document.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { type DiffDeltaPlaces, type DiffDeltaTarget, placesOf, sourcesIn, targetOf } from './diffdelta-places.ts';
import { createDiffDeltaReader, type DiffDeltaReader, FEED_BYTES, SMALL_BYTES } from './diffdelta-reader.ts';
import { gatherSource } from './gather-diffdelta-source.ts';
import type { DocumentSource } from './read-document.ts';

const MAX_SOURCES = 20;
/** What a thorough look at one source may take, and what a short one does. */
const THOROUGH_REQUESTS = 14;
const SHORT_REQUESTS = 4;

export interface GatheredDiffDelta {
  readonly outcome: CheckOutcome;
  /** What was not looked at. */
  readonly notes: readonly string[];
}

/**
 * Reads a service piece by piece, and holds each piece against the clauses before the next one is read. Throws when the
 * server cannot answer now, or when a folder holds no DiffDelta.
 */
export async function checkDiffDelta(
  source: Pick<DocumentSource, 'name' | 'live' | 'read'>,
  url?: URL,
): Promise<GatheredDiffDelta> {
  const reader = createDiffDeltaReader(source);
  const target = targetOf(url);
  const check = openDiffDeltaCheck(source.live);
  const { discovery, base } = await readDiscovery(reader, target);
  check.discovery(discovery);

  const places = placesOf(discovery.document, base, new URL(target.root.pathname, base));
  const named = target.source;
  const ids = named === undefined ? await checkAll(reader, places, { check, discovery }) : [named];
  const notes = await checkSources(reader, places, ids, check);
  return { outcome: check.close(), notes };
}

interface Beginning {
  readonly check: DiffDeltaCheck;
  readonly discovery: SeenDiscovery;
}

/** The feed of all sources, and what belongs to none. Returns the ids of the sources. */
async function checkAll(
  reader: DiffDeltaReader,
  places: DiffDeltaPlaces,
  { check, discovery }: Beginning,
): Promise<readonly string[]> {
  const { globalUrl, globalHeadUrl, listed } = places;
  const root = new URL('..', globalUrl);
  const global = await gatherSource(reader, {
    id: undefined,
    headUrl: globalHeadUrl,
    latestUrl: globalUrl,
    root,
    isThorough: true,
  });
  if (!reader.isLive && !isFound(discovery.document) && !isFound(global.latest)) {
    throw new UnreadableTargetError(
      reader.name,
      `it holds no DiffDelta: neither ${DISCOVERY_PATH.slice(1)} nor diff/latest.json`,
      'fix-input',
    );
  }
  check.global(global, listed);
  const schema = await reader.read(places.schemaUrl, { maxBodyBytes: SMALL_BYTES });
  check.schema(schema);
  return listed.length > 0 ? listed : sourcesIn(global.latest);
}

async function checkSources(
  reader: DiffDeltaReader,
  places: DiffDeltaPlaces,
  ids: readonly string[],
  check: DiffDeltaCheck,
): Promise<string[]> {
  const root = new URL('..', places.globalUrl);
  const chosen = ids.slice(0, MAX_SOURCES);
  const short: string[] = [];
  for (const [at, id] of chosen.entries()) {
    const left = reader.requestsLeft ?? Number.POSITIVE_INFINITY;
    if (left < SHORT_REQUESTS) {
      return [
        ...notesOf(short),
        `${ids.length - at} of ${ids.length} sources were left out: the server allows no more requests now.`,
      ];
    }
    const isThorough = left >= THOROUGH_REQUESTS + SHORT_REQUESTS * (chosen.length - at - 1);
    if (!isThorough) short.push(id);
    const headUrl = places.headUrl(id);
    const seen = await gatherSource(reader, { id, headUrl, latestUrl: places.latestUrl(id), root, isThorough });
    check.source(seen);
  }
  const omitted = ids.length - chosen.length;
  return [
    ...notesOf(short),
    ...(omitted === 0 ? [] : [`${omitted} of ${ids.length} sources were left out: at most ${MAX_SOURCES} are read.`]),
  ];
}

function notesOf(short: readonly string[]): string[] {
  if (short.length === 0) return [];
  return [
    `Of ${short.length} sources neither 304 nor earlier archives were tried: the server allows no more requests now.`,
  ];
}

/** What was named itself counts; else a manifest below the root comes before that of the host. */
async function readDiscovery(
  reader: DiffDeltaReader,
  { root, manifest }: DiffDeltaTarget,
): Promise<{ readonly discovery: SeenDiscovery; readonly base: URL }> {
  const right = new URL(DISCOVERY_PATH, root);
  const below = manifest ?? new URL(DISCOVERY_PATH.slice(1), root);
  const atRoot = await readManifest(reader, right);
  if (below.href === right.href) return { discovery: { document: atRoot }, base: baseOf(atRoot, right) };
  const other = await readManifest(reader, below);
  if (manifest === undefined && !isManifest(other))
    return { discovery: { document: atRoot }, base: baseOf(atRoot, right) };
  const missingAt = isFound(atRoot) ? {} : { missingAt: atRoot.where };
  return { discovery: { document: other, ...missingAt }, base: baseOf(other, below) };
}

async function readManifest(reader: DiffDeltaReader, url: URL): Promise<SeenDocument> {
  const document = await reader.read(url, { maxBodyBytes: FEED_BYTES });
  if (document.kind === 'answered') return document;
  throw new UnreadableTargetError(reader.name, document.failure, 'fix-input');
}

function isManifest(document: SeenDocument): boolean {
  return isRecord(fieldsOf(document)?.endpoints);
}

function baseOf(document: SeenDocument, asked: URL): URL {
  return document.kind === 'answered' && document.servedBy !== undefined ? new URL(document.servedBy) : asked;
}
