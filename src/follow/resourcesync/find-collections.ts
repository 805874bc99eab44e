import { oneLine } from '../../codecs/primitives/one-line.ts';
import { LIMIT } from '../../codecs/resourcesync/issue.ts';
import { hrefOf, WELL_KNOWN_PATH } from '../../codecs/resourcesync/wire.ts';
import { HarvestError } from '../../errors/harvest-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { collectionKey } from './change-key.ts';
import type { CollectionFailure, Fault } from './harvested.ts';
import { Notes } from './notes.ts';
import { type DocumentPorts, openDocument } from './open-document.ts';

/** A Capability List that a Source Description names. */
export interface ListedCollection {
  readonly capabilityList: string;
  /** As the Source Description says it. */
  readonly describes?: string;
  readonly describedBy?: string;
  /** Of the whole site. */
  readonly siteDescribedBy?: string;
}

/** What the Capability Lists of one collection say. Nearly always there is one. */
export interface FoundCollection {
  /** The URL that it describes, normalized: what a Capability List writes is shown to people, and ids are made of it. */
  readonly describes: string;
  readonly capabilityList: string;
  readonly changeLists: string[];
  readonly describedBy?: string;
  readonly siteDescribedBy?: string;
  readonly notes: Notes;
  readonly faults: Fault[];
}

const MAX_COLLECTIONS = 10_000;
const MAX_CHANGE_LISTS = 100;
const MAX_DESCRIBES = 4096;

type Fail = (failure: CollectionFailure) => void;

interface Remarks {
  readonly fail: Fail;
  /** On documents that are of no collection. */
  readonly notes: Notes;
  /** The only collection that is wanted, by what it describes. However many others there are, it is found. */
  readonly collection?: string | undefined;
}

interface DescriptionReading extends DocumentPorts {
  /** What was found so far, by address. */
  readonly listed: Map<string, ListedCollection>;
  readonly notes: Notes;
  readonly collection: string | undefined;
}

/** Where a Source Description may be, in the order in which it is looked for (RS-G1). */
export function descriptionPlaces(url: URL, description: URL | undefined): readonly string[] {
  if (description !== undefined) return [description.href];
  if (url.pathname.endsWith(WELL_KNOWN_PATH)) return [new URL(url.pathname, url).href];
  const folder = url.pathname.replace(/[^/]*$/, '').replace(/\/+$/, '');
  const places = [folder, url.pathname.replace(/\/+$/, '')].map((path) => `${url.origin}${path}${WELL_KNOWN_PATH}`);
  return [...new Set([`${url.origin}${WELL_KNOWN_PATH}`, ...places.reverse()])];
}

/** The Capability Lists that the Source Description names, or all of those that its index names. */
export async function listCollections(
  places: readonly string[],
  ports: DocumentPorts,
  { fail, notes, collection }: Remarks,
): Promise<ListedCollection[]> {
  const reading = { ...ports, listed: new Map<string, ListedCollection>(), notes, collection };
  const first = await readFirst(places, reading);
  for (const url of first) {
    await orFail(fail, { url }, async () => {
      const parts = await readDescription(url, false, reading);
      if (parts.length > 0) throw new Error('A document that is no index lists no documents.');
    });
  }
  return [...reading.listed.values()];
}

