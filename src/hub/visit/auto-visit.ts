import { readersOf } from '../../dialects/feed-readers.ts';
import type { ReadingEnd } from '../../dialects/reader.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { type BrokenFeed, brokenFeed } from '../../follow/feed-outcome.ts';
import type { FeedOutcome, LadderState } from '../../follow/ladder.ts';
import type { AutoConfig, SiteConfig } from '../config/source-config.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { commitTurn } from './ladder-memory.ts';
import { ladderNotes } from './ladder-notes.ts';
import { type SourceReading, shortNotes } from './source-reading.ts';
import { isOfTheStore } from './visit-end.ts';
import type { FeedVisitPorts } from './visit-feed.ts';

/** One visit of a source of kind `auto`. */
export interface AutoVisit {
  readonly config: AutoConfig;
  readonly source: Pick<WatchedSource, 'health' | 'allowDeletes'>;
  readonly ports: AutoVisitPorts;
}

export interface AutoVisitPorts extends FeedVisitPorts {
  /** Receives the current state of the ladder, which is stored with the health, even if the visit fails. */
  readonly onLadder?: (state: LadderState) => void;
}

/** A source that has a feed. */
export type WithFeed = LadderState & { readonly dialect: string };

export function hasFeed(state: LadderState): state is WithFeed {
  return state.dialect !== undefined;
}

export function keep({ ports }: AutoVisit, state: LadderState): void {
  ports.onLadder?.(state);
}

/** Stores the new state before anything is reported after it. */
export async function turn(visit: AutoVisit, state: LadderState): Promise<void> {
  const { config, ports } = visit;
  await commitTurn(ports.store.followStateOf(config.id), config.id, state);
  keep(visit, state);
}

/** Classifies the error of a look at a feed. Throws it again if it is not the feed's. */
export function brokenBy(error: unknown, visit: AutoVisit): BrokenFeed {
  const broken = isOfSource(error, visit) ? brokenFeed(error) : undefined;
  if (broken === undefined) throw error;
  return broken;
}

/** Whether the error is the source's, and not one of the disk, of our code, or of an aborted visit. */
export function isOfSource(error: unknown, { ports }: AutoVisit): error is TidingsError {
  return error instanceof TidingsError && !isOfTheStore(error) && !ports.signal.aborted;
}

/** The outcome of a reading that was not broken off; `events` of it were new. */
export function outcomeOf(reading: Pick<ReadingEnd, 'isUnasked' | 'freshMs'>, events: number): FeedOutcome {
  if (reading.isUnasked && events === 0) return { is: 'unasked' };
  return { is: 'well', freshMs: reading.freshMs, hasNews: events > 0 };
}

/** The dialects whose feeds are suitable, in the order of search. */
export async function feedsFor({ config: { tellsOf }, ports }: AutoVisit): Promise<readonly string[]> {
  const readers = await readersOf(ports.dialects);
  return readers.flatMap(({ name, reader }) => (tellsOf === 'pages' && reader.isOfEndpoints ? [] : [name]));
}

/** The config that reads its pages alone. */
export function siteOf({ tellsOf: _, audit: _audit, ...config }: AutoConfig): SiteConfig {
  return { ...config, kind: 'site' };
}

/** A reading of pages that replace a feed. */
export function insteadOfFeed(reading: SourceReading, state: LadderState): SourceReading {
  if (!hasFeed(state)) return reading;
  return { ...reading, fallback: 0, notes: shortNotes([...ladderNotes(state), ...reading.notes]) };
}
