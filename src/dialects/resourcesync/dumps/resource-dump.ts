import { isLoc } from '../../../codecs/resourcesync/absolute-url.ts';
import type { WrittenDocument } from '../../../codecs/resourcesync/encode.ts';
import type { Head, ResourceEntry } from '../../../codecs/resourcesync/wire.ts';
import type { PageRecord } from '../../../log/pages-file.ts';
import type { NearPlace } from '../../../model/folder.ts';
import type { SiteCollection } from '../lists/collection.ts';
import { documentUrl, pathsOf } from '../lists/paths.ts';
import { resourceEntry } from '../lists/resource-list.ts';
import { type DumpFiles, dumpPathsOf } from './dump-files.ts';
import type { DumpTools } from './dump-tools.ts';
import { digestOf, makePackage, manifestText, PACKAGE_TYPE, type PlannedEntry, splitPackages } from './make-package.ts';
import { packageNames } from './package-names.ts';
import { type ListedPackage, readPublishedDump } from './published-dump.ts';

/**
 * Writes the pages of a collection as of `atMs` in packages, and makes the list of them. Each package is written as soon as it is
 * made, so that only one is in memory. A package with the same content is kept.
 */
export async function writeResourceDump(
  collection: SiteCollection,
  { pages, atMs }: { readonly pages: readonly PageRecord[]; readonly atMs: number },
  world: DumpTools,
): Promise<DumpFiles> {
  const { site, out, limits } = world;
  const paths = dumpPathsOf(collection);
  const published = await readPublishedDump(out, paths.resourceDump, { capability: 'resourcedump', site });
  const entries: ResourceEntry<number>[] = [];
  const written: string[] = [];
  for (const [index, planned] of splitPackages(plannedPages(pages, site), limits).entries()) {
    const head = manifestHead(collection, planned, site);
    const { path, hash, length } =
      (await keptPackage(published?.packages[index], { head, planned }, out)) ??
      (await newPackage((bytes) => paths.resourcePackage(index + 1, bytes), { head, planned }, world));
    const contents = { rel: 'contents', href: documentUrl(manifestPathOf(path), site), type: 'application/xml' };
    const md = { type: PACKAGE_TYPE, hash, length, ...(head.md.at !== undefined && { at: head.md.at }) };
    entries.push({ loc: documentUrl(path, site), md, links: [contents] });
    written.push(path, manifestPathOf(path));
  }
  const listed = published?.packages.flatMap(({ path }) => [path, manifestPathOf(path)]) ?? [];
  const up = { rel: 'up', href: documentUrl(pathsOf(collection).capabilityList, site) };
  const document: WrittenDocument = {
    capability: 'resourcedump',
    isIndex: false,
    md: { at: atMs },
    links: [up],
    entries,
  };
  return { path: paths.resourceDump, document, written, unlisted: listed.filter((path) => !written.includes(path)) };
}

/** The path of the copy of the manifest beside each package. */
function manifestPathOf(path: string): string {
  return path.replace(/\.zip$/, '.xml');
}

function plannedPages(pages: readonly PageRecord[], site: URL): readonly PlannedEntry[] {
  const known = pages.filter(({ url, file, bytes }) => isLoc(url) && file !== '' && bytes !== undefined);
  const names = packageNames(
    known.map(({ url }) => url),
    site,
  );
  return known.map((page) => {
    const entry = resourceEntry(page);
    return { page, entry: { ...entry, md: { ...entry.md, path: `/${names.get(page.url) ?? ''}` } } };
  });
}

/** Its time is that of the newest page in it, because nothing in it changed since. */
function manifestHead(collection: SiteCollection, planned: readonly PlannedEntry[], site: URL): Head<number> {
  const at = planned.reduce((latest, { page }) => Math.max(latest, page?.modifiedMs ?? 0), 0);
  const up = { rel: 'up', href: documentUrl(pathsOf(collection).capabilityList, site) };
  return { capability: 'resourcedump-manifest', isIndex: false, md: { at }, links: [up] };
}

interface PlannedPackage {
  readonly head: Head<number>;
  readonly planned: readonly PlannedEntry[];
}

/** The listed package, if it holds exactly these pages and is intact. */
async function keptPackage(
  listed: ListedPackage | undefined,
  { head, planned }: PlannedPackage,
  out: NearPlace,
): Promise<ListedPackage | undefined> {
  if (listed === undefined || out.sizeOf(listed.path) !== listed.length) return undefined;
  const entries = planned.map(({ entry }) => entry);
  const known = await out.read(manifestPathOf(listed.path));
  if (known === undefined || Buffer.compare(known, Buffer.from(manifestText(head, entries))) !== 0) return undefined;
  const bytes = await out.read(listed.path);
  return bytes !== undefined && digestOf(bytes) === listed.hash ? listed : undefined;
}

async function newPackage(
  pathOf: (bytes: Uint8Array) => string,
  { head, planned }: PlannedPackage,
  world: DumpTools,
): Promise<ListedPackage> {
  const { bytes, manifest } = await makePackage(head, planned, world);
  const path = pathOf(bytes);
  await world.out.replace(path, bytes);
  await world.out.replace(manifestPathOf(path), Buffer.from(manifest));
  return { path, hash: digestOf(bytes), length: bytes.length };
}
