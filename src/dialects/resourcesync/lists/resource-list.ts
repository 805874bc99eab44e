import { isLoc } from '../../../codecs/resourcesync/absolute-url.ts';
import type { EncodedDocumentLimits } from '../../../codecs/resourcesync/encode.ts';
import { indexEntry, splitDocument } from '../../../codecs/resourcesync/split-document.ts';
import type { Head, ResourceEntry, ResourceMetadata } from '../../../codecs/resourcesync/wire.ts';
import type { PageRecord } from '../../../log/pages-file.ts';
import type { SiteCollection } from './collection.ts';
import { changedParts, listParts, partAt } from './list-parts.ts';
import { documentUrl, type PlacedDocument, pathsOf } from './paths.ts';

export interface ListedPages {
  /** Sorted by address. */
  readonly pages: readonly PageRecord[];
  readonly atMs: number;
  readonly site: URL;
}

/** The Resource List of a collection. If it is too large, its parts and then their index. */
export function resourceListOf(
  collection: SiteCollection,
  { pages, atMs, site }: ListedPages,
  limits: EncodedDocumentLimits,
): readonly PlacedDocument[] {
  const { resourceList, resourceListPart } = pathsOf(collection);
  const entries = pages.filter(({ url }) => isLoc(url)).map(resourceEntry);
  const head = resourceListHead(collection, atMs, site);
  const parts = splitDocument({ ...partHead(collection, atMs, site), entries }, limits);
  if (!parts.ok) throw new Error(parts.issues[0].message);
  if (parts.value.length === 1) return [{ path: resourceList, document: { ...head, entries } }];

  const placed = parts.value.map((document, at) => ({ path: resourceListPart(at + 1), document }));
  const listed = placed.map(({ path, document }) => indexEntry(documentUrl(path, site), document));
  return [...placed, { path: resourceList, document: { ...head, isIndex: true, entries: listed } }];
}

export interface PartedList {
  /** The parts to write, and then the index of all parts. */
  readonly documents: readonly PlacedDocument[];
  /** The parts that did not change. */
  readonly kept: readonly string[];
}

/**
 * A long Resource List in parts of about `aboutEntries`, and their index. Each part carries the time of its last change, so it
 * stays the same until one of its pages changes. `changed` are the addresses of changed pages, if the previous parts are available
 * to be kept.
 */
export function partedResourceList(
  collection: SiteCollection,
  { pages, atMs, site }: ListedPages,
  {
    aboutEntries,
    changed,
    isThere,
    deletions,
  }: {
    readonly aboutEntries: number;
    readonly changed: readonly string[] | undefined;
    readonly isThere: (path: string) => boolean;
    /** The times at which pages were deleted, by address. */
    readonly deletions: ReadonlyMap<string, number>;
  },
): PartedList {
  const { resourceList, resourceListPart } = pathsOf(collection);
  const parts = listParts(
    pages.filter(({ url }) => isLoc(url)),
    aboutEntries,
  );
  const times = parts.map((part) =>
    part.pages.reduce((latest, { modifiedMs = atMs }) => Math.max(latest, modifiedMs), 0),
  );
  for (const [url, goneMs] of deletions) {
    const at = partAt(url, parts);
    if (at === -1) continue;
    times[at] = Math.max(times[at] ?? 0, goneMs);
  }
  const touched = changed && changedParts(changed, parts);
  const documents: PlacedDocument[] = [];
  const kept: string[] = [];
  const listed = parts.map((part, at) => {
    const path = resourceListPart(part.name);
    const head = partHead(collection, times[at] ?? atMs, site);
    if (touched !== undefined && !touched.has(at) && isThere(path)) kept.push(path);
    else documents.push({ path, document: { ...head, entries: part.pages.map(resourceEntry) } });
    return indexEntry(documentUrl(path, site), head);
  });
  const index = { ...resourceListHead(collection, atMs, site), isIndex: true, entries: listed };
  return { documents: [...documents, { path: resourceList, document: index }], kept };
}

function partHead(collection: SiteCollection, atMs: number, site: URL): Head<number> {
  const index = { rel: 'index', href: documentUrl(pathsOf(collection).resourceList, site) };
  const head = resourceListHead(collection, atMs, site);
  return { ...head, links: [...head.links, index] };
}

function resourceListHead(collection: SiteCollection, atMs: number, site: URL): Head<number> {
  const up = { rel: 'up', href: documentUrl(pathsOf(collection).capabilityList, site) };
  return { capability: 'resourcelist', isIndex: false, md: { at: atMs }, links: [up] };
}

/** A page as it is served. A page that is known only from the log has neither hash nor length. */
export function resourceEntry({ url: loc, file, bytes, modifiedMs }: PageRecord): ResourceEntry<number> {
  const md = file === '' ? { type: TYPE } : fileFacts(file, bytes);
  return modifiedMs === undefined ? { loc, md, links: NO_LINKS } : { loc, lastmod: modifiedMs, md, links: NO_LINKS };
}

const TYPE = 'text/html';
const NO_LINKS: readonly never[] = [];

function fileFacts(file: string, length: number | undefined): ResourceMetadata<number> {
  const hash = `sha-256:${Buffer.from(file, 'base64url').toString('hex')}`;
  return length === undefined ? { hash, type: TYPE } : { hash, length, type: TYPE };
}
