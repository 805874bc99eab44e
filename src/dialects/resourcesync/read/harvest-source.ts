import { HarvestError } from '../../../errors/harvest-error.ts';
import type { HttpClient } from '../../../fetch/http-client.ts';
import { collectionName } from '../../../model/collection.ts';
import { collectionKey } from './change-key.ts';
import { isWanted, noLongerNamed, oldestFirst, wantedAmong } from './choose-collections.ts';
import { type FoundCollection, findCollections } from './find-collections.ts';
import type { CollectionFailure, CollectionReading, KnownSource } from './harvested.ts';
import { descriptionPlaces, type ListedCollection, listCollections } from './list-collections.ts';
import { Notes } from './notes.ts';
import { DOCUMENT_LIMITS, type DocumentLimits } from './open-document.ts';
import { orFail } from './or-fail.ts';
import { createPatientClient } from './patient-client.ts';
import { type ChangePorts, readChanges } from './read-changes.ts';
import { type FactPorts, factsOf } from './read-facts.ts';

export interface HarvestRequest {
  /** The address of the site. */
  readonly url: URL;
  /** Its Source Description, if that is not at the well-known path. */
  readonly description?: URL;
  /** The only requested collection: the URL that it describes. */
  readonly collection?: string;
}

export interface HarvestPorts {
  readonly http: HttpClient;
  /** Decompresses, and fails on more than `maxBytes`. */
  readonly gunzip: (bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array>;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** What was remembered. */
  readonly known: KnownSource | undefined;
  /** Those keys of changes that were stored before. A key includes its collection, so it is stored unchanged. */
  readonly seenAmong: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * Stores keys as seen. If it is given, the changes of a new collection are not reported but passed to it, piece by piece and
   * before the collection is read completely.
   */
  readonly keepSilently?: (keys: readonly string[]) => Promise<void>;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<DocumentLimits>;
  /** Waits out the pauses that a host asks for, up to two minutes in total. Without it, every request during a pause fails. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called with remarks for the author about the documents that lead to the collections. */
  readonly onNote?: (note: string) => void;
  /** Called with one line on what is being read. */
  readonly onStatus?: (line: string) => void;
}

/** `site.atom` is the feed of all collections. */
const TAKEN_NAMES = ['site'];
const MAX_RUN_MS = 30 * 60_000;
/** The rest of the time is for the changes. */
const MAX_FINDING_MS = MAX_RUN_MS / 2;

type Outcome = CollectionReading | CollectionFailure;

/**
 * Reads the collections of a site, each completely or not at all.
 *
 * Store what a reading holds before you ask for the next one. Throws on purpose only when it is stopped.
 */
export async function* harvestSource(request: HarvestRequest, ports: HarvestPorts): AsyncGenerator<Outcome, void> {
  const reading = readingOf(request, ports);
  ports.onStatus?.(`${request.url.host}: reading what it offers`);
  const { listed, failures, notes, place } = await list(request, reading);
  const fail = (failure: CollectionFailure) => void failures.push(failure);
  const isListed = failures.length === 0;
  const finding = { ...reading, ensureTime: timeLimit(ports, MAX_FINDING_MS) };
  const asked = oldestFirst(wantedAmong(listed, request.collection), ports.known);
  const found = await findCollections(asked, finding, fail);
  if (isListed && request.collection === undefined) {
    for (const { describes } of noLongerNamed(ports.known, listed, found)) {
      notes.add(place, `It no longer names ${describes}. What was told of that stays.`);
    }
  }
  for (const note of notes.all()) ports.onNote?.(note);
  yield* failures.splice(0);
  if (listed.length === 0 && !isListed) return;

  const wanted = found.filter((collection) => isWanted(collection, listed, request.collection));
  if (request.collection !== undefined && wanted.length === 0) yield notFound(request.collection, place);
  const names = new Set([...TAKEN_NAMES, ...Object.values(ports.known?.collections ?? {}).map(({ name }) => name)]);
  for (const collection of wanted) yield await readCollection(collection, names, ports, reading);
}

type ReadingPorts = ChangePorts & Pick<FactPorts, 'asked'>;

interface Listing {
  readonly listed: readonly ListedCollection[];
  readonly failures: CollectionFailure[];
}

/** The collections that a site names, and why others could not be found. */
export function listedAt(request: HarvestRequest, ports: Omit<HarvestPorts, 'known' | 'seenAmong'>): Promise<Listing> {
  const nothing = { known: undefined, seenAmong: async () => new Set<string>() };
  return list(request, readingOf(request, { ...ports, ...nothing }));
}

async function list(
  { url, description, collection }: HarvestRequest,
  reading: ReadingPorts,
): Promise<Listing & { readonly notes: Notes; readonly place: string }> {
  const places = descriptionPlaces(url, description);
  const [place = url.href] = places;
  const notes = new Notes();
  const failures: CollectionFailure[] = [];
  const fail = (failure: CollectionFailure) => void failures.push(failure);
  let listed: readonly ListedCollection[] = [];
  await orFail(fail, { url: place }, async () => {
    listed = await listCollections(places, reading, { fail, notes, collection });
  });
  return { listed, failures, notes, place };
}

function readingOf({ url, description }: HarvestRequest, ports: HarvestPorts): ReadingPorts {
  const sites = description === undefined ? [url] : [url, description];
  const limits = { ...DOCUMENT_LIMITS, ...ports.limits };
  const ensureTime = timeLimit(ports, MAX_RUN_MS);
  return { ...ports, http: patient(ports), sites, limits, ensureTime, asked: new Map() };
}

async function readCollection(
  collection: FoundCollection,
  names: Set<string>,
  ports: HarvestPorts,
  reading: ReadingPorts,
): Promise<Outcome> {
  const { capabilityList, notes, faults } = collection;
  const beganMs = ports.now();
  const known = ports.known?.collections[collectionKey(collection.describes)];
  // Ids are made from it, so the first spelling stays.
  const describes = known?.describes ?? collection.describes;
  ports.onStatus?.(`${describes}: reading its changes`);
  let outcome: Outcome | undefined;
  const fail = (failure: CollectionFailure) => {
    outcome = { ...failure, url: addressOf(failure) };
  };
  await orFail(fail, { url: capabilityList, describes }, async () => {
    const { changes, lists } = await readChanges(collection, known, reading);
    const facts = await factsOf(collection, known, { ...reading, now: ports.now });
    const name = known?.name ?? collectionName(describes, names);
    names.add(name);
    outcome = {
      is: 'read',
      known: { describes, capabilityList, ...facts, name, markMs: beganMs, lists },
      changes,
      isFirst: known === undefined,
      notes: notes.all(),
      faults,
    };
  });
  if (outcome === undefined) throw new Error('A collection is read or failed.');
  return outcome;
}

/** The document that caused the failure. */
function addressOf({ error, url }: CollectionFailure): string {
  return 'url' in error && (typeof error.url === 'string' || error.url instanceof URL) ? String(error.url) : url;
}

function notFound(collection: string, url: string): CollectionFailure {
  const error = new HarvestError(url, 'RS-U2', `No Capability List that could be read describes ${collection}.`);
  return { is: 'failed', describes: collectionKey(collection), url, error };
}

function patient({ http, wait, signal, onStatus }: HarvestPorts): HttpClient {
  if (wait === undefined) return http;
  return createPatientClient(http, { wait, signal, ...(onStatus !== undefined && { onWait: onStatus }) });
}

function timeLimit({ now }: HarvestPorts, maxMs: number): (url: string) => void {
  const endMs = now() + maxMs;
  return (url) => {
    if (now() < endMs) return;
    throw new HarvestError(url, 'RESOURCESYNC-TIME', `It was not reached within ${maxMs / 60_000} minutes.`);
  };
}
