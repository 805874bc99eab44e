import { hash } from 'node:crypto';
import { isHttpUrl } from '../../../codecs/resourcesync/absolute-url.ts';
import { SettingRefusedError } from '../../../errors/setting-refused-error.ts';
import type { CollectionSetting } from '../../../model/collection.ts';
import { collectionName } from '../../../model/collection.ts';
import { nameOfPlace } from '../../../model/name-of-place.ts';
import type { SiteCollection } from './collection.ts';
import { FOLDER } from './paths.ts';

export interface SiteSettings {
  readonly site: URL;
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly collections?: readonly CollectionSetting[] | undefined;
}

export interface SiteCollections {
  /** Holds what no other collection holds. */
  readonly whole: SiteCollection;
  /** The other collections, as configured. */
  readonly parts: readonly SiteCollection[];
  /** The collection that an address of the site belongs to: the smallest one that holds it. */
  of(url: string): SiteCollection;
  /** Identifies the collections inside one, whose pages it does not hold; undefined if there are none. */
  within(collection: SiteCollection): string | undefined;
}

/**
 * The collections of a site. `known` are those that it was published with, in order. They keep their folders, even when others come
 * or go.
 *
 * Throws a {@link SettingRefusedError} for a collection that the site cannot have.
 */
export function siteCollections(settings: SiteSettings, known: readonly string[] = []): SiteCollections {
  const { site, collections = [], author = site.host } = settings;
  const configured = new Map<string, CollectionSetting>();
  for (const collection of collections) {
    const describes = describedBy(collection, site);
    if (configured.has(describes)) throw refused(collection.path, 'Each collection needs a path of its own.');
    configured.set(describes, collection);
  }
  const own = configured.get(site.href);
  const folders = foldersOf([...known, ...configured.keys()], site);
  const whole: SiteCollection = {
    describes: site.href,
    folder: FOLDER,
    title: own?.title ?? settings.title ?? nameOfPlace(site),
    author: own?.author ?? author,
    describedby: own === undefined ? undefined : metadataOf(own, site),
  };
  const parts = [...configured]
    .filter(([describes]) => describes !== site.href)
    .map(([describes, collection]): SiteCollection => {
      const { title = nameOfPlace(new URL(describes)) } = collection;
      const describedby = metadataOf(collection, site);
      const folder = folders.get(describes) ?? FOLDER;
      return { describes, folder, title, author: collection.author ?? author, describedby };
    });
  const longestFirst = parts.toSorted((a, b) => b.describes.length - a.describes.length);
  const of = (url: string) => longestFirst.find(({ describes }) => holds(describes, url)) ?? whole;
  const within = ({ describes }: SiteCollection) => {
    const inner = parts.filter((part) => part.describes !== describes && part.describes.startsWith(describes));
    if (inner.length === 0) return undefined;
    return hash('sha256', JSON.stringify(inner.map((part) => part.describes).sort()), 'base64url').slice(0, 22);
  };
  return { whole, parts, of: parts.length === 0 ? () => whole : of, within };
}

/** A folder always gets its slash. Only the name of a page counts as a file, because folders may have dots too, as in /v1.2/. */
function describedBy({ path }: CollectionSetting, site: URL): string {
  let url: URL;
  try {
    url = new URL(path, site);
  } catch {
    throw refused(path, 'Give the path of a part of the site, like /blog/.');
  }
  if (url.search !== '' || url.hash !== '') throw refused(path, 'A path has no query and no fragment.');
  if (!/(?:\/|\.html?|\.xhtml)$/i.test(url.pathname)) url.pathname += '/';
  if (url.href.startsWith(site.href)) return url.href;
  throw refused(path, `It leads to ${url.href}, which is not below ${site.href}.`);
}

function metadataOf({ describedby }: CollectionSetting, site: URL): string | undefined {
  if (describedby === undefined) return undefined;
  try {
    const { href } = new URL(describedby, site);
    if (isHttpUrl(href)) return href;
  } catch {
    // Refused below.
  }
  throw new SettingRefusedError('collections.describedby', describedby, 'Give the URL of a page or file about it.');
}

function foldersOf(describes: readonly string[], site: URL): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  const taken = new Set<string>();
  for (const each of new Set(describes)) {
    if (each === site.href || !isHttpUrl(each)) continue;
    // For a site below a path, the name of a part does not repeat that path.
    const below = each.startsWith(site.href) ? new URL(`/${each.slice(site.href.length)}`, site).href : each;
    const name = collectionName(below, taken);
    taken.add(name);
    folders.set(each, `${FOLDER}/${name}`);
  }
  return folders;
}

/** A page may be served without the slash of the folder that it stands for. */
function holds(describes: string, url: string): boolean {
  if (!describes.endsWith('/')) return url === describes;
  return url.startsWith(describes) || (url.length === describes.length - 1 && describes.startsWith(url));
}

function refused(path: string, remedy: string): SettingRefusedError {
  return new SettingRefusedError('collections', path, remedy);
}
