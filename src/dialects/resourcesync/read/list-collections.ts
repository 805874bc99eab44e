import { LIMIT } from '../../../codecs/resourcesync/issue.ts';
import { hrefOf, WELL_KNOWN_PATH } from '../../../codecs/resourcesync/wire.ts';
import { HarvestError } from '../../../errors/harvest-error.ts';
import { collectionKey } from './change-key.ts';
import { hasLost, lostError } from './lost-entry.ts';
import type { Notes } from './notes.ts';
import { type DocumentPorts, openDocument } from './open-document.ts';
import { type Fail, orFail } from './or-fail.ts';

/** A Capability List that a Source Description names. */
export interface ListedCollection {
  readonly capabilityList: string;
  /** As the Source Description states it. */
  readonly describes?: string;
  readonly describedBy?: string;
  /** The metadata link of the whole site. */
  readonly siteDescribedBy?: string;
}

const MAX_COLLECTIONS = 10_000;

interface Remarks {
  readonly fail: Fail;
  /** Remarks on documents that belong to no collection. */
  readonly notes: Notes;
  /** The only requested collection, by what it describes. It is found however many others there are. */
  readonly collection?: string | undefined;
}

interface DescriptionReading extends DocumentPorts, Remarks {
  /** The collections found so far, by address. */
  readonly listed: Map<string, ListedCollection>;
}

/** The places where a Source Description may be, in search order (RS-G1). */
export function descriptionPlaces(url: URL, description: URL | undefined): readonly string[] {
  if (description !== undefined) return [description.href];
  if (url.pathname.endsWith(WELL_KNOWN_PATH)) return [new URL(url.pathname, url).href];
  const folder = url.pathname.replace(/[^/]*$/, '').replace(/\/+$/, '');
  const places = [folder, url.pathname.replace(/\/+$/, '')].map((path) => `${url.origin}${path}${WELL_KNOWN_PATH}`);
  return [...new Set([`${url.origin}${WELL_KNOWN_PATH}`, ...places.reverse()])];
}

/** The Capability Lists that the Source Description, or any of those in its index, names. */
export async function listCollections(
  places: readonly string[],
  ports: DocumentPorts,
  remarks: Remarks,
): Promise<ListedCollection[]> {
  const reading: DescriptionReading = { ...ports, ...remarks, listed: new Map() };
  const first = await readFirst(places, reading);
  for (const url of first) {
    await orFail(remarks.fail, { url }, async () => {
      const parts = await readDescription(url, false, reading);
      if (parts.length > 0) throw new Error('A document that is no index lists no documents.');
    });
  }
  return [...reading.listed.values()];
}

/** Tries one place after another until there is a document. Returns the documents that an index names. */
async function readFirst(places: readonly string[], reading: DescriptionReading): Promise<readonly string[]> {
  const [place, ...others] = places;
  if (place === undefined) return [];
  try {
    return await readDescription(place, undefined, reading);
  } catch (error) {
    const isAbsent = error instanceof HarvestError && /^HTTP-(?:404|410)$/.test(error.code);
    if (!isAbsent || others.length === 0) throw error;
    return await readFirst(others, reading);
  }
}

async function readDescription(
  url: string,
  isIndex: false | undefined,
  reading: DescriptionReading,
): Promise<readonly string[]> {
  const { listed, notes, fail } = reading;
  const expected = { capability: 'description', ...(isIndex === false && { isIndex }) } as const;
  const opened = await openDocument(url, expected, reading);
  if (opened.is !== 'open') throw new Error('Nothing was known of this document.');
  const inside = new Set<string>();
  const found = new Map<string, ListedCollection>();
  let isAnIndex = false;
  let isWhole = true;
  let siteDescribedBy: string | undefined;
  for await (const part of opened.parts) {
    if (part.kind === 'document') {
      isAnIndex = part.document.isIndex;
      siteDescribedBy = hrefOf(part.document, 'describedby');
    } else if (part.kind === 'problem') {
      const { problem } = part;
      const isLost = hasLost(problem, isAnIndex ? undefined : 'capabilitylist');
      if (isLost) fail({ is: 'failed', url, error: lostError(url, problem) });
      // A missing `describes` is reported with the Capability List, which may state it.
      else if (problem.clause !== 'RS-S5') notes.addProblem(url, problem);
      isWhole &&= !isLost;
    } else {
      const { entry } = part;
      const describes = hrefOf(entry, 'describes');
      const describedBy = hrefOf(entry, 'describedby');
      const isFull = inside.size + found.size + listed.size >= MAX_COLLECTIONS;
      if (isFull && (isAnIndex || reading.collection === undefined)) {
        const remedy = 'Name the one that you want with --collection.';
        throw new HarvestError(url, LIMIT, `It lists more than ${MAX_COLLECTIONS} documents. ${remedy}`);
      }
      if (isAnIndex) inside.add(entry.loc);
      else if (!isFull || describesIt({ describes }, reading.collection)) {
        found.set(entry.loc, {
          capabilityList: entry.loc,
          ...(describes !== undefined && { describes }),
          ...(describedBy !== undefined && { describedBy }),
          ...(siteDescribedBy !== undefined && { siteDescribedBy }),
        });
      }
    }
  }
  if (isWhole && inside.size + found.size === 0) notes.add(url, 'It names no collection.');
  for (const [loc, collection] of found) if (!listed.has(loc)) listed.set(loc, collection);
  return [...inside];
}

export function describesIt(
  { describes }: { describes?: string | undefined },
  collection: string | undefined,
): boolean {
  if (describes === undefined || collection === undefined) return false;
  return collectionKey(describes) === collectionKey(collection);
}
