import { StateCorruptError } from '../errors/state-corrupt-error.ts';
import { stateContradictionError } from '../errors/state-refusals.ts';
import { decodeLogFile } from '../log/log-file.ts';
import { decodePagesFile, type PagesFile } from '../log/pages-file.ts';
import type { Change } from '../model/change.ts';
import type { Place } from '../model/folder.ts';
import { mendPages } from './mend-pages.ts';

export const LOG_FILE = 'log.ndjson';
export const PAGES_FILE = 'pages.ndjson';

export interface PublishedState {
  /** The log as it stands in the place that knows most of it, header included; empty before the first publish. */
  readonly logText: string;
  /** The two files as they stand in the first of the places. */
  readonly ownLogText: string | undefined;
  readonly ownPages: Uint8Array | undefined;
  readonly changes: readonly Change[];
  readonly pages: PagesFile;
  /** How many changes the feeds on the site are known to hold: what `pages` said before it was mended. */
  readonly published: number;
}

interface Copy {
  readonly name: string;
  readonly logText: string | undefined;
  readonly pages: Uint8Array | undefined;
}

interface Candidate extends Copy {
  readonly logText: string;
}

/**
 * What was published so far, from every place that may know: `--state`, the live site, the folder itself.
 *
 * A log only grows, so of two honest copies one is the beginning of the other, and the longest is the newest.
 * Copies of which neither is the beginning of the other are a contradiction, and so is the log of another site.
 */
export async function loadState(places: readonly Place[], site: URL): Promise<PublishedState> {
  const copies = await Promise.all(places.map(readCopy));
  const own = { ownLogText: copies[0]?.logText, ownPages: copies[0]?.pages };
  const candidates = copies.filter((copy): copy is Candidate => copy.logText !== undefined);
  const newest = pickNewest(candidates);
  if (newest === undefined) return { ...own, logText: '', changes: [], pages: EMPTY, published: 0 };

  const { site: loggedSite, changes } = decodeLogFile(newest.logText, `${newest.name}/${LOG_FILE}`);
  if (loggedSite !== site.href) {
    throw stateContradictionError(
      [`${newest.name}/${LOG_FILE}`, `--site ${site.href}`],
      `that log is the history of ${loggedSite}.`,
      'Give the same --site as before, or another --state and --out for another site.',
    );
  }
  const pages = newestPages(candidates);
  const mended = mendPages(pages, changes, newest.name);
  return { ...own, logText: newest.logText, changes, pages: mended, published: pages.log };
}

async function readCopy(place: Place): Promise<Copy> {
  const logText = await readText(place, LOG_FILE);
  return { name: place.name, logText, pages: await place.read(PAGES_FILE) };
}

async function readText(place: Place, path: string): Promise<string | undefined> {
  const bytes = await place.read(path);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new StateCorruptError(`${place.name}/${path}`, 'it is not UTF-8 text.', 'Restore it from a backup.');
  }
}

const EMPTY: PagesFile = { log: 0, marks: {}, pages: new Map() };

function pickNewest(candidates: readonly Candidate[]): Candidate | undefined {
  let newest: Candidate | undefined;
  for (const candidate of candidates) {
    if (newest === undefined) {
      newest = candidate;
      continue;
    }
    const [shorter, longer] =
      newest.logText.length < candidate.logText.length ? [newest, candidate] : [candidate, newest];
    if (!longer.logText.startsWith(shorter.logText)) {
      throw stateContradictionError(
        [`${newest.name}/${LOG_FILE}`, `${candidate.name}/${LOG_FILE}`],
        'neither log is the beginning of the other.',
        'Keep the one that your followers have read (the live one) and remove the other.',
      );
    }
    newest = longer;
  }
  return newest;
}

function newestPages(candidates: readonly Candidate[]): PagesFile {
  let newest = EMPTY;
  for (const { name, pages } of candidates) {
    if (pages === undefined) continue;
    const decoded = decodePagesFile(pages, `${name}/${PAGES_FILE}`);
    if (newest === EMPTY || decoded.log > newest.log) newest = decoded;
  }
  return newest;
}
