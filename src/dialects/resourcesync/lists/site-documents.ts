import { type EncodedDocumentLimits, MAX_ENTRIES } from '../../../codecs/resourcesync/encode.ts';
import { indexEntry, splitDocument } from '../../../codecs/resourcesync/split-document.ts';
import type { Link } from '../../../codecs/resourcesync/wire.ts';
import type { SiteCollection } from './collection.ts';
import { DESCRIPTION_PATH, documentUrl, type PlacedDocument, pathsOf } from './paths.ts';

/** Another capability of a collection, such as a dump. */
export interface OfferedCapability {
  readonly capability: string;
  readonly url: string;
}

/** The Source Description. If it is too large, its parts and then their index. */
export function sourceDescription(
  collections: readonly SiteCollection[],
  {
    site,
    whole,
    limits,
  }: { readonly site: URL; readonly whole: SiteCollection; readonly limits: EncodedDocumentLimits },
): readonly PlacedDocument[] {
  const entries = collections.map((collection) => ({
    loc: documentUrl(pathsOf(collection).capabilityList, site),
    md: { capability: 'capabilitylist' },
    links: [{ rel: 'describes', href: collection.describes }, ...describedbyLinks(collection, site)],
  }));
  const head = { capability: 'description', isIndex: false, md: {}, links: describedbyLinks(whole, site) } as const;
  const parts = splitDocument({ ...head, entries }, limits);
  if (!parts.ok) throw new Error(parts.issues[0].message);
  if (parts.value.length === 1) return [{ path: DESCRIPTION_PATH, document: { ...head, entries } }];

  const placed = parts.value.map((document, at) => ({ path: partPath(at + 1), document }));
  const listed = placed.map(({ path, document }) => indexEntry(documentUrl(path, site), document));
  const index = { ...head, isIndex: true, entries: listed.slice(0, MAX_ENTRIES) };
  return [...placed, { path: DESCRIPTION_PATH, document: index }];
}

function partPath(number: number): string {
  return `resourcesync/description-${number}.xml`;
}

/** The Capability List of a collection; `up` is the path of the Source Description that names it. */
export function capabilityList(
  collection: SiteCollection,
  {
    site,
    up,
    hasIndex,
    offered,
  }: {
    readonly site: URL;
    readonly up: string;
    readonly hasIndex: boolean;
    readonly offered: readonly OfferedCapability[];
  },
): PlacedDocument {
  const paths = pathsOf(collection);
  const links = [
    { rel: 'up', href: documentUrl(up, site) },
    { rel: 'describes', href: collection.describes },
    ...describedbyLinks(collection, site),
  ];
  const own = [
    { capability: 'resourcelist', url: documentUrl(paths.resourceList, site) },
    { capability: 'changelist', url: documentUrl(hasIndex ? paths.changeListIndex : paths.changeList, site) },
  ];
  const entries = [...own, ...offered].map(({ capability, url }) => ({ loc: url, md: { capability }, links: [] }));
  return {
    path: paths.capabilityList,
    document: { capability: 'capabilitylist', isIndex: false, md: {}, links, entries },
  };
}

function describedbyLinks(collection: SiteCollection, site: URL): readonly Link<number>[] {
  const { describedby } = collection;
  if (describedby !== undefined) return [{ rel: 'describedby', href: describedby }];
  return [{ rel: 'describedby', href: documentUrl(pathsOf(collection).about, site), type: ABOUT_MEDIA_TYPE }];
}

export const ABOUT_MEDIA_TYPE = 'application/ld+json';

/** The title and author of a collection in schema.org terms; undefined if they are described elsewhere. */
export function aboutText(collection: SiteCollection, site: URL): string | undefined {
  const { describes, title, author, describedby } = collection;
  if (describedby !== undefined) return undefined;
  const about = {
    '@context': 'https://schema.org',
    '@type': describes === site.href ? 'WebSite' : 'Collection',
    name: title,
    author: { '@type': 'Person', name: author },
    url: describes,
  };
  return `${JSON.stringify(about, null, 2)}\n`;
}
