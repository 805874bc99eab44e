import { groupBy } from '../../../codecs/primitives/group-by.ts';
import { encodeResourceSync } from '../../../codecs/resourcesync/encode.ts';
import type { PageRecord } from '../../../log/pages-file.ts';
import type { Artifact } from '../../../model/artifact.ts';
import type { Change } from '../../../model/change.ts';
import type { CollectionSetting } from '../../../model/collection.ts';
import { NOTHING, type Projected } from '../../projection.ts';
import {
  changeListIndex,
  closedChangeList,
  type ListedSite,
  lastChangeMs,
  openChangeList,
} from '../lists/change-lists.ts';
import type { SiteCollection } from '../lists/collection.ts';
import { changedPages, grownChangeList, grownResourceList, type ListsBefore } from '../lists/grow-lists.ts';
import { byPath, type PlacedDocument, pathsOf } from '../lists/paths.ts';
import type { ListPlan } from '../lists/plan-lists.ts';
import { resourceListOf } from '../lists/resource-list.ts';
import {
  ABOUT_MEDIA_TYPE,
  aboutText,
  capabilityList,
  type OfferedCapability,
  sourceDescription,
} from '../lists/site-documents.ts';
import { sitemapOf } from '../lists/sitemap.ts';

export interface ResourceSyncOptions {
  readonly site: URL;
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly collections?: readonly CollectionSetting[] | undefined;
  /** So many entries a document holds, 50,000 at most. */
  readonly listEntries?: number | undefined;
  /** So many bytes a document has, 50 MB at most. */
  readonly listBytes?: number | undefined;
  readonly sitemap?: boolean | undefined;
}

export interface ResourceSyncSite {
  readonly pages: ReadonlyMap<string, PageRecord>;
  /** The whole log. */
  readonly changes: readonly Change[];
  readonly plan: ListPlan;
  /** Closed lists that are there as an earlier publish wrote them. */
  readonly intact: { has(path: string): boolean };
  /** What the publish before this one wrote, where that is known. */
  readonly before?: ListsBefore | undefined;
  /** What else collections offer, by the URLs that identify them. */
  readonly offered?: ReadonlyMap<string, readonly OfferedCapability[]>;
}

/**
 * A site's pages and its log as ResourceSync: nothing else is remembered, so that what is lost or damaged is made again. Only a
 * closed list that is as an earlier publish wrote it is taken as it is.
 */
export function publishResourceSync(published: ResourceSyncSite, options: ResourceSyncOptions): Projected {
  const { plan, changes, pages, intact } = published;
  const { site } = options;
  if (plan.lists.length === 0) return NOTHING;

  const { collections, lists } = plan;
  const limits = {
    ...(options.listEntries !== undefined && { maxEntries: options.listEntries }),
    ...(options.listBytes !== undefined && { maxBytes: options.listBytes }),
  };
  const listed: ListedSite = { site, changes, collections };
  const described = lists.map(({ collection }) => collection);
  const description = sourceDescription(described, { site, whole: collections.whole, limits });
  const isWhole = collections.parts.length === 0;
  const pagesOf = isWhole
    ? new Map([[collections.whole, [...pages.values()]]])
    : groupBy(pages.values(), ({ url }) => collections.of(url));
  const { before } = published;
  const changed = before && changedPages(before.pages, pages);
  const files: Artifact[] = [];
  const kept: string[] = [];
  const addBytes = (path: string, bytes: Uint8Array) => files.push({ path, ...XML, bytes });
  const add = ({ path, document }: PlacedDocument) => files.push(xmlFile(path, documentText(document)));

  for (const collection of new Set([collections.whole, ...described])) files.push(...aboutFiles(collection, site));
  for (const each of lists) {
    const { collection, firsts } = each;
    const own = pagesOf.get(collection) ?? [];
    const atMs = own.reduce((latest, { modifiedMs = 0 }) => Math.max(latest, modifiedMs), lastChangeMs(each, listed));
    const ownChanged = changed?.filter(({ url }) => isWhole || collections.of(url) === collection);
    const grown =
      before &&
      ownChanged &&
      grownResourceList(collection, { changed: ownChanged, pages: own.length, atMs }, listed, { before, limits });
    if (grown !== undefined) addBytes(pathsOf(collection).resourceList, grown);
    else {
      const sorted = own.toSorted(byUrl);
      for (const document of resourceListOf(collection, { pages: sorted, atMs, site }, limits)) add(document);
    }
    for (let at = 0; at < firsts.length - 1; at += 1) {
      const path = pathsOf(collection).closedList(each.past + at + 1);
      // One that was made by marks which are lost may have been another one.
      if (at < each.knownClosed && intact.has(path)) kept.push(path);
      else add(closedChangeList(each, at, listed));
    }
    const hasIndex = firsts.length > 1;
    if (hasIndex) add(changeListIndex(each, listed));
    const offered = published.offered?.get(collection.describes) ?? [];
    add(capabilityList(collection, { site, up: descriptionOf(collection, description, site), hasIndex, offered }));
    // Behind what leads to the closed lists: until then it still holds what moved there.
    const open = before && grownChangeList(each, listed, before);
    if (open !== undefined) addBytes(pathsOf(collection).changeList, open);
    else add(openChangeList(each, listed));
  }
  for (const document of description) add(document);
  if (options.sitemap) {
    for (const { path, text } of sitemapOf(pages.keys(), { site, changes, limits })) files.push(xmlFile(path, text));
  }
  return inOrder(files, kept);
}

/** Files to be written and those that stay, with one rule for each. */
function inOrder(files: readonly Artifact[], kept: readonly string[]): Projected {
  const rules = [
    ...files.map(({ path, mediaType, cacheControl }) => ({ path, mediaType, cacheControl })),
    ...kept.map((path) => ({ path, ...XML })),
  ];
  return { files, rules: rules.toSorted(byPath), paths: rules.map(({ path }) => path).toSorted() };
}

/** Of several Source Descriptions the one that names the collection. */
function descriptionOf(collection: SiteCollection, description: readonly PlacedDocument[], site: URL): string {
  const loc = site.href + pathsOf(collection).capabilityList;
  const found = description.find(({ document }) => document.entries.some((entry) => entry.loc === loc));
  if (found === undefined) throw new Error(`No Source Description names ${loc}.`);
  return found.path;
}

function aboutFiles(collection: SiteCollection, site: URL): readonly Artifact[] {
  const text = aboutText(collection, site);
  if (text === undefined) return [];
  const { about: path } = pathsOf(collection);
  return [{ path, mediaType: ABOUT_MEDIA_TYPE, cacheControl: REVALIDATE, bytes: Buffer.from(text) }];
}

/** A cache may keep it but asks first. */
const REVALIDATE = 'no-cache';
export const XML = { mediaType: 'application/xml; charset=utf-8', cacheControl: REVALIDATE };

function xmlFile(path: string, text: string): Artifact {
  return { path, ...XML, bytes: Buffer.from(text) };
}

/** What is over the limits by itself, such as one long entry, is written all the same: a split cannot make it smaller. */
function documentText(document: PlacedDocument['document']): string {
  const text = encodeResourceSync(document, { maxEntries: Infinity, maxBytes: Infinity });
  if (!text.ok) throw new Error(`${text.issues[0].clause}: ${text.issues[0].message}`);
  return text.value;
}

function byUrl(a: PageRecord, b: PageRecord): number {
  if (a.url === b.url) return 0;
  return a.url < b.url ? -1 : 1;
}
