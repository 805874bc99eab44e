import { SafetyStopError } from '../../errors/safety-stop-error.ts';
import { SourceUnreadError } from '../../errors/source-unread-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { liveSource } from '../../produce/live-source.ts';
import { stopIfTooMuchVanishes } from '../../produce/safety.ts';
import type { SiteComparison } from '../../produce/site-source.ts';
import type { WatchedSource } from '../hub-store.ts';
import { createPathFilter } from '../path-filter.ts';
import type { SiteConfig } from '../source-config.ts';
import { createCarefulWays } from './careful-ways.ts';
import { PageRecorder } from './page-recorder.ts';
import { createReadingWitness } from './reading-witness.ts';
import { MAX_WAIT_MS, notesOf, type SourceReading, wordsFor } from './source-reading.ts';
import { isOfTheStore } from './visit-end.ts';
import type { VisitPorts } from './visit-ports.ts';

interface SiteVisit {
  readonly config: SiteConfig;
  readonly allowDeletes: boolean;
  readonly recorder: PageRecorder;
  readonly ports: VisitPorts;
}

/** What one place says of the site. `doubtful`: its start failed or nothing of it is left, so that a mirror may know better. */
interface Attempt {
  readonly comparison: SiteComparison;
  readonly isDoubtful: boolean;
}

/**
 * A live site against what is remembered of it. Where it cannot be read, its mirrors are asked in their order; their pages
 * are those of the site, under its address.
 */
export async function visitSite(config: SiteConfig, source: WatchedSource, ports: VisitPorts): Promise<SourceReading> {
  const { id, fallbacks = [] } = config;
  const isFirstReading = source.health.lastOkMs === undefined;
  const accepts = createPathFilter(config);
  const recorder = await PageRecorder.open({ ...ports, source: id, accepts, isFirstReading });
  const visit = { config, allowDeletes: source.allowDeletes ?? false, recorder, ports };
  try {
    const own = await readOwn(visit);
    if (own instanceof TidingsError || (own.isDoubtful && fallbacks.length > 0)) {
      for (const [fallback, mirror] of fallbacks.entries()) {
        const comparison = await readMirror(mirror, visit);
        if (comparison !== undefined) return { ...(await record(comparison, visit, mirror)), fallback };
      }
    }
    if (own instanceof TidingsError) throw own;
    return await record(own.comparison, visit);
  } finally {
    await recorder.saveNew();
  }
}

/** The error is that of a site that cannot be read now. What only a person can settle is thrown. */
async function readOwn(visit: SiteVisit): Promise<Attempt | TidingsError> {
  try {
    return await read(visit.config.url, visit, { isMirror: false });
  } catch (error) {
    if (isPassing(error, visit) && !(error instanceof SafetyStopError)) return error;
    throw error;
  }
}

/** Undefined when the mirror is no help. */
async function readMirror(mirror: string, visit: SiteVisit): Promise<SiteComparison | undefined> {
  try {
    const { comparison } = await read(mirror, visit, { isMirror: true });
    return comparison;
  } catch (error) {
    if (isPassing(error, visit)) return undefined;
    throw error;
  }
}

function isPassing(error: unknown, { ports }: SiteVisit): error is TidingsError {
  return error instanceof TidingsError && !isOfTheStore(error) && !ports.signal.aborted;
}

/** Throws when nothing could be read and nothing follows from that. */
async function read(
  address: string,
  { config, allowDeletes, recorder, ports }: SiteVisit,
  { isMirror }: { readonly isMirror: boolean },
): Promise<Attempt> {
  const { url, id, maxPages } = config;
  const before = recorder.before();
  // On a mirror nothing is ever gone, so that nothing needs to be asked for twice.
  const witness = createReadingWitness(createCarefulWays(ports, (page) => !isMirror && before.pages.has(page)));
  const source = liveSource({
    base: new URL(address),
    client: witness.client,
    pages: witness.pages,
    gunzip: ports.gunzip,
    maxWaitMs: MAX_WAIT_MS,
    isMirror,
    ...(maxPages !== undefined && { maxPages }),
  });
  const comparison = await source.compare(before, {
    site: new URL(url),
    accepts: createPathFilter(config),
    allowDeletes,
    words: wordsFor(id),
    signal: ports.signal,
    onPage: recorder.onPage,
  });
  const { reached, vanished, failures, skipped = [] } = comparison;
  const isGone = reached === 0 && vanished.length > 0;
  if (reached === 0 && !isGone) throw witness.error ?? unreadError(address, [...failures, ...skipped]);
  const { href } = new URL(address);
  const hasFailed = failures.some(({ file }) => file === href) && witness.hasFailed(href);
  return { comparison, isDoubtful: hasFailed || (isGone && !allowDeletes) };
}

function unreadError(address: string, [failure]: SiteComparison['failures']): TidingsError {
  return new SourceUnreadError(
    address,
    failure === undefined ? 'No page was found.' : `${failure.file}: ${failure.message}`,
  );
}

async function record(
  comparison: SiteComparison,
  { config, allowDeletes, recorder }: SiteVisit,
  mirror?: string,
): Promise<SourceReading> {
  const { id, url } = config;
  const advice = 'Look at the site in a browser';
  if (!allowDeletes) stopIfTooMuchVanishes(comparison, recorder.size, { name: url, advice, words: wordsFor(id) });
  await recorder.finish(comparison, mirror);
  const { pages, failures, skipped } = comparison;
  return { pages: pages.size, unread: failures.length, notes: notesOf(failures, skipped ?? []) };
}
