import { SafetyStopError } from '../../errors/safety-stop-error.ts';
import { sourceUnreadError } from '../../errors/source-trouble.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { liveSource } from '../../produce/live-source.ts';
import { stopIfTooMuchVanishes } from '../../produce/safety.ts';
import type { PageReading, SiteChange, SiteComparison } from '../../produce/site-source.ts';
import { volatileParts } from '../../produce/volatile/volatile-view.ts';
import type { SiteConfig } from '../config/source-config.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { createCarefulClients } from './careful-clients.ts';
import { stopIfSomebodyElses } from './other-site.ts';
import { PageRecorder } from './page-recorder.ts';
import {
  frameNotes,
  frameOf,
  isHalfRead,
  type Legibility,
  MAX_WAIT_MS,
  missingNotes,
  notesOf,
  type SourceReading,
  shortNotes,
  stopIfHalfRead,
  volatileNotes,
  wordsFor,
} from './source-reading.ts';
import { rulesRead, type SourceRules, sourceRulesOf, unmatchedNotes } from './source-rules.ts';
import { isOfTheStore } from './visit-end.ts';
import type { VisitPorts } from './visit-ports.ts';
import { createWatchedClients, type WatchedClients } from './watched-clients.ts';

/** How to read the pages of a site that also has a feed. */
export interface SiteVisitOptions {
  /** Nothing was reported of it so far: its pages are written as they come. Derived from its health by default. */
  readonly isFirstReading?: boolean;
  /** The stored pages are replaced by what is found. */
  readonly isAnew?: boolean;
  /** Decides what is reported in place of what was found. */
  readonly retell?: SiteRetelling;
  /** Receives what was found, before it is written. */
  readonly onCompared?: (comparison: SiteComparison) => void;
}

export interface SiteRetelling {
  /** Adds everything that may be reported of a page, while the page is at hand. */
  onPage?(reading: PageReading): PageReading;
  /** Decides what is reported, once all pages are known. */
  settle(comparison: SiteComparison): Promise<readonly SiteChange[]> | readonly SiteChange[];
}

interface SiteVisit extends SiteVisitOptions {
  readonly config: SiteConfig;
  readonly chosen: SourceRules;
  readonly allowDeletes: boolean;
  readonly recorder: PageRecorder;
  readonly ports: VisitPorts;
}

interface Attempt {
  readonly comparison: SiteComparison;
  readonly legibility: Legibility;
  /** Its start or half of it failed, or nothing of it is left: a mirror may know better. */
  readonly isDoubtful: boolean;
}

/**
 * Compares a live site with what is remembered of it. If it cannot be read, its mirrors are asked in order; their pages count as those of the site, under its
 * address.
 */
export async function visitSite(
  config: SiteConfig,
  source: Pick<WatchedSource, 'health' | 'allowDeletes'>,
  ports: VisitPorts,
  how: SiteVisitOptions = {},
): Promise<SourceReading> {
  const { id, fallbacks = [] } = config;
  const { isAnew = false } = how;
  const isFirstReading = !isAnew && (how.isFirstReading ?? source.health.lastOkMs === undefined);
  const chosen = sourceRulesOf(config, source.health);
  const { looks = 0 } = source.health;
  const recorder = await PageRecorder.open({ ...ports, source: id, chosen, looks, isFirstReading, isAnew });
  const visit = { ...how, config, chosen, allowDeletes: source.allowDeletes ?? false, recorder, ports };
  try {
    const own = await readOwn(visit);
    if (own instanceof TidingsError || (own.isDoubtful && fallbacks.length > 0)) {
      for (const [fallback, mirror] of fallbacks.entries()) {
        // What was found elsewhere is stored now, so that it is not new again.
        await recorder.saveNew();
        const attempt = await readMirror(mirror, visit);
        if (attempt !== undefined) return { ...(await record(attempt, visit, mirror)), fallback };
      }
    }
    if (own instanceof TidingsError) throw own;
    return await record(own, visit);
  } finally {
    await recorder.saveNew();
  }
}

/** Returns the error of a site that cannot be read now. Throws what only a person can settle. */
async function readOwn(visit: SiteVisit): Promise<Attempt | TidingsError> {
  try {
    return await read(visit.config.url, visit, { isMirror: false });
  } catch (error) {
    if (isPassing(error, visit) && !(error instanceof SafetyStopError)) return error;
    throw error;
  }
}

/** Undefined if the mirror does not help. */
async function readMirror(mirror: string, visit: SiteVisit): Promise<Attempt | undefined> {
  try {
    const attempt = await read(mirror, visit, { isMirror: true });
    return isHalfRead(attempt.legibility) ? undefined : attempt;
  } catch (error) {
    if (isPassing(error, visit)) return undefined;
    throw error;
  }
}

function isPassing(error: unknown, { ports }: SiteVisit): error is TidingsError {
  return error instanceof TidingsError && !isOfTheStore(error) && !ports.signal.aborted;
}

