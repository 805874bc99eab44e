import type { WrittenDocument } from '../../../codecs/resourcesync/encode.ts';
import type { ChangeKind, ResourceEntry } from '../../../codecs/resourcesync/wire.ts';
import type { PageRecord } from '../../../log/pages-file.ts';
import { readIfThere } from '../../../log/read-if-there.ts';
import type { Change } from '../../../model/change.ts';
import type { SiteCollection } from '../lists/collection.ts';
import { type ListedChange, listedChanges, timeOf } from '../lists/listed-changes.ts';
import { documentUrl, pathsOf } from '../lists/paths.ts';
import { resourceEntry } from '../lists/resource-list.ts';
import { type DumpFiles, dumpPathsOf } from './dump-files.ts';
import type { DumpTools } from './dump-tools.ts';
import {
  digestOf,
  type MadePackage,
  makePackage,
  PACKAGE_TYPE,
  type PlannedEntry,
  splitPackages,
} from './make-package.ts';
import { packageNames } from './package-names.ts';
import { type ListedPackage, readPublishedDump } from './published-dump.ts';

export interface DumpedChanges {
  /** The whole log, which is not empty. */
  readonly changes: readonly Change[];
  /** How many of them this publish added. */
  readonly grownBy: number;
  readonly pages: ReadonlyMap<string, PageRecord>;
  /** Whether an address belongs to the collection. */
  readonly holds: (url: string) => boolean;
  /** This publish changes which pages the collection holds, so its earlier packages no longer fit. */
  readonly isAnew: boolean;
}

/**
 * Writes what changed in a collection, publish by publish, with the new bytes of its pages. The dump begins with the first publish
 * that dumps. A package never changes once it is listed. Changes that no package has yet, because a publish was cut off or did not
 * dump, go into the next one.
 */
export async function writeChangeDump(
  collection: SiteCollection,
  dumped: DumpedChanges,
  world: DumpTools,
): Promise<DumpFiles> {
  const paths = dumpPathsOf(collection);
  const { fromMs, packages } = await publishedSoFar(collection, dumped, world);
  const beginMs = packages.at(-1)?.untilMs ?? fromMs;
  const made = await newPackages(collection, { ...dumped, beginMs }, world);
  const entries = [...packages, ...made].map((each) => packageEntry(each, world.site));
  const up = { rel: 'up', href: documentUrl(pathsOf(collection).capabilityList, world.site) };
  const document: WrittenDocument = {
    capability: 'changedump',
    isIndex: false,
    md: { from: fromMs },
    links: [up],
    entries,
  };
  return { path: paths.changeDump, document, written: [...packages, ...made].map(({ path }) => path) };
}

interface PublishedSoFar {
  readonly fromMs: number;
  readonly packages: readonly ListedPackage[];
}

/** The listed packages that are available, copied to `out`. After a lost package the dump starts again. */
async function publishedSoFar(
  collection: SiteCollection,
  { changes, grownBy, isAnew }: DumpedChanges,
  world: DumpTools,
): Promise<PublishedSoFar> {
  if (isAnew) return { fromMs: startOf(changes, grownBy), packages: [] };
  const { site, out, previous } = world;
  const path = dumpPathsOf(collection).changeDump;
  const dumps = [];
  for (const place of previous === undefined ? [out] : [out, previous]) {
    const dump = await readPublishedDump(place, path, { capability: 'changedump', site });
    if (dump?.fromMs !== undefined) dumps.push({ fromMs: dump.fromMs, packages: dump.packages });
  }
  const endOf = ({ fromMs, packages }: PublishedSoFar) => packages.at(-1)?.untilMs ?? fromMs;
  const newest = dumps.reduce<PublishedSoFar | undefined>(
    (best, dump) => (best === undefined || endOf(dump) > endOf(best) ? dump : best),
    undefined,
  );
  if (newest === undefined) return { fromMs: startOf(changes, grownBy), packages: [] };

  let { fromMs } = newest;
  let packages: ListedPackage[] = [];
  for (const each of newest.packages) {
    if (each.untilMs !== undefined && (await bringPackage(each, world))) packages.push(each);
    else {
      packages = [];
      fromMs = each.untilMs ?? fromMs;
    }
  }
  return { fromMs, packages };
}

