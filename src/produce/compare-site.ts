import { hash } from 'node:crypto';
import { pageUrl } from '../crawl/site-address.ts';
import { diffPages } from '../diff/diff-pages.ts';
import { isOwnPage } from '../extract/own-page.ts';
import { othersFirst } from '../log/others-first.ts';
import { decodePageRecord, type PageRecord, withPageFile } from '../log/pages-file.ts';
import type { BuiltSite, FileFailure } from '../model/folder.ts';
import { linkedMoves } from './linked-moves.ts';
import type { LookedFile, SiteLook } from './look-at-site.ts';
import { SiteFrame } from './site-frame.ts';
import { UNRULED } from './site-rules.ts';
import type { CompareOptions, SiteChange, SiteComparison } from './site-source.ts';
import { takeTurn } from './take-turn.ts';

/** The event loop gets a turn after this many parsed files: parsing one takes as long as hashing many. */
const PARSED_PER_TURN = 8;

/**
 * Compares the built site with what is stored about it.
 *
 * A file with the same bytes as before is not parsed. If a file cannot be read or has become empty, its page stays as it was. A page counts as
 * vanished only if the whole folder could be listed. `look` is the result of a look that was just taken.
 */
export async function compareSite(
  built: BuiltSite,
  before: ReadonlyMap<string, PageRecord>,
  { site, cleanUrls, trailingSlash, accepts = () => true, rules = UNRULED, signal, onProgress, onPage }: CompareOptions,
  look?: SiteLook,
): Promise<SiteComparison> {
  const listing = look?.listing ?? built.list();
  const pages = new Map<string, PageRecord>();
  const changes: SiteChange[] = [];
  const redirects = new Map<string, string>();
  let [reached, unmatched] = [0, 0];
  const frame = new SiteFrame();
  const failures: FileFailure[] = [...listing.failures];
  const fail = (path: string, message: string) => failures.push({ file: `${built.name}/${path}`, message });

  let parsed = 0;
  for (const [index, path] of listing.paths.entries()) {
    const turn = takeTurn(index, listing.paths.length, { signal, onProgress });
    if (turn !== undefined) await turn;
    const url = pageUrl(site, path, { cleanUrls, trailingSlash });
    if (isErrorPage(path) || !accepts(url)) continue;
    if (pages.has(url)) {
      fail(path, `another file is served at ${url} too. Remove one of them.`);
      continue;
    }
    const known = before.get(url);
    const wanted = { known, extractor: rules.now.extractor };
    const glance = sameAs(look?.files.get(path), wanted) ?? glanceAt(built, path, wanted);
    if (glance.is === 'other' && isOwnPage(glance.bytes)) continue;
    // The extractor is loaded for the first file that must be parsed.
    const read =
      glance.is === 'other' ? (await import('./built-page.ts')).readBuiltPage(glance, url, known, rules) : glance;
    if (read.is === 'failed') {
      fail(path, read.message);
      if (known !== undefined) pages.set(url, known);
    } else if (read.is === 'same') {
      reached += 1;
      pages.set(url, read.record);
    } else if (read.is === 'redirect') redirects.set(url, read.target);
    else {
      reached += 1;
      unmatched += Number(read.page.isUnmatched ?? false);
      parsed += 1;
      if (parsed % PARSED_PER_TURN === 0) await othersFirst();
      pages.set(url, read.record);
      changes.push(...read.changes);
      if (known !== undefined) frame.note({ finer: [], ...read, known });
      if (onPage !== undefined) await onPage(read);
    }
  }
  onProgress?.(listing.paths.length, listing.paths.length);

  const { changes: told, pages: framed } = frame.settle(changes, pages.size);
  const missing = [...before.values()].filter(({ url }) => !pages.has(url));
  const gone = listing.failures.length > 0 ? [] : missing;
  if (gone.length < missing.length) for (const record of missing) pages.set(record.url, record);
  const deletions = gone.flatMap((record) => diffPages(decodePageRecord(record), undefined));
  const linked = linkedMoves([...told, ...deletions], { before, after: pages, redirects });
  return { pages, changes: linked, vanished: gone.map(({ url }) => url), reached, failures, unmatched, frame: framed };
}

type Glance =
  | { readonly is: 'same'; readonly record: PageRecord }
  | { readonly is: 'other'; readonly bytes: Uint8Array; readonly file: string }
  | { readonly is: 'failed'; readonly message: string };

interface WantedPage {
  readonly known: PageRecord | undefined;
  /** The current extractor version. */
  readonly extractor: string;
}

/** Compares only the bytes. */
function glanceAt(built: BuiltSite, path: string, wanted: WantedPage): Glance {
  let bytes: Uint8Array;
  try {
    bytes = built.read(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { is: 'failed', message: `it could not be read (${reason}).` };
  }
  const file = hash('sha256', bytes, 'base64url');
  const same = sameAs({ file, bytes: bytes.length }, wanted);
  if (same !== undefined) return same;
  // A generator that opens a file for writing empties it first.
  if (wanted.known !== undefined && bytes.length === 0) return { is: 'failed', message: 'it is empty now.' };
  return { is: 'other', bytes, file };
}

/** The known page, if its file is unchanged. */
function sameAs(looked: LookedFile | undefined, { known, extractor }: WantedPage): Glance | undefined {
  if (looked === undefined || known?.file !== looked.file || known.extractor !== extractor) return undefined;
  return { is: 'same', record: known.bytes === undefined ? withPageFile(known, { bytes: looked.bytes }) : known };
}

/** The pages that static hosts send for missing URLs, also per language. A page about the status 404 is not one of them. */
function isErrorPage(path: string): boolean {
  return /^(?:[a-z]{2,3}(?:[-_][a-z0-9]{2,8})?\/)?404(?:\/index)?\.html?$/i.test(path);
}