/** Throws if nothing could be read and nothing follows from that. */
async function read(
  address: string,
  { config, chosen, allowDeletes, recorder, ports, retell }: SiteVisit,
  { isMirror }: { readonly isMirror: boolean },
): Promise<Attempt> {
  const { url, id, maxPages, sitemap } = config;
  const before = recorder.before();
  // A mirror never makes a page count as gone, so nothing needs to be requested twice.
  const watched = createWatchedClients(createCarefulClients(ports, (page) => !isMirror && before.pages.has(page)));
  const source = liveSource({
    base: new URL(address),
    client: watched.client,
    pages: watched.pages,
    gunzip: ports.gunzip,
    maxWaitMs: MAX_WAIT_MS,
    terms: ports.terms,
    isMirror,
    ...(sitemap !== undefined && { sitemap: new URL(sitemap) }),
    ...(maxPages !== undefined && { maxPages }),
  });
  const found = await source.compare(before, {
    site: new URL(url),
    accepts: chosen.accepts,
    rules: chosen.rules,
    allowDeletes,
    looksAgain: true,
    words: wordsFor(id),
    signal: ports.signal,
    ...(ports.onProgress !== undefined && { onProgress: ports.onProgress }),
    onPage: (reading) => recorder.onPage(retell?.onPage?.(reading) ?? reading),
  });
  const comparison = withLostSitemap(found, { base: address, foundBefore: before.foundBy, watched });
  const { reached, vanished, failures, skipped = [] } = comparison;
  const isGone = reached === 0 && vanished.length > 0;
  if (reached === 0 && !isGone) throw watched.error ?? unreadError(address, [...failures, ...skipped]);
  const { href } = new URL(address);
  const hasFailed = failures.some(({ file }) => file === href) && watched.hasFailed(href);
  const legibility = legibilityOf(comparison, watched, config);
  return { comparison, legibility, isDoubtful: hasFailed || isHalfRead(legibility) || (isGone && !allowDeletes) };
}

/** Adds a failure if a site was found by its sitemaps, or robots.txt names some, and it is now read by its links. */
function withLostSitemap(comparison: SiteComparison, { base, foundBefore, watched }: LostSitemap): SiteComparison {
  const { foundBy, failures, skipped = [] } = comparison;
  const named = skipped.find(({ file }) => watched.namedSitemaps.includes(file));
  if (foundBy !== 'links' || (foundBefore !== 'sitemaps' && named === undefined)) return comparison;
  const file = named?.file ?? new URL('sitemap.xml', base).href;
  const message = 'No sitemap that can be read names pages of the site now; they are found by links.';
  return { ...comparison, failures: [...failures, { file, message }] };
}

interface LostSitemap {
  readonly base: string;
  readonly foundBefore: SiteComparison['foundBy'];
  readonly watched: WatchedClients;
}

/** Counts pages only: a sitemap that fails removes none of them. */
function legibilityOf(
  { pages, reached, failures }: SiteComparison,
  { isSitemap, namedSitemaps }: WatchedClients,
  { url, maxPages = Number.POSITIVE_INFINITY }: SiteConfig,
): Legibility {
  const isFull = reached >= maxPages;
  const ofPages = failures.filter(
    ({ file }) => !isSitemap(file) && !namedSitemaps.includes(file) && !(isFull && file === new URL(url).href),
  );
  const unread = new Set(ofPages.map(({ file }) => file)).size;
  const [first] = ofPages;
  return { unread, pages: Math.max(pages.size, reached + unread), reason: first && `${first.file}: ${first.message}` };
}

function unreadError(address: string, [failure]: SiteComparison['failures']): TidingsError {
  return sourceUnreadError(
    address,
    failure === undefined ? 'No page was found.' : `${failure.file}: ${failure.message}`,
  );
}

async function record(
  { comparison: found, legibility }: Attempt,
  { config, chosen, allowDeletes, recorder, isAnew, retell, onCompared }: SiteVisit,
  mirror?: string,
): Promise<SourceReading> {
  const { id, url } = config;
  const advice = 'Look at the site in a browser';
  onCompared?.(found);
  // If half could not be read, the next look would have nothing to compare with.
  if (isAnew) stopIfHalfRead(legibility);
  if (!isAnew && !allowDeletes && mirror === undefined) stopIfSomebodyElses(found, recorder.before().pages, config);
  const comparison = retell === undefined ? found : { ...found, changes: await retell.settle(found) };
  if (!allowDeletes) stopIfTooMuchVanishes(comparison, recorder.size, { name: url, advice, words: wordsFor(id) });
  const missing = await recorder.finish(comparison, { allowDeletes, from: mirror });
  stopIfHalfRead(legibility);
  const { pages, failures, skipped = [], unmatched } = comparison;
  const parts = volatileParts(pages.values(), recorder.look);
  const notes = shortNotes([
    ...missingNotes(missing),
    ...frameNotes(comparison),
    ...volatileNotes(parts),
    ...unmatchedNotes(unmatched),
    ...notesOf(failures, skipped),
  ]);
  return {
    pages: pages.size + missing.length,
    unread: failures.length,
    ...frameOf(comparison),
    ...parts,
    ...rulesRead(chosen),
    notes,
  };
}
