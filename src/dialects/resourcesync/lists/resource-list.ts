import { isLoc } from '../../../codecs/resourcesync/absolute-url.ts';
import type { EncodedDocumentLimits } from '../../../codecs/resourcesync/encode.ts';
import { indexEntry, splitDocument } from '../../../codecs/resourcesync/split-document.ts';
import type { Head, ResourceEntry, ResourceMetadata } from '../../../codecs/resourcesync/wire.ts';
import type { PageRecord } from '../../../log/pages-file.ts';
import type { SiteCollection } from './collection.ts';
import { documentUrl, type PlacedDocument, pathsOf } from './paths.ts';

/** The Resource List of a collection; where it is too large, its parts and then their index. */
export function resourceListOf(
  collection: SiteCollection,
  { pages, atMs, site }: { readonly pages: readonly PageRecord[]; readonly atMs: number; readonly site: URL },
  limits: EncodedDocumentLimits,
): readonly PlacedDocument[] {
  const { resourceList, resourceListPart } = pathsOf(collection);
  const index = { rel: 'index', href: documentUrl(resourceList, site) };
  const entries = pages.filter(({ url }) => isLoc(url)).map(resourceEntry);
  const head = resourceListHead(collection, atMs, site);
  const parts = splitDocument({ ...head, links: [...head.links, index], entries }, limits);
  if (!parts.ok) throw new Error(parts.issues[0].message);
  if (parts.value.length === 1) return [{ path: resourceList, document: { ...head, entries } }];

  const placed = parts.value.map((document, at) => ({ path: resourceListPart(at + 1), document }));
  const listed = placed.map(({ path, document }) => indexEntry(documentUrl(path, site), document));
  return [...placed, { path: resourceList, document: { ...head, isIndex: true, entries: listed } }];
}

export function resourceListHead(collection: SiteCollection, atMs: number, site: URL): Head<number> {
  const up = { rel: 'up', href: documentUrl(pathsOf(collection).capabilityList, site) };
  return { capability: 'resourcelist', isIndex: false, md: { at: atMs }, links: [up] };
}

/** A page as it is served. Of one that is only known from the log, neither hash nor length are. */
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
