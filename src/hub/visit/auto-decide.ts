import { TidingsError } from '../../errors/tidings-error.ts';
import { afterReading, firstOnFeed, firstOnPages, LADDER_LIMITS, type LadderState } from '../../follow/ladder.ts';
import { readAutoFeed } from './auto-feed.ts';
import { type AutoVisit, brokenBy, feedsFor, keep, outcomeOf, siteOf, turn } from './auto-visit.ts';
import type { SourceReading } from './source-reading.ts';
import { visitSite } from './visit-site.ts';

/** Nothing was read so far, because something did not answer. */
export function isUndecided({ rung, falls }: LadderState): boolean {
  return rung === 'pages' && falls.length === 0;
}

/**
 * The first reading: uses the first feed that can be read, otherwise the pages. A feed that may only be busy gets three checks before another way is chosen;
 * `failures` is how many it has had.
 */
export async function decide(visit: AutoVisit, failures: number): Promise<SourceReading> {
  const { config, source, ports } = visit;
  let doubt: TidingsError | undefined;
  for (const dialect of await feedsFor(visit)) {
    const read = await readFirst(visit, dialect);
    if (!(read instanceof TidingsError)) return read;
    if (!isLasting(read, visit)) doubt ??= read;
  }
  if (doubt !== undefined && failures + 1 < LADDER_LIMITS.failures) {
    keep(visit, { rung: 'pages', sinceMs: ports.now(), failures: failures + 1, turns: 0, falls: [] });
    throw doubt;
  }
  const atMs = ports.now();
  const reading = await visitSite(siteOf(config), source, ports, { isFirstReading: true });
  await turn(visit, { ...firstOnPages(atMs, ports.now()), soughtMs: atMs });
  return reading;
}

/** Returns an error if the feed cannot be read. A feed that has begun to report changes is chosen even if it breaks off. */
async function readFirst(visit: AutoVisit, dialect: string): Promise<SourceReading | TidingsError> {
  const { ports } = visit;
  const state = { ...firstOnFeed(dialect, ports.now()), dialect };
  let told = 0;
  const onWritten = (count: number) => {
    told += count;
    ports.onWritten(count);
  };
  try {
    const { reading, events } = await readAutoFeed({ ...visit, ports: { ...ports, onWritten } }, state);
    await turn(visit, afterReading(state, outcomeOf(reading, events), state.sinceMs).state);
    return reading;
  } catch (error) {
    const broken = brokenBy(error, visit);
    if (told === 0 && error instanceof TidingsError) return error;
    await turn(visit, afterReading(state, broken, ports.now()).state);
    throw error;
  }
}

/** Whether the answer will be the same tomorrow: many sites refuse whatever they do not know. */
function isLasting(error: TidingsError, visit: AutoVisit): boolean {
  const broken = brokenBy(error, visit);
  return broken.is !== 'unanswered' || broken.isRefused === true;
}
