/**
 * ResourceSync 1.1 (ANSI/NISO Z39.99): what a site has and what changed there, as sitemaps with two elements more.
 *
 *     <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
 *       <rs:ln rel="up" href="https://example.com/my-shrine/capabilitylist.xml"/>
 *       <rs:md capability="changelist" from="1972-12-31T00:00:00Z"/>
 *       <url>
 *         <loc>https://example.com/my-shrine/my-page/</loc>
 *         <rs:md change="updated" datetime="2022-11-06T10:00:00Z"/>
 *       </url>
 *     </urlset>
 *
 * Every document kind has this form; an index of documents is a `sitemapindex` of `sitemap`s with the same capability.
 *
 * Spec: http://www.openarchives.org/rs/1.1/resourcesync
 */

export const SITEMAP_NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
export const RS_NAMESPACE = 'http://www.openarchives.org/rs/terms/';
export const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';

/** The path of the Source Description of a host (RS-S1). */
export const WELL_KNOWN_PATH = '/.well-known/resourcesync';

/** The kinds of documents. `description` is a Source Description. */
export const CAPABILITIES = [
  'description',
  'capabilitylist',
  'resourcelist',
  'changelist',
  'resourcedump',
  'resourcedump-manifest',
  'changedump',
  'changedump-manifest',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Only these can be split with an index. */
export const INDEXED_CAPABILITIES: ReadonlySet<Capability> = new Set<Capability>([
  'description',
  'resourcelist',
  'changelist',
  'resourcedump',
  'changedump',
]);

export const CHANGE_KINDS = ['created', 'updated', 'deleted'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What `rs:md` says about a document or an entry. Times are {@link TimeSpan}s when read and milliseconds when written. */
export interface ResourceMetadata<Time> {
  /** In an entry it may also be one that no document kind has. */
  readonly capability?: string;
  readonly change?: ChangeKind;
  /** When the change happened. */
  readonly datetime?: Time;
  readonly from?: Time;
  /** A list that has it is closed: it does not change any more. */
  readonly until?: Time;
  readonly at?: Time;
  readonly completed?: Time;
  readonly modified?: Time;
  /** `md5:…`, `sha-256:…` in hex, separated by blanks. */
  readonly hash?: string;
  /** In bytes. */
  readonly length?: number;
  readonly type?: string;
  /** The path of the resource in a package: begins with a slash and does not leave it. */
  readonly path?: string;
  readonly encoding?: string;
  /** For people: `xlink:title`, which is not an attribute of ResourceSync but allowed on every element. */
  readonly title?: string;
}

/** `rs:ln`: a related resource. */
export interface Link<Time> {
  readonly rel: string;
  readonly href: string;
  readonly modified?: Time;
  readonly hash?: string;
  readonly length?: number;
  readonly type?: string;
  readonly path?: string;
  readonly encoding?: string;
  /** For people: `xlink:title`. */
  readonly title?: string;
  /** Of several links with one relation, the lowest comes first: 1 to 999999. */
  readonly pri?: number;
}

/** A `url` or a `sitemap`. */
export interface ResourceEntry<Time> {
  readonly loc: string;
  readonly lastmod?: Time;
  readonly md: ResourceMetadata<Time>;
  readonly links: readonly Link<Time>[];
}

/** Everything before the entries. */
export interface Head<Time> {
  readonly capability: Capability;
  readonly isIndex: boolean;
  readonly md: ResourceMetadata<Time>;
  readonly links: readonly Link<Time>[];
}

export type Attributes<Time> = Omit<ResourceMetadata<Time>, 'capability' | 'change'> & { readonly pri?: number };

/** The common attributes of `rs:md` and `rs:ln`. */
export const TIME_ATTRIBUTES = ['datetime', 'from', 'until', 'at', 'completed', 'modified'] as const;
export const TEXT_ATTRIBUTES = ['hash', 'type', 'path', 'encoding'] as const;

/** The address that a document or an entry gives for a relation: `describes`, `describedby`, `up`, `index`, `contents`. */
export function hrefOf({ links }: { readonly links: readonly Link<unknown>[] }, rel: string): string | undefined {
  return links.find((link) => link.rel === rel)?.href;
}
