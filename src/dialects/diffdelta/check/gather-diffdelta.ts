import { type DiffDeltaCheck, openDiffDeltaCheck } from '../../../codecs/diffdelta/check.ts';
import { valueInMessage } from '../../../codecs/diffdelta/read-object.ts';
import { jsonFieldsOf, type SeenDiscovery } from '../../../codecs/diffdelta/seen.ts';
import { DIFFDELTA_DISCOVERY_PATH } from '../../../codecs/diffdelta/wire.ts';
import { isRecord } from '../../../codecs/primitives/json-record.ts';
import { isFound, type SeenDocument } from '../../../codecs/primitives/seen-document.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import type { Checked } from '../../checker.ts';
import { type CheckedPlaces, type DiffDeltaTarget, diffDeltaTarget, placesOf, sourcesIn } from './diffdelta-places.ts';
import {
  type CheckedSource,
  createDiffDeltaReader,
  type DiffDeltaReader,
  type DiffDeltaReaderParts,
  FEED_BYTES,
  SMALL_BYTES,
} from './diffdelta-reader.ts';
import { gatherSource } from './gather-diffdelta-source.ts';

const MAX_SOURCES = 20;
/** The requests that a thorough and a short look at one source may take. */
const THOROUGH_REQUESTS = 14;
const SHORT_REQUESTS = 4;

/**
 * Reads a service piece by piece, and checks each piece against the clauses before it reads the next. Throws if even the manifest
 * cannot be requested now, or if a folder holds no DiffDelta.
 */
export async function checkDiffDelta(source: CheckedSource, parts: DiffDeltaReaderParts): Promise<Checked> {
  const reader = createDiffDeltaReader(source, parts);
  const target = diffDeltaTarget(source.url);
  const check = openDiffDeltaCheck(reader);
  const { discovery, base } = await readDiscovery(reader, target);
  check.discovery(discovery);

  const places = placesOf(discovery.document, base, new URL(target.root.pathname, base));
  const checking = { reader, places, check, unread: [] };
  const ids = target.source === undefined ? await checkAll(checking, discovery) : [target.source];
  const notes = await checkSources(checking, ids);
  return { ...check.close(), notes, unread: checking.unread };
}

interface Checking {
  readonly reader: DiffDeltaReader;
  readonly places: CheckedPlaces;
  readonly check: DiffDeltaCheck;
  readonly unread: string[];
}

/** Checks the feed of all sources, and what belongs to no source. Returns the ids of the sources. */
async function checkAll(
  { reader, places, check, unread }: Checking,
  discovery: SeenDiscovery,
): Promise<readonly string[]> {
  const { globalUrl, globalHeadUrl, listed } = places;
  const wanted = {
    id: undefined,
    headUrl: globalHeadUrl,
    latestUrl: globalUrl,
    root: new URL('..', globalUrl),
    isThorough: true,
  };
  const { seen, stopped } = await gatherSource(reader, wanted, (archive) => check.archive(archive, undefined));
  if (!reader.isLive && !isFound(discovery.document) && !isFound(seen.latest)) {
    throw new UnreadableTargetError(
      reader.name,
      `it holds no DiffDelta: neither ${DIFFDELTA_DISCOVERY_PATH.slice(1)} nor diff/latest.json`,
      'fix-input',
    );
  }
  check.global(seen, listed);
  if (stopped !== undefined) unread.push(`the feed of all sources: ${stopped.reason}`);
  const ids = listed.length > 0 ? listed : sourcesIn(seen.latest);
  if (!reader.isAnswering) return ids;
  try {
    check.schema(await reader.read(places.schemaUrl, { maxBodyBytes: SMALL_BYTES }));
  } catch (error) {
    if (!(error instanceof UnreadableTargetError) || error.recovery !== 'retry-later') throw error;
    unread.push(`the schema: ${error.reason}`);
  }
  return ids;
}

async function checkSources({ reader, places, check, unread }: Checking, ids: readonly string[]) {
  const root = new URL('..', places.globalUrl);
  const chosen = ids.slice(0, MAX_SOURCES);
  const limit = reader.hasKey ? '' : ' A key (TIDINGS_DIFFDELTA_KEY) may be allowed more.';
  const short: string[] = [];
  for (const [at, id] of chosen.entries()) {
    if (!reader.isAnswering) {
      unread.push(`${chosen.length - at} of ${ids.length} sources`);
      return notesOf(short, limit);
    }
    const left = reader.requestsLeft ?? Number.POSITIVE_INFINITY;
    if (left < SHORT_REQUESTS) {
      return [
        ...notesOf(short, limit),
        `${ids.length - at} of ${ids.length} sources were left out: the server allows no more requests now.${limit}`,
      ];
    }
    const isThorough = left >= THOROUGH_REQUESTS + SHORT_REQUESTS * (chosen.length - at - 1);
    if (!isThorough) short.push(id);
    const wanted = { id, headUrl: places.headUrl(id), latestUrl: places.latestUrl(id), root, isThorough };
    const { seen, stopped } = await gatherSource(reader, wanted, (archive) => check.archive(archive, id));
    check.source(seen);
    if (stopped !== undefined) unread.push(`the source ${valueInMessage(id)}: ${stopped.reason}`);
  }
  const omitted = ids.length - chosen.length;
  return [
    ...notesOf(short, limit),
    ...(omitted === 0 ? [] : [`${omitted} of ${ids.length} sources were left out: at most ${MAX_SOURCES} are read.`]),
  ];
}

function notesOf(short: readonly string[], limit: string): string[] {
  if (short.length === 0) return [];
  return [
    `Of ${short.length} sources neither 304 nor earlier archives were tried: the server allows no more requests now.${limit}`,
  ];
}

/** A manifest that was named itself counts. Otherwise a manifest below the root comes before that of the host. */
async function readDiscovery(
  reader: DiffDeltaReader,
  { root, manifest }: DiffDeltaTarget,
): Promise<{ readonly discovery: SeenDiscovery; readonly base: URL }> {
  const right = new URL(DIFFDELTA_DISCOVERY_PATH, root);
  const below = manifest ?? new URL(DIFFDELTA_DISCOVERY_PATH.slice(1), root);
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
  return isRecord(jsonFieldsOf(document)?.endpoints);
}

function baseOf(document: SeenDocument, asked: URL): URL {
  return document.kind === 'answered' && document.servedBy !== undefined ? new URL(document.servedBy) : asked;
}
