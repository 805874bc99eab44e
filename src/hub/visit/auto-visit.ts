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

/** One visit of a source that is followed by the best way that there is. */
export interface AutoVisit {
  readonly config: AutoConfig;
  readonly source: Pick<WatchedSource, 'health' | 'allowDeletes'>;
  readonly ports: AutoVisitPorts;
}

export interface AutoVisitPorts extends FeedVisitPorts {
  /** Where the source stands now: kept with its health, also where the visit fails. */
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

/** Stands there for good, before anything is told behind it. */
export async function turn(visit: AutoVisit, state: LadderState): Promise<void> {
  const { config, ports } = visit;
  await commitTurn(ports.store.followStateOf(config.id), config.id, state);
  keep(visit, state);
}

/** What a look at a feed came to that threw. Throws it again where it is not the feed's. */
export function brokenBy(error: unknown, visit: AutoVisit): BrokenFeed {
  const broken = isOfSource(error, visit) ? brokenFeed(error) : undefined;
  if (broken === undefined) throw error;
  return broken;
}

/** Whether it is the source's, and not the disk's, ours, or the end of the visit. */
export function isOfSource(error: unknown, { ports }: AutoVisit): error is TidingsError {
  return error instanceof TidingsError && !isOfTheStore(error) && !ports.signal.aborted;
}

/** How a reading ended that was not broken off, and how many events were new in it. */
export function outcomeOf(reading: Pick<ReadingEnd, 'isUnasked' | 'freshMs'>, events: number): FeedOutcome {
  if (reading.isUnasked && events === 0) return { is: 'unasked' };
  return { is: 'well', freshMs: reading.freshMs, hasNews: events > 0 };
}

/** The dialects whose feeds will do, in the order in which they are looked for. */
export async function feedsFor({ config: { tellsOf }, ports }: AutoVisit): Promise<readonly string[]> {
  const readers = await readersOf(ports.dialects);
  return readers.flatMap(({ name, reader }) => (tellsOf === 'pages' && reader.isOfEndpoints ? [] : [name]));
}

/** Its pages alone. */
export function siteOf({ tellsOf: _, audit: _audit, ...config }: AutoConfig): SiteConfig {
  return { ...config, kind: 'site' };
}

/** A reading of pages that speak for a feed. */
export function insteadOfFeed(reading: SourceReading, state: LadderState): SourceReading {
  if (!hasFeed(state)) return reading;
  return { ...reading, fallback: 0, notes: shortNotes([...ladderNotes(state), ...reading.notes]) };
}
