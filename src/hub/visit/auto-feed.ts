import { parseTime } from '../../codecs/primitives/time.ts';
import type { FeedQuestion, ReadingEnd, Since } from '../../dialects/reader.ts';
import { FeedUnreadableError } from '../../errors/feed-error.ts';
import { isReturning, type LadderState, recentFalls } from '../../follow/ladder.ts';
import {
  addToSketch,
  type FeedSketch,
  type LastLook,
  type PageTelling,
  type Seam,
  throughSeam,
} from '../../follow/seam.ts';
import type { AutoVisit, WithFeed } from './auto-visit.ts';
import { isLadderNote } from './ladder-notes.ts';
import { FEED_LIMITS, readOneFeed, type TimedPlace } from './read-one-feed.ts';
import { createSender } from './sender.ts';
import type { SourceReading } from './source-reading.ts';
import { batchTarget, questionOf, readerOf, readingOf, takeInto } from './visit-feed.ts';

export interface AutoReading {
  readonly reading: SourceReading;
  /** How many events were new, reported or not. */
  readonly events: number;
}

/** At most this many changes of a feed on trial are remembered; beyond that, times decide. */
const MAX_SKETCH = 50_000;

/** Continues to read a feed of the site. Changes that its pages have already reported are not reported again. */
export async function readAutoFeed(visit: AutoVisit, state: WithFeed, lastLook?: LastLook): Promise<AutoReading> {
  const { config, ports } = visit;
  const { name, reader } = await readerOf(state.dialect, ports.dialects);
  const notes = new Set<string>();
  const note = (message: string) => void notes.add(message);
  const sender = createSender();
  let events = 0;
  const target = batchTarget(
    config,
    { hadEvents: hadEvents(visit, state) },
    { ...ports, note, dialect: name, isVerified: reader.verifies ?? false, sender: () => sender.id },
  );
  const counting = takeInto({
    ...target,
    onCommit(written) {
      events += written.events;
      target.onCommit(written);
    },
  });
  const seam = seamOf(visit, state, lastLook);
  const take: TimedPlace['take'] = (batches, deadline) =>
    counting(seam === undefined ? batches : throughSeam(batches, seam), deadline);
  const limits = reader.limits ?? FEED_LIMITS;
  const question = autoQuestion(visit, state);
  const end = await readOneFeed(reader, { id: config.id, dialect: name, question, limits, sender, note, take }, ports);
  const before = (visit.source.health.notes ?? []).filter((line) => !isLadderNote(line));
  return { reading: readingOf(end, { index: 0, notes, before }), events };
}

export interface TriedFeed {
  readonly end: ReadingEnd;
  /** What the feed would report. */
  readonly sketch: FeedSketch;
}

/** Reads a feed to its end without storing anything, to learn whether it works again and what it will report. Throws as a reading does. */
export async function tryFeed(visit: AutoVisit, state: WithFeed): Promise<TriedFeed> {
  const { config, ports } = visit;
  const { name, reader } = await readerOf(state.dialect, ports.dialects);
  const sketch: FeedSketch = { ids: new Set(), boundaries: new Set() };
  const take: TimedPlace['take'] = async (batches, deadline) => {
    for (let next = await batches.next(); ; next = await batches.next()) {
      if (next.done) return next.value;
      const { entry, isBlank = false, changes } = next.value;
      if (isBlank && hadEvents(visit, state)) throw blankError(entry);
      let heard = 0;
      for (const change of changes) {
        heard += 1;
        if (sketch.ids.size < MAX_SKETCH) addToSketch(sketch, change);
      }
      deadline.heard(heard);
    }
  };
  const limits = reader.limits ?? FEED_LIMITS;
  const question = autoQuestion(visit, state);
  const place = { id: config.id, dialect: name, question, limits, sender: createSender(), note: () => {}, take };
  return { end: await readOneFeed(reader, place, ports), sketch };
}

/** A feed that was never read begins at the last look at the pages that replaced it. */
function autoQuestion(visit: AutoVisit, { lastGoodMs, falls }: LadderState): FeedQuestion {
  const { config, source, ports } = visit;
  const begun = lastGoodMs === undefined ? falls.at(-1)?.lookedMs : undefined;
  const since: Since | undefined = begun === undefined ? undefined : { timeMs: begun };
  return {
    ...questionOf(config, source, ports),
    isNamed: false,
    url: new URL(config.url),
    ...(since !== undefined && { since }),
  };
}

function hadEvents({ source }: AutoVisit, { lastGoodMs }: LadderState): boolean {
  return lastGoodMs !== undefined && source.health.lastChangeMs !== undefined;
}

function blankError(entry: string): FeedUnreadableError {
  return new FeedUnreadableError(entry, 'holds no event, where earlier there were some.');
}

/** The changes that pages of the source reported since its first fall and that may still matter. */
function seamOf(
  visit: AutoVisit,
  state: LadderState,
  lastLook: LastLook | undefined,
): (() => Promise<Seam>) | undefined {
  const falls = recentFalls(state, visit.ports.now());
  const [first] = falls;
  if (first === undefined) return undefined;
  return async () => ({
    falls,
    tellings: await pageTellings(visit, first.atMs),
    isReturning: isReturning(state),
    ...(lastLook !== undefined && { lastLook }),
  });
}

/** Read from the log, by page. */
export async function pageTellings(
  { config, ports }: AutoVisit,
  sinceMs: number,
): Promise<ReadonlyMap<string, readonly PageTelling[]>> {
  const tellings = new Map<string, PageTelling[]>();
  const after = await ports.store.seqBefore(sinceMs);
  for await (const { provenance, kind, url, time, action, anchor, checksum } of ports.store.changes({
    source: config.id,
    after,
  })) {
    if (provenance.by !== 'compare' || kind !== 'page') continue;
    const ofPage = tellings.get(url) ?? [];
    ofPage.push({ action, anchor, checksum, timeMs: parseTime(time) ?? 0 });
    tellings.set(url, ofPage);
  }
  return tellings;
}
