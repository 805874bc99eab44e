import { oneLine } from '../../../codecs/primitives/one-line.ts';
import { WELL_KNOWN_PATH } from '../../../codecs/resourcesync/wire.ts';
import type { TidingsError } from '../../../errors/tidings-error.ts';
import type { ChangeDraft } from '../../../model/change.ts';
import { sourceIdOf } from '../../../model/source.ts';
import { draftOf } from '../../draft-of.ts';
import { freeSourceId } from '../../source-id.ts';
import { collectionKey } from '../read/change-key.ts';
import { collectionChanges } from '../read/collection-changes.ts';
import { type HarvestPorts, type HarvestRequest, harvestSource } from '../read/harvest-source.ts';
import {
  type CollectionFailure,
  type CollectionReading,
  decodeKnownSource,
  type KnownSource,
} from '../read/harvested.ts';
import { orFail } from '../read/or-fail.ts';
import { ensureNotTold, feedPath } from './feed-file.ts';
import { runEntryIdOf } from './feed-runs.ts';
import type { HarvestCommit, HarvestState } from './harvest-state.ts';
import type { ProjectOptions } from './open-feeds.ts';
import { projectFeeds } from './project-feeds.ts';
import { type TitleOf, withTitles } from './with-titles.ts';

export interface HarvestWish extends HarvestRequest {
  /** For a new collection, remember everything and publish nothing. */
  readonly isFromNow: boolean;
  /** The most changed pages that are fetched to get their titles. */
  readonly maxTitles: number;
}

export interface HarvestFlowPorts extends Omit<HarvestPorts, 'known' | 'seenAmong' | 'keepSilently' | 'onNote'> {
  readonly state: HarvestState;
  readonly feeds: ProjectOptions;
  readonly titleOf: TitleOf;
}

/** The result for one collection. */
export interface HarvestedCollection {
  /** The URL that it describes. */
  readonly describes: string;
  /** The file of its feed in the folder. It exists once there is something to publish. */
  readonly feed: string;
  /** How many changes are new. */
  readonly changes: number;
  /** The id of the entry that describes them. */
  readonly entryId?: string;
  readonly title?: string;
  readonly notes: readonly string[];
}

export interface HarvestProblem {
  readonly url: string;
  readonly describes?: string;
  /** A clause, `HTTP-` and a status, or the name of an error. */
  readonly code: string;
  readonly message: string;
}

export interface Harvest {
  readonly collections: readonly HarvestedCollection[];
  readonly errors: readonly HarvestProblem[];
  /** Notes about the documents that lead to the collections, and about the feeds. */
  readonly notes: readonly string[];
  /** Whether everything was read and written. */
  readonly isComplete: boolean;
}

/**
 * The HARVEST flow: read each collection → keep what is new → write it into the feeds.
 *
 * What is new in a collection is committed in one step with what was seen of it. The feeds are made from that, so the next run
 * completes a run that was cut off.
 */
export async function harvestSite(wish: HarvestWish, ports: HarvestFlowPorts): Promise<Harvest> {
  const { state } = ports;
  const entry = entryOf(wish);
  const stored = await state.find(entry);
  const source = stored?.source ?? (await freeSourceId(sourceIdOf(wish.url), state));
  const session: Session = { source, entry, known: decodeKnownSource(stored?.memory) ?? { collections: {} } };
  const { failed, collections, errors, notes } = await keepReadings(wish, session, ports);

  const projection = await projectFeeds({ ...session, url: wish.url }, ports.feeds);
  session.known = { ...session.known, projected: projection.projected };
  if (collections.length > 0) await commit(state, session, NOTHING);
  return {
    collections,
    errors: [...errors, ...projection.errors.map(({ file, name, message }) => ({ url: file, code: name, message }))],
    notes: [...notes, ...projection.notes],
    isComplete: failed + projection.errors.length === 0,
  };
}

interface Session {
  readonly source: string;
  readonly entry: string;
  known: KnownSource;
}

type News = Pick<HarvestCommit, 'seenIds' | 'changes'>;

const NOTHING: News = { seenIds: [], changes: [] };

async function commit(state: HarvestState, { source, entry, known }: Session, news: News): Promise<void> {
  const unused = { checksums: [], items: [], pending: [], settledIds: [] } as const;
  await state.commit({ state: { source, entry, dialect: 'resourcesync', memory: known }, ...unused, ...news });
}

