import { stateContradictionError } from '../errors/state-refusals.ts';
import { decodeLogParts, LOG_FILE, type LogPart, logTextOf, readLogParts } from '../log/log-parts.ts';
import { decodePagesHead, type PagesFile } from '../log/pages-file.ts';
import { decodePagesLayout, decodePagesPart, type PagesPart, pagesPartPath } from '../log/pages-parts.ts';
import type { Change } from '../model/change.ts';
import type { Place } from '../model/folder.ts';
import { mendPages } from './mend-pages.ts';

export { LOG_FILE };
export const PAGES_FILE = 'pages.ndjson';

export interface PublishedState {
  /** The log from the place that has most of it; empty before the first publish. */
  readonly logParts: readonly LogPart[];
  /** Whether the first of the places has all of it. */
  readonly isOwnLog: boolean;
  /** pages.ndjson in the first of the places, and the names of the parts that exist there. */
  readonly ownPages: Uint8Array | undefined;
  readonly ownParts: readonly string[];
  readonly changes: readonly Change[];
  readonly pages: PagesFile;
  /** The files that contain the pages, if there are several. */
  readonly parts: readonly PagesPart[];
  /** How many changes the feeds on the site are known to contain: what `pages` said before it was repaired. */
  readonly published: number;
}

interface Copy {
  readonly place: Place;
  readonly logParts: readonly LogPart[];
  readonly pages: Uint8Array | undefined;
}

/**
 * What was published so far, from every place that may know: `--state`, the live site, the folder itself.
 *
 * A log only grows, so of two honest copies one is a prefix of the other, and the longest is the newest. Copies that are not prefixes of each other
 * are a contradiction, and so is the log of another site.
 */
export async function loadState(places: readonly Place[], site: URL): Promise<PublishedState> {
  const copies = await Promise.all(places.map(readCopy));
  const ownPages = copies[0]?.pages;
  const ownParts = ownPages === undefined ? [] : partNames(ownPages, nameOf(copies[0]?.place));
  const own = { ownPages, ownParts };
  const candidates = copies.filter(({ logParts }) => logParts.length > 0);
  const newest = pickNewest(candidates);
  if (newest === undefined) {
    return { ...own, logParts: [], isOwnLog: true, changes: [], pages: EMPTY, parts: [], published: 0 };
  }

  const { name } = newest.place;
  const { site: loggedSite, changes } = decodeLogParts(newest.logParts, name);
  if (loggedSite !== site.href) {
    throw stateContradictionError(
      [`${name}/${LOG_FILE}`, `--site ${site.href}`],
      `that log is the history of ${loggedSite}.`,
      'Give the same --site as before, or another --state and --out for another site.',
    );
  }
  const { pages, parts } = await newestPages(candidates);
  const mended = mendPages(pages, changes, name);
  const isOwnLog = copies[0] === newest || logTextOf(copies[0]?.logParts ?? []) === logTextOf(newest.logParts);
  return { ...own, logParts: newest.logParts, isOwnLog, changes, pages: mended, parts, published: pages.log };
}

async function readCopy(place: Place): Promise<Copy> {
  const logParts = await readLogParts(place);
  return { place, logParts, pages: await place.read(PAGES_FILE) };
}

const EMPTY: PagesFile = { log: 0, marks: {}, pages: new Map() };

function pickNewest(candidates: readonly Copy[]): Copy | undefined {
  let newest: Copy | undefined;
  for (const candidate of candidates) {
    if (newest === undefined) {
      newest = candidate;
      continue;
    }
    const [known, other] = [logTextOf(newest.logParts), logTextOf(candidate.logParts)];
    const [shorter, longer] = known.length < other.length ? [known, other] : [other, known];
    if (!longer.startsWith(shorter)) {
      throw stateContradictionError(
        [`${newest.place.name}/${LOG_FILE}`, `${candidate.place.name}/${LOG_FILE}`],
        'neither log is the beginning of the other.',
        'Keep the one that your followers have read (the live one) and remove the other.',
      );
    }
    if (longer !== known) newest = candidate;
  }
  return newest;
}

interface FoundPages {
  readonly pages: PagesFile;
  readonly parts: readonly PagesPart[];
}

async function newestPages(candidates: readonly Copy[]): Promise<FoundPages> {
  let newest: FoundPages = { pages: EMPTY, parts: [] };
  for (const { place, pages: head } of candidates) {
    if (head === undefined) continue;
    const { log } = decodePagesHead(head, nameOf(place));
    // A copy that is not newer is not read, only checked against its digest if it is whole.
    const isNewer = newest.pages === EMPTY || log > newest.pages.log;
    const names = partNames(head, nameOf(place));
    if (!isNewer && names.length > 0) continue;
    const parts = await readParts(place, names);
    const pages = decodePagesLayout({ head, parts }, nameOf(place));
    if (isNewer) newest = { pages, parts };
  }
  return newest;
}

/** The number of simultaneous requests for parts of a live site. */
const AT_ONCE = 8;

async function readParts(place: Place, names: readonly string[]): Promise<readonly PagesPart[]> {
  const parts: PagesPart[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE).map(async (name) => {
      const path = pagesPartPath(name);
      return decodePagesPart(name, await place.read(path), `${place.name}/${path}`);
    });
    parts.push(...(await Promise.all(some)));
  }
  return parts;
}

function partNames(head: Uint8Array, name: string): readonly string[] {
  return decodePagesHead(head, name).parts;
}

function nameOf(place: Place | undefined): string {
  return `${place?.name}/${PAGES_FILE}`;
}