/** The time of the publish before this one. The dump covers only what happened after it. */
function startOf(changes: readonly Change[], grownBy: number): number {
  const before = changes[changes.length - grownBy - 1];
  if (before !== undefined) return timeOf(before);
  const [oldest] = changes;
  if (oldest === undefined) throw new Error('A log without changes is not dumped.');
  return timeOf(oldest) - 1;
}

async function bringPackage({ path, length, hash }: ListedPackage, { out, previous }: DumpTools): Promise<boolean> {
  if (out.sizeOf(path) === length) return true;
  const bytes = previous && (await readIfThere(previous, path));
  if (bytes === undefined || bytes.length !== length || digestOf(bytes) !== hash) return false;
  await out.replace(path, bytes);
  return true;
}

/** Empty if the bytes of a page are not available now: then the next publish packs all changes. */
async function newPackages(
  collection: SiteCollection,
  { changes, pages, holds, beginMs }: DumpedChanges & { readonly beginMs: number },
  world: DumpTools,
): Promise<readonly ListedPackage[]> {
  const told = changes.findLastIndex((change) => timeOf(change) <= beginMs) + 1;
  const listed = listedChanges(changes, told + 1).filter(({ url }) => holds(url));
  const last = changes.at(-1);
  if (listed.length === 0 || last === undefined) return [];
  const untilMs = timeOf(last);
  const made: ListedPackage[] = [];
  for (const planned of splitPackages(plannedChanges(listed, pages, world.site), world.limits)) {
    const head = {
      capability: 'changedump-manifest',
      isIndex: false,
      md: { from: beginMs, until: untilMs },
      links: [{ rel: 'up', href: documentUrl(pathsOf(collection).capabilityList, world.site) }],
    } as const;
    const { bytes, missing }: MadePackage = await makePackage(head, planned, world);
    if (missing.length > 0) return [];
    const path = dumpPathsOf(collection).changePackage(last.seq, made.length + 1);
    await world.out.replace(path, bytes);
    made.push({ path, length: bytes.length, hash: digestOf(bytes), fromMs: beginMs, untilMs });
  }
  return made;
}

/** The last change of each page, with the bytes that the page has now. */
function plannedChanges(
  listed: readonly ListedChange[],
  pages: ReadonlyMap<string, PageRecord>,
  site: URL,
): readonly PlannedEntry[] {
  const net = new Map<string, { readonly change: ChangeKind; readonly timeMs: number }>();
  for (const { url, change, timeMs } of listed) {
    const isStillNew = change === 'updated' && net.get(url)?.change === 'created';
    net.delete(url);
    net.set(url, { change: isStillNew ? 'created' : change, timeMs });
  }
  const names = packageNames([...net.keys()], site);
  return Array.from(net, ([url, { change, timeMs }]) => {
    if (change === 'deleted') return { entry: { loc: url, md: { change, datetime: timeMs }, links: [] } };
    const page = pages.get(url) ?? UNKNOWN;
    const entry = resourceEntry(page);
    const md = { ...entry.md, change, datetime: timeMs, path: `/${names.get(url) ?? ''}` };
    return { page, entry: { ...entry, loc: url, md } };
  });
}

/** Stands in for a page that only the log knows. */
const UNKNOWN: PageRecord = { url: '', file: '', extractor: '', line: new Uint8Array() };

function packageEntry({ path, length, hash, fromMs, untilMs }: ListedPackage, site: URL): ResourceEntry<number> {
  const times = { ...(fromMs !== undefined && { from: fromMs }), ...(untilMs !== undefined && { until: untilMs }) };
  return { loc: documentUrl(path, site), md: { type: PACKAGE_TYPE, length, hash, ...times }, links: [] };
}