/** Asks one place after another as long as there is nothing. What comes back are the documents that an index names. */
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
  const { listed, notes } = reading;
  const expected = { capability: 'description', ...(isIndex === false && { isIndex }) } as const;
  const opened = await openDocument(url, expected, reading);
  if (opened.is !== 'open') throw new Error('Nothing was known of this document.');
  const inside = new Set<string>();
  const found = new Map<string, ListedCollection>();
  let isAnIndex = false;
  let siteDescribedBy: string | undefined;
  for await (const part of opened.parts) {
    if (part.kind === 'document') {
      isAnIndex = part.document.isIndex;
      siteDescribedBy = hrefOf(part.document, 'describedby');
    } else if (part.kind === 'problem') {
      // A missing `describes` is told of with the Capability List, which may say it.
      if (part.problem.clause !== 'RS-S5') notes.addProblem(url, part.problem);
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

/** Reads each Capability List. Those which describe the same are one collection, by the first of them. */
export async function findCollections(
  listed: readonly ListedCollection[],
  ports: DocumentPorts,
  fail: Fail,
): Promise<FoundCollection[]> {
  const found = new Map<string, FoundCollection>();
  for (const collection of listed) {
    const { capabilityList: url, describes } = collection;
    await orFail(fail, { url, ...(describes !== undefined && { describes: collectionKey(describes) }) }, async () => {
      const read = await readCapabilityList(collection, ports);
      const key = collectionKey(read.describes);
      const same = found.get(key);
      if (same === undefined) found.set(key, read);
      else {
        same.changeLists.push(...read.changeLists.filter((list) => !same.changeLists.includes(list)));
        same.notes.add(url, `It describes ${read.describes}, as ${same.capabilityList} does; they share one feed.`);
        same.faults.push(...read.faults);
      }
    });
  }
  return [...found.values()];
}

async function readCapabilityList(listed: ListedCollection, ports: DocumentPorts): Promise<FoundCollection> {
  const { capabilityList: url } = listed;
  const opened = await openDocument(url, { capability: 'capabilitylist', isIndex: false }, ports);
  if (opened.is !== 'open') throw new Error('Nothing was known of this document.');
  const notes = new Notes();
  const changeLists = new Set<string>();
  let changeListCount = 0;
  let describes: string | undefined;
  let { describedBy } = listed;
  for await (const part of opened.parts) {
    if (part.kind === 'document') {
      describes = hrefOf(part.document, 'describes');
      describedBy = hrefOf(part.document, 'describedby') ?? describedBy;
    } else if (part.kind === 'problem') {
      if (part.problem.clause !== 'RS-C8') notes.addProblem(url, part.problem);
    } else if (part.entry.md.capability === 'changelist' && !changeLists.has(part.entry.loc)) {
      changeListCount += 1;
      if (changeLists.size < MAX_CHANGE_LISTS) changeLists.add(part.entry.loc);
    }
  }
  if (describes === undefined || describes.length > MAX_DESCRIBES) {
    throw new HarvestError(url, 'RS-G7', 'It does not say which collection it describes, or at excessive length.');
  }
  if (listed.describes === undefined) notes.add(url, 'RS-S5: The Source Description does not say what it describes.');
  else if (collectionKey(listed.describes) !== collectionKey(describes)) {
    notes.add(url, `RS-S6: It describes ${describes}, but the Source Description says ${listed.describes}.`);
  }
  if (changeLists.size === 0) notes.add(url, 'RS-G9: It names no Change List, so that no changes can be told.');
  return {
    describes: collectionKey(describes),
    capabilityList: url,
    changeLists: [...changeLists],
    ...(describedBy !== undefined && { describedBy }),
    ...(listed.siteDescribedBy !== undefined && { siteDescribedBy: listed.siteDescribedBy }),
    notes,
    faults: changeListCount > 1 ? [severalLists(url, changeListCount)] : [],
  };
}

function severalLists(url: string, count: number): Fault {
  const read = count > MAX_CHANGE_LISTS ? `Only the first ${MAX_CHANGE_LISTS} were read.` : 'All of them were read.';
  const message = oneLine(`${url}: It names ${count} Change Lists, where it must name exactly one. ${read}`);
  return { url: oneLine(url), code: 'RS-C8', message };
}

/** What one document does wrong does not concern the others. A stop, and a bug, go through. */
export async function orFail(
  fail: Fail,
  about: Pick<CollectionFailure, 'url' | 'describes'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TidingsError) || isStop(error)) throw error;
    fail({ is: 'failed', ...about, error });
  }
}

function isStop({ name }: TidingsError): boolean {
  return name === 'FetchAbortedError';
}
