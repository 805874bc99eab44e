import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../src/model/change.ts';
import type { Random } from './hub-random.ts';
import { CursorReader, FeedReader, type Reading, SeenFeeds } from './hub-readers.ts';
import { RunReader } from './hub-run-reader.ts';
import type { World } from './hub-world.ts';

export interface AudienceOptions {
  /** Whether the hub is killed now and then. */
  readonly mayBreak?: boolean;
}

type Line = Pick<Change, 'id' | 'action' | 'url' | 'anchor' | 'checksum'>;

const ALL_FEED = 'ai-changes.ndjson';
const CURSOR_SOURCES = 3;
const FEED_READERS = 4;
const TICK_MS = 20;

/** All who read a hub, at once, until they are disposed of or have finished. */
export interface Audience extends Disposable {
  readonly reading: Reading;
  /** Drives the ledger. */
  readonly cursor: CursorReader;
  readonly runs: RunReader;
  /** Reads everything to its end, and all of the log once more. */
  finish(): Promise<void>;
  /** How many feeds say something else than the log. */
  countDifferences(): number;
}

export function gatherAudience({ ledger, sources }: World, random: Random, options: AudienceOptions = {}): Audience {
  const stopping = new AbortController();
  const reading: Reading = {
    hub: undefined,
    mayBreak: options.mayBreak ?? false,
    random,
    wrong: { changedBytes: 0, torn: 0, holes: 0, badAnswers: 0 },
    signal: stopping.signal,
    complain: (line) => ledger.complain(line),
    answers: new Map(),
  };
  const cursor = new CursorReader(reading, { onChange: (change) => ledger.see(change) });
  const bySource = sources
    .slice(0, CURSOR_SOURCES)
    .map(({ id }) => ({ id, reader: new CursorReader(reading, { source: id }) }));
  const feeds = new SeenFeeds(reading);
  const paths = [ALL_FEED, ...sources.map(({ id }) => feedOf(id))];
  const feedReaders = Array.from({ length: FEED_READERS }, () => new FeedReader(reading, feeds, paths));
  const all = new FeedReader(reading, feeds, [ALL_FEED]);
  const runs = new RunReader(
    reading,
    sources.map(({ id }) => id),
  );
  const running = Promise.all(
    [cursor, ...bySource.map(({ reader }) => reader), ...feedReaders, all, runs].map((each) => each.run()),
  );
  return {
    reading,
    cursor,
    runs,
    async finish() {
      stopping.abort();
      await running;
      for (const path of paths) await all.readWhole(path);
      await readToEnd(cursor);
      await runs.finish(cursor.changes);
      const again = new CursorReader(reading);
      for (const reader of [again, ...bySource.map((each) => each.reader)]) await readToEnd(reader);
      for (const { id, reader } of [{ id: undefined, reader: again }, ...bySource]) {
        const wanted = cursor.changes.filter(({ source }) => id === undefined || source === id);
        if (isDeepStrictEqual(wanted, reader.changes)) continue;
        reading.wrong.holes += 1;
        reading.complain(
          `hole: read again, ${id ?? 'the log'} has ${reader.changes.length} changes, not ${wanted.length}`,
        );
      }
    },
    [Symbol.dispose]: () => stopping.abort(),
    countDifferences: () => compareFeeds(cursor.changes, feeds, sources, reading.complain),
  };
}

export async function readToEnd(reader: CursorReader): Promise<void> {
  while ((await reader.step()) > 0);
}

function feedOf(source: string): string {
  return `aicf/${source}.ndjson`;
}

/** Every change of the log once in the feed of all and in that of its source, in the same order, and nothing else. */
export function compareFeeds(
  changes: readonly Change[],
  feeds: Pick<SeenFeeds, 'get'>,
  sources: World['sources'],
  complain: (line: string) => void,
): number {
  let differ = 0;
  const compare = (path: string, wanted: readonly Change[]) => {
    const lines = feeds.get(path).toString().split('\n').slice(0, -1);
    const [got, due] = [lines.map(readLine), wanted.map(lineOf)];
    const place = due.findIndex((each, index) => each !== got[index]);
    if (place === -1 && got.length === due.length) return;
    differ += 1;
    complain(
      `feed ${path}: ${got.length} events, the log has ${due.length}; the first that differs is ${got[place]}, not ${due[place]}`,
    );
  };
  compare(ALL_FEED, changes);
  for (const { id } of sources) {
    const own = changes.filter(({ source }) => source === id);
    compare(feedOf(id), own);
  }
  return differ;
}

/** Stricter than a reader has to be. */
function readLine(line: string): string {
  try {
    return lineOf(JSON.parse(line) as Line);
  } catch {
    return `not JSON: ${line}`;
  }
}

function lineOf({ id, action, url, anchor, checksum }: Line): string {
  return JSON.stringify([id, action, url, anchor, checksum]);
}

/** Until every real change was told; false when that takes too long. */
export async function settled({ ledger }: World, maxMs: number): Promise<boolean> {
  const until = performance.now() + maxMs;
  while (ledger.open > 0 && performance.now() < until) await pause(TICK_MS);
  return ledger.open === 0;
}
