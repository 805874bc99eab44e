import { ForeignFileError } from '../../errors/foreign-file-error.ts';
import { dumpPathsOf } from '../dumps/dump-files.ts';
import type { Place } from '../folder.ts';
import type { ListMarks } from '../pages-file.ts';
import { DESCRIPTION_PATH, documentUrl, FOLDER, pathsOf } from '../resourcesync/paths.ts';
import { type SiteSettings, siteCollections } from '../resourcesync/site-collections.ts';
import { SITEMAP_PATH } from '../resourcesync/sitemap.ts';

export interface WishedLists extends SiteSettings {
  readonly sitemap?: boolean | undefined;
  readonly dumps?: boolean | undefined;
}

const MOVE_IT = 'Move it and its lists away, or leave resourcesync out of --formats to keep them as they are.';

/**
 * Before a site is first published as ResourceSync, nothing may be where its documents will be: an author wrote it. Reads only.
 *
 * The page state knows whether it was (`known`). Where that is lost, documents that are there are ours if one of them tells so: all
 * begin with the same bytes, and lead to others of this site. An empty file is a loss to nobody.
 */
export async function refuseForeignLists(
  { out, dir }: { readonly out: Place; readonly dir: Place | undefined },
  known: readonly ListMarks[] | undefined,
  wished: WishedLists,
): Promise<void> {
  if (known !== undefined) return;
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
    if (first !== undefined && !isOurs) throw new ForeignFileError(`${place.name}/${first}`, MOVE_IT);
  }
}

/** What a first publish may write, of documents that become several the first one. */
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

/** Each of ours has a link or an entry that leads to another, all of which are in one folder. */
function isOwnDocument(bytes: Buffer, site: URL): boolean {
  if (!HEAD.test(bytes.toString('latin1', 0, HEAD_BYTES))) return false;
  const folder = documentUrl(`${FOLDER}/`, site).replaceAll('&', '&amp;');
  return bytes.includes(`"${folder}`) || bytes.includes(`<loc>${folder}`);
}