/** Reads each collection and commits what is new. Nothing that was read stays in memory afterwards. */
async function keepReadings(
  wish: HarvestWish,
  session: Session,
  ports: HarvestFlowPorts,
): Promise<Omit<Harvest, 'isComplete'> & { readonly failed: number }> {
  const { state } = ports;
  const { source } = session;
  const collections: HarvestedCollection[] = [];
  const errors: HarvestProblem[] = [];
  const notes: string[] = [];
  let failed = 0;
  let titlesLeft = wish.maxTitles;
  const reader: HarvestPorts = {
    ...ports,
    known: session.known,
    seenAmong: (keys) => state.seenAmong(source, keys),
    ...(wish.isFromNow && { keepSilently: (seenIds) => commit(state, session, { ...NOTHING, seenIds }) }),
    onNote: (note) => void notes.push(note),
  };
  for await (const read of harvestSource(wish, reader)) {
    const outcome = read.is === 'read' ? await ifNotTold(read, ports) : read;
    if (outcome.is === 'failed') {
      // Only the user can fix what keeps us from the site itself.
      if (outcome.describes === undefined && outcome.error.recovery === 'fix-config') throw outcome.error;
      failed += 1;
      errors.push(problemOf(outcome));
      continue;
    }
    const seenIds = outcome.changes.map(({ key }) => key);
    const { changes, asked } = await withTitles(outcome.changes, titlesLeft, ports.titleOf);
    titlesLeft -= asked;
    const reading = { ...outcome, changes };
    session.known = withCollection(session.known, outcome);
    // Without news, a crash can lose nothing.
    if (seenIds.length > 0) await commit(state, session, { seenIds, changes: draftsOf(reading, source) });
    collections.push(collectionOf(reading));
    errors.push(...outcome.faults.map((fault) => ({ ...fault, describes: outcome.known.describes })));
  }
  return { failed, collections, errors, notes };
}

/** Yields drafts one at a time while they are written, because there may be very many. */
function* draftsOf(reading: CollectionReading, source: string): Generator<ChangeDraft, void> {
  for (const change of collectionChanges(reading)) yield draftOf(change, source);
}

/** What is new to the state must also be new in its feed. */
async function ifNotTold(
  reading: CollectionReading,
  { feeds }: HarvestFlowPorts,
): Promise<CollectionReading | CollectionFailure> {
  const { known, changes, isFirst } = reading;
  if (!isFirst || changes.length === 0) return reading;
  const { describes, capabilityList: url } = known;
  let outcome: CollectionReading | CollectionFailure = reading;
  const fail = (failure: CollectionFailure) => {
    outcome = failure;
  };
  const keys = changes.map(({ key }) => key);
  await orFail(fail, { url, describes }, () => ensureNotTold(feeds.folder, known, runEntryIdOf(describes, keys)));
  return outcome;
}

/** The address where the Source Description would be, so that several sites on one host are separate sources. */
function entryOf({ url, description }: HarvestWish): string {
  if (description !== undefined) return description.href;
  if (url.pathname.endsWith(WELL_KNOWN_PATH)) return url.origin + url.pathname;
  return url.origin + url.pathname.replace(/\/+$/, '') + WELL_KNOWN_PATH;
}

function withCollection(known: KnownSource, { known: collection }: CollectionReading): KnownSource {
  return { ...known, collections: { ...known.collections, [collectionKey(collection.describes)]: collection } };
}

function collectionOf({ known, changes, notes }: CollectionReading): HarvestedCollection {
  const { describes, name, title } = known;
  const entryId = runEntryIdOf(
    describes,
    changes.map(({ key }) => key),
  );
  return {
    describes,
    feed: feedPath(name),
    changes: changes.length,
    ...(changes.length > 0 && { entryId }),
    ...(title !== undefined && { title }),
    notes,
  };
}

function problemOf({ url, describes, error }: CollectionFailure): HarvestProblem {
  const about = { url: oneLine(url), ...(describes !== undefined && { describes }) };
  return { ...about, code: codeOf(error), message: oneLine(error.message) };
}

function codeOf(error: TidingsError): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
