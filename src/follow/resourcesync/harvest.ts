import type { TidingsError } from '../../errors/tidings-error.ts';
import { sourceIdOf } from '../../model/source.ts';
import type { FollowState, StateCommit } from '../follow-state.ts';
import { freeSourceId } from '../source-id.ts';
import { collectionKey } from './change-key.ts';
import { draftsOf } from './drafts.ts';
import { feedPath } from './feed-file.ts';
import { entryIdOf } from './feed-runs.ts';
import { WELL_KNOWN } from './find-collections.ts';
import { type HarvestPorts, type HarvestRequest, harvestSource } from './harvest-source.ts';
import type { CollectionFailure, CollectionReading, HarvestedChange, KnownSource } from './harvested.ts';
import { type ProjectOptions, projectFeeds } from './project-feeds.ts';

export interface HarvestWish extends HarvestRequest {
  /** Of a collection that is new, remember all and tell nothing. */
  readonly isFromNow: boolean;
  /** At so many pages that changed a look is taken for their titles. */
  readonly maxTitles: number;
}

export interface HarvestFlowPorts extends Omit<HarvestPorts, 'known' | 'seenAmong' | 'onNote'> {
  readonly state: FollowState;
  readonly feeds: ProjectOptions;
  /** What a page calls itself; undefined where that cannot be told. */
  readonly titleOf: (url: string) => Promise<string | undefined>;
}

/** What became of one collection. */
export interface HarvestedCollection {
  /** The URL that it describes. */
  readonly describes: string;
  /** The file of its feed, within the folder. It is there once there is something to tell. */
  readonly feed: string;
  /** How many changes are new. */
  readonly changes: number;
  /** Of the entry that tells of them. */
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
  /** What the author should know of the documents that lead to the collections. */
  readonly notes: readonly string[];
  /** Whether all was read and written that there is. */
  readonly isComplete: boolean;
}

/**
 * The HARVEST flow: read each collection → keep what is new → write it into the feeds.
 *
 * What is new of a collection is kept in one step with what was seen of it. The feeds follow from that, so that a run that was cut off
 * is made good by the next one.
 */
export async function harvestSite(wish: HarvestWish, ports: HarvestFlowPorts): Promise<Harvest> {
  const { state } = ports;
  const entry = entryOf(wish);
  const stored = await state.find(entry);
  const source = stored?.source ?? (await freeSourceId(sourceIdOf(wish.url), state));
  let known: KnownSource = stored?.resourcesync ?? { collections: {} };
  const commit = (news: Pick<StateCommit, 'seenIds' | 'changes'>) =>
    state.commit({
      state: { source, entry, resourcesync: known },
      checksums: [],
      items: [],
      pending: [],
      settledIds: [],
      ...news,
    });

  const collections: HarvestedCollection[] = [];
  const errors: HarvestProblem[] = [];
  const notes: string[] = [];
  const onNote = (note: string) => void notes.push(note);
  let failed = 0;
  let titlesLeft = wish.maxTitles;
  const seenAmong = (keys: readonly string[]) => state.seenAmong(source, keys);
  for await (const outcome of harvestSource(wish, { ...ports, known, seenAmong, onNote })) {
    if (outcome.is === 'failed') {
      // What keeps us from the site itself only the user can mend.
      if (outcome.describes === undefined && outcome.error.recovery === 'fix-config') throw outcome.error;
      failed += 1;
      errors.push(problemOf(outcome));
      continue;
    }
    const seenIds = outcome.changes.map(({ key }) => key);
    const isSilent = wish.isFromNow && outcome.isFirst;
    const named = isSilent ? [] : await withTitles(outcome.changes, titlesLeft, ports);
    titlesLeft -= named.filter(({ title }, at) => title !== outcome.changes[at]?.title).length;
    const reading = { ...outcome, changes: named };
    known = withCollection(known, outcome);
    // Without news there is nothing that a crash could lose.
    if (seenIds.length > 0) await commit({ seenIds, changes: draftsOf(reading, source) });
    collections.push(collectionOf(reading));
    errors.push(...outcome.faults.map((fault) => ({ ...fault, describes: outcome.known.describes })));
  }

  const projection = await projectFeeds({ source, url: wish.url, known }, ports.feeds);
  known = { ...known, projected: projection.projected };
  if (collections.length > 0) await commit({ seenIds: [], changes: [] });
  errors.push(...projection.errors.map((error) => ({ url: error.path, code: error.name, message: error.message })));
  return { collections, errors, notes, isComplete: failed + projection.errors.length === 0 };
}

/** Where the Source Description would be, so that several sites of one host are several sources. */
function entryOf({ url, description }: HarvestWish): string {
  if (description !== undefined) return description.href;
  if (url.pathname.endsWith(WELL_KNOWN)) return url.origin + url.pathname;
  return url.origin + url.pathname.replace(/\/+$/, '') + WELL_KNOWN;
}

function withCollection(known: KnownSource, { known: collection }: CollectionReading): KnownSource {
  return { ...known, collections: { ...known.collections, [collectionKey(collection.describes)]: collection } };
}

function collectionOf({ known, changes, notes }: CollectionReading): HarvestedCollection {
  const { describes, name, title } = known;
  const entryId = entryIdOf(
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
  return { url, ...(describes !== undefined && { describes }), code: codeOf(error), message: error.message };
}

function codeOf(error: TidingsError): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** Pages of others, and those that are gone, are not asked. */
async function withTitles(
  changes: readonly HarvestedChange[],
  most: number,
  { titleOf }: HarvestFlowPorts,
): Promise<readonly HarvestedChange[]> {
  if (most <= 0) return changes;
  const asked = new Map<string, string | undefined>();
  const named: HarvestedChange[] = [];
  for (const change of changes) {
    const isAskable = change.title === undefined && change.isOwn && change.change !== 'deleted';
    if (isAskable && !asked.has(change.loc) && asked.size < most) {
      asked.set(change.loc, await titleOf(change.loc));
    }
    const title = isAskable ? asked.get(change.loc) : undefined;
    named.push(title === undefined ? change : { ...change, title });
  }
  return named;
}
