import { FOUND_LATE, ForeignFileError } from '../../../errors/foreign-file-error.ts';
import { stateContradictionError } from '../../../errors/state-refusals.ts';
import type { Artifact } from '../../../model/artifact.ts';
import type { Change } from '../../../model/change.ts';
import type { Place } from '../../../model/folder.ts';
import { dumpPathsOf } from '../dumps/dump-files.ts';
import type { ListMarks } from '../lists/list-marks.ts';
import { DESCRIPTION_PATH, documentUrl, FOLDER, pathsOf } from '../lists/paths.ts';
import { type SiteSettings, siteCollections } from '../lists/site-collections.ts';
import { SITEMAP_PATH } from '../lists/sitemap.ts';

export interface WishedLists extends SiteSettings {
  readonly sitemap?: boolean | undefined;
  readonly dumps?: boolean | undefined;
}

const MOVE_IT = 'Move it and its lists away, or leave resourcesync out of --formats to keep them as they are.';

/**
 * Before a site is first published as ResourceSync, no other file may be where its documents will be, because an author wrote it.
 * Only reads.
 *
 * The marks show whether the site was published before. If they are lost, existing documents are ours if one of them shows it: all
 * begin with the same bytes and link to others of this site. Empty files are ignored. Our own documents without their log are
 * refused, too: another log would publish another history under the same names.
 */
export async function refuseForeignLists(
  { out, dir }: { readonly out: Place; readonly dir: Place | undefined },
  { marks, changes }: { readonly marks: readonly ListMarks[] | undefined; readonly changes: readonly Change[] },
  wished: WishedLists,
): Promise<void> {
  if (marks !== undefined) return;
  for (const place of dir === undefined ? [out] : [out, dir]) {
    const found: string[] = [];
    let isOurs = false;
    for (const path of firstPaths(wished)) {
      const bytes = await place.read(path);
      if (bytes === undefined || bytes.length === 0) continue;
      found.push(path);
      isOurs ||= isOwnDocument(Buffer.from(bytes), wished.site);
    }
    const [first] = found;
    if (first === undefined) continue;
    const file = `${place.name}/${first}`;
    if (!isOurs) throw new ForeignFileError(file, MOVE_IT);
    if (changes.length > 0) continue;
    throw stateContradictionError([file, 'the log'], 'these lists tell of changes that the log does not have.', REMEDY);
  }
}

const REMEDY =
  'Give the --state that they were made with, or --previous with the live site, or move the folder resourcesync and the Source Description away to begin anew.';

/**
 * Throws if a file would be overwritten that the last publish did not write, because it is an author's, unless its content shows
 * that it is ours. `written` are the known files of the last publish.
 */
export async function refuseOverwriting(
  files: readonly Artifact[],
  out: Place,
  { written, site }: { readonly written: ReadonlySet<string>; readonly site: URL },
): Promise<void> {
  for (const { path } of files) {
    if (written.has(path)) continue;
    const bytes = Buffer.from((await out.read(path)) ?? []);
    if (bytes.length === 0 || isOwnDocument(bytes, site) || isOwnMetadata(bytes) || isOwnSitemap(bytes, site)) continue;
    throw new ForeignFileError(`${out.name}/${path}`, MOVE_IT, FOUND_LATE);
  }
}

/** The paths that a first publish may write. Of documents that are split, only the first part. */
function firstPaths({ sitemap, dumps, ...settings }: WishedLists): readonly string[] {
  const { whole, parts } = siteCollections(settings);
  return [
    DESCRIPTION_PATH,
    `${FOLDER}/description-1.xml`,
    ...[whole, ...parts].flatMap((collection) => {
      const { about, capabilityList, resourceList, resourceListPart, ...more } = pathsOf(collection);
      const lists = [more.changeList, more.closedList(1), more.changeListIndex];
      const { resourceDump, changeDump } = dumpPathsOf(collection);
      return [
        capabilityList,
        resourceList,
        resourceListPart(1),
        ...lists,
        ...(collection.describedby === undefined ? [about] : []),
        ...(dumps ? [resourceDump, changeDump] : []),
      ];
    }),
    ...(sitemap ? [SITEMAP_PATH, SITEMAP_PATH.replace('.xml', '-1.xml')] : []),
  ];
}

const HEAD =
  /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<(?:urlset|sitemapindex) xmlns="[^"]+" xmlns:rs="[^"]+"(?: xmlns:xlink="[^"]+")?>\n {2}<rs:/;
const HEAD_BYTES = 400;

/** Each of our documents has a link or an entry that leads to another one in the same folder. */
function isOwnDocument(bytes: Buffer, site: URL): boolean {
  if (!HEAD.test(bytes.toString('latin1', 0, HEAD_BYTES))) return false;
  const folder = documentUrl(`${FOLDER}/`, site).replaceAll('&', '&amp;');
  return bytes.includes(`"${folder}`) || bytes.includes(`<loc>${folder}`);
}

function isOwnMetadata(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, ABOUT_START.length) === ABOUT_START;
}

const ABOUT_START = '{\n  "@context": "https://schema.org",\n  "@type": "';

function isOwnSitemap(bytes: Buffer, site: URL): boolean {
  const start = bytes.toString('utf8', 0, HEAD_BYTES + site.href.length);
  return SITEMAP_HEAD.test(start) && start.includes(`<loc>${site.href.replaceAll('&', '&amp;')}`);
}

const SITEMAP_HEAD =
  /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<(?:urlset|sitemapindex) xmlns="[^"]+">\n {2}<(?:url|sitemap)>\n {4}<loc>/;
