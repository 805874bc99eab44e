import { isLoc } from '../../codecs/resourcesync/absolute-url.ts';
import type { WrittenDocument } from '../../codecs/resourcesync/encode.ts';
import type { Entry, Head } from '../../codecs/resourcesync/wire.ts';
import type { PageRecord } from '../pages-file.ts';
import type { SiteCollection } from '../resourcesync/collection.ts';
import { documentUrl, pathsOf } from '../resourcesync/paths.ts';
import { resourceEntry } from '../resourcesync/resource-list.ts';
import { type DumpFiles, dumpPathsOf } from './dump-files.ts';
import type { DumpWorld } from './dump-world.ts';
import { digestOf, makePackage, manifestText, PACKAGE_TYPE, type PlannedEntry, splitPackages } from './make-package.ts';
import { packageNames } from './package-names.ts';
import { type PublishedDump, readPublishedDump } from './published-dump.ts';

/**
 * The pages of a collection as they are at `atMs`, in packages, and the list of those. Packages are written as they are made, so that one
 * at a time is held; one that would hold the same stays as it is.
 */
export async function writeResourceDump(
  collection: SiteCollection,
  { pages, atMs }: { readonly pages: readonly PageRecord[]; readonly atMs: number },
  world: DumpWorld,
): Promise<DumpFiles> {
  const { site, out, limits } = world;
  const paths = dumpPathsOf(collection);
  const published = await readPublishedDump(out, paths.resourceDump, { capability: 'resourcedump', site });
  const entries: Entry<number>[] = [];
  const written: string[] = [];
  for (const [index, planned] of splitPackages(plannedPages(pages, site), limits).entries()) {
    const path = paths.resourcePackage(index + 1);
    const manifestPath = paths.resourceManifest(index + 1);
    const head = manifestHead(collection, planned, site);
    const facts =
      (await keptPackage(
        {
          path,
          manifestPath,
          manifest: manifestText(
            head,
            planned.map(({ entry }) => entry),
          ),
        },
        published,
        world,
      )) ?? (await newPackage({ path, manifestPath, head }, planned, world));
    const contents = { rel: 'contents', href: documentUrl(manifestPath, site), type: 'application/xml' };
    const md = { type: PACKAGE_TYPE, ...facts, ...(head.md.at !== undefined && { at: head.md.at }) };
    entries.push({ loc: documentUrl(path, site), md, links: [contents] });
    written.push(path, manifestPath);
  }
  const up = { rel: 'up', href: documentUrl(pathsOf(collection).capabilityList, site) };
  const document: WrittenDocument = {
    capability: 'resourcedump',
    isIndex: false,
    md: { at: atMs },
    links: [up],
    entries,
  };
  return { path: paths.resourceDump, document, written };
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

/** Of the time when the newest of its pages came: nothing in it was otherwise since. */
function manifestHead(collection: SiteCollection, planned: readonly PlannedEntry[], site: URL): Head<number> {
  const at = planned.reduce((latest, { page }) => Math.max(latest, page?.modifiedMs ?? 0), 0);
  const up = { rel: 'up', href: documentUrl(pathsOf(collection).capabilityList, site) };
  return { capability: 'resourcedump-manifest', isIndex: false, md: { at }, links: [up] };
}

interface PackageFacts {
  readonly hash: string;
  readonly length: number;
}

/** The package that is there, if it holds these very pages and is whole. */
async function keptPackage(
  { path, manifestPath, manifest }: { readonly path: string; readonly manifestPath: string; readonly manifest: string },
  published: PublishedDump | undefined,
  { out }: DumpWorld,
): Promise<PackageFacts | undefined> {
  const listed = published?.packages.find((each) => each.path === path);
  if (listed === undefined || out.sizeOf(path) !== listed.length) return undefined;
  const known = await out.read(manifestPath);
  if (known === undefined || Buffer.compare(known, Buffer.from(manifest)) !== 0) return undefined;
  const bytes = await out.read(path);
  const { hash, length } = listed;
  return bytes !== undefined && digestOf(bytes) === hash ? { hash, length } : undefined;
}

async function newPackage(
  { path, manifestPath, head }: { readonly path: string; readonly manifestPath: string; readonly head: Head<number> },
  planned: readonly PlannedEntry[],
  world: DumpWorld,
): Promise<PackageFacts> {
  const { bytes, manifest } = await makePackage(head, planned, world);
  await world.out.replace(path, bytes);
  await world.out.replace(manifestPath, Buffer.from(manifest));
  return { hash: digestOf(bytes), length: bytes.length };
}
