import { groupBy } from '../../../codecs/primitives/group-by.ts';
import { type EncodedDocumentLimits, encodeResourceSync } from '../../../codecs/resourcesync/encode.ts';
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
import { changedPages } from '../lists/changed-pages.ts';
import type { SiteCollection } from '../lists/collection.ts';
import { timeOf } from '../lists/listed-changes.ts';
import { byPath, type PlacedDocument, pathsOf } from '../lists/paths.ts';
import { type ListPlan, limitsOf, wideLimitsOf } from '../lists/plan-lists.ts';
import { type ListedPages, type PartedList, partedResourceList, resourceListOf } from '../lists/resource-list.ts';
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
  /** The most entries in a document, up to 50,000. */
  readonly listEntries?: number | undefined;
  /** The most bytes in a document, up to 50 MB. */
  readonly listBytes?: number | undefined;
  readonly sitemap?: boolean | undefined;
  /** Used without limits: a Resource List with more than `above` entries is split into parts of about `aboutEntries`. */
  readonly parts?: { readonly above: number; readonly aboutEntries: number } | undefined;
}

/** What the previous publish wrote, with the same settings. */
export interface ListsBefore {
  readonly pages: ReadonlyMap<string, PageRecord>;
  /** How many changes the log had. */
  readonly log: number;
  /** The unchanged documents in the folder. */
  readonly documents: { has(path: string): boolean };
}

/** A single document is rewritten with every change; of several parts, only those that changed. */
const PARTS = { above: 500, aboutEntries: 100 };

export interface ResourceSyncSite {
  readonly pages: ReadonlyMap<string, PageRecord>;
  /** The whole log. */
  readonly changes: readonly Change[];
  readonly plan: ListPlan;
  /** Closed lists that are unchanged since an earlier publish. */
  readonly intact: { has(path: string): boolean };
  /** What the previous publish wrote, if known. */
  readonly before?: ListsBefore | undefined;
  /** Further capabilities of collections, by the URLs that identify the collections. */
  readonly offered?: ReadonlyMap<string, readonly OfferedCapability[]>;
}

/**
 * A site's pages and its log as ResourceSync. Nothing else is remembered, so lost or damaged files are made again. Only a closed
 * list that is unchanged since an earlier publish is kept.
 */
export function publishResourceSync(published: ResourceSyncSite, options: ResourceSyncOptions): Projected {
  const { plan, changes, pages, intact } = published;
  const { site } = options;
  if (plan.lists.length === 0) return NOTHING;

  const { collections, lists } = plan;
  const limits = limitsOf(options);
  const listed: ListedSite = { site, changes, collections };
  const described = lists.map(({ collection }) => collection);
  const description = sourceDescription(described, { site, whole: collections.whole, limits: wideLimitsOf(options) });
  const isWhole = collections.parts.length === 0;
  const pagesOf = isWhole
    ? new Map([[collections.whole, [...pages.values()]]])
    : groupBy(pages.values(), ({ url }) => collections.of(url));
  const files: Artifact[] = [];
  const kept: string[] = [];
  const add = ({ path, document }: PlacedDocument) => files.push(xmlFile(path, documentText(document)));

  for (const collection of new Set([collections.whole, ...described])) files.push(...aboutFiles(collection, site));
  for (const each of lists) {
    const { collection, firsts } = each;
    const own = pagesOf.get(collection) ?? [];
    const atMs = own.reduce((latest, { modifiedMs = 0 }) => Math.max(latest, modifiedMs), lastChangeMs(each, listed));
    const resources = resourceLists(
      collection,
      { pages: own.toSorted(byUrl), atMs, site },
      { published, options, limits },
    );
    for (const document of resources.documents) add(document);
    kept.push(...resources.kept);
    for (let at = 0; at < firsts.length - 1; at += 1) {
      const path = pathsOf(collection).closedList(each.past + at + 1);
      // A list made from marks that are lost may have been a different one.
      if (at < each.knownClosed && intact.has(path)) kept.push(path);
      else add(closedChangeList(each, at, listed));
    }
    const hasIndex = firsts.length > 1;
    if (hasIndex) add(changeListIndex(each, listed));
    const offered = published.offered?.get(collection.describes) ?? [];
    add(capabilityList(collection, { site, up: descriptionOf(collection, description, site), hasIndex, offered }));
    // Written after what leads to the closed lists: until then it still holds the changes that moved there.
    add(openChangeList(each, listed));
  }
  for (const document of description) add(document);
  if (options.sitemap) {
    for (const { path, text } of sitemapOf(pages.keys(), { site, changes, limits: wideLimitsOf(options) }))
      files.push(xmlFile(path, text));
  }
  return inOrder(files, kept);
}

interface ListMaking {
  readonly published: ResourceSyncSite;
  readonly options: ResourceSyncOptions;
  readonly limits: EncodedDocumentLimits;
}

function resourceLists(
  collection: SiteCollection,
  listed: ListedPages,
  { published, options, limits }: ListMaking,
): PartedList {
  const { plan, before, changes, pages } = published;
  const { parts = PARTS, listEntries, listBytes } = options;
  if (listEntries !== undefined || listBytes !== undefined || listed.pages.length <= parts.above) {
    return { documents: resourceListOf(collection, listed, limits), kept: [] };
  }
  const isOwn = (url: string) => plan.collections.of(url) === collection;
  const deletions = new Map<string, number>();
  const gone: string[] = [];
  for (const change of changes) {
    const isGone = change.kind === 'page' && change.action === 'delete' && change.anchor === undefined;
    if (!isGone || !isOwn(change.url)) continue;
    deletions.set(change.url, timeOf(change));
    // Includes a page that the previous lists never had.
    if (change.seq > (before?.log ?? 0)) gone.push(change.url);
  }
  return partedResourceList(collection, listed, {
    aboutEntries: parts.aboutEntries,
    changed: before && [...changedPages(before.pages, pages).filter(isOwn), ...gone],
    isThere: (path) => before?.documents.has(path) ?? false,
    deletions,
  });
}

/** Combines files to write with files that stay, with one rule for each. */
function inOrder(files: readonly Artifact[], kept: readonly string[]): Projected {
  const rules = [
    ...files.map(({ path, mediaType, cacheControl }) => ({ path, mediaType, cacheControl })),
    ...kept.map((path) => ({ path, ...XML })),
  ];
  return { files, rules: rules.toSorted(byPath), paths: rules.map(({ path }) => path).toSorted() };
}

/** The one of several Source Descriptions that names the collection. */
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

/** A cache may store it but must revalidate. */
const REVALIDATE = 'no-cache';
export const XML = { mediaType: 'application/xml; charset=utf-8', cacheControl: REVALIDATE };

function xmlFile(path: string, text: string): Artifact {
  return { path, ...XML, bytes: Buffer.from(text) };
}

/** A document that exceeds the limits by itself, such as one long entry, is written anyway: splitting cannot make it smaller. */
function documentText(document: PlacedDocument['document']): string {
  const text = encodeResourceSync(document, { maxEntries: Infinity, maxBytes: Infinity });
  if (!text.ok) throw new Error(`${text.issues[0].clause}: ${text.issues[0].message}`);
  return text.value;
}

function byUrl(a: PageRecord, b: PageRecord): number {
  if (a.url === b.url) return 0;
  return a.url < b.url ? -1 : 1;
}
