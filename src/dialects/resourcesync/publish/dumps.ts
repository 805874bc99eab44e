import { hash } from 'node:crypto';
import { groupBy } from '../../../codecs/primitives/group-by.ts';
import { encodeResourceSync, MAX_ENTRIES } from '../../../codecs/resourcesync/encode.ts';
import type { PageRecord } from '../../../log/pages-file.ts';
import type { Artifact, HeaderRule } from '../../../model/artifact.ts';
import type { Change } from '../../../model/change.ts';
import { writeChangeDump } from '../dumps/change-dump.ts';
import type { DumpFiles } from '../dumps/dump-files.ts';
import type { DumpTools } from '../dumps/dump-tools.ts';
import { writeResourceDump } from '../dumps/resource-dump.ts';
import { lastChangeMs } from '../lists/change-lists.ts';
import { documentUrl } from '../lists/paths.ts';
import type { ListPlan } from '../lists/plan-lists.ts';
import type { OfferedCapability } from '../lists/site-documents.ts';
import { DUMP_BYTES, type Dumping } from './dump-settings.ts';

export interface DumpOptions {
  readonly site: URL;
  /** The most bytes that a package unpacks to, and so about its largest size; 16 MiB by default. */
  readonly dumpBytes?: number | undefined;
  /** The most entries in a manifest, up to 50,000. */
  readonly listEntries?: number | undefined;
}

export interface DumpedSite extends Dumping, Pick<DumpTools, 'out' | 'previous'> {
  readonly pages: ReadonlyMap<string, PageRecord>;
  /** The whole log. */
  readonly changes: readonly Change[];
  /** How many of them this publish added. */
  readonly grownBy: number;
  readonly plan: ListPlan;
}

export interface PublishedDumps {
  /** The lists of packages, in writing order. The packages are already written. */
  readonly files: readonly Artifact[];
  readonly rules: readonly HeaderRule[];
  readonly paths: readonly string[];
  /** Packages that were listed until now. A client that is reading the old lists still needs them. */
  readonly unlisted: readonly string[];
  /** For the Capability Lists, by the URLs that identify the collections. */
  readonly offered: ReadonlyMap<string, readonly OfferedCapability[]>;
}

/** Publishes the Resource Dump and the Change Dump of each collection. */
export async function publishDumps(dumped: DumpedSite, options: DumpOptions): Promise<PublishedDumps> {
  const { pages, changes, grownBy, plan, out, previous, deflate } = dumped;
  const { site, dumpBytes: maxBytes = DUMP_BYTES, listEntries: maxEntries = MAX_ENTRIES } = options;
  const readPage = (page: PageRecord) => trueBytes(page, dumped.readPage);
  const world: DumpTools = { site, out, previous, limits: { maxEntries, maxBytes }, readPage, deflate };
  const pagesOf = groupBy(pages.values(), ({ url }) => plan.collections.of(url).describes);
  const files: Artifact[] = [];
  const packages: string[] = [];
  const unlisted: string[] = [];
  const offered = new Map<string, readonly OfferedCapability[]>();
  const listed = { site, changes, collections: plan.collections };
  for (const lists of plan.lists) {
    const { collection, isAnew } = lists;
    const { describes } = collection;
    const holds = (url: string) => plan.collections.of(url).describes === describes;
    const own = (pagesOf.get(describes) ?? []).toSorted((a, b) => (a.url < b.url ? -1 : 1));
    const dumps = [
      await writeResourceDump(collection, { pages: own, atMs: latestMs(own, lastChangeMs(lists, listed)) }, world),
      await writeChangeDump(collection, { changes, grownBy, pages, holds, isAnew }, world),
    ];
    files.push(...dumps.map(listFile));
    packages.push(...dumps.flatMap(({ written }) => written));
    unlisted.push(...dumps.flatMap((dump) => dump.unlisted ?? []));
    offered.set(
      describes,
      dumps.map(({ path, document: { capability } }) => ({ capability, url: documentUrl(path, site) })),
    );
  }
  const rules = files.map(({ path, mediaType, cacheControl }) => ({ path, mediaType, cacheControl }));
  return { files, rules, paths: [...files.map(({ path }) => path), ...packages], unlisted, offered };
}

function latestMs(pages: readonly PageRecord[], atLeastMs: number): number {
  return pages.reduce((latest, { modifiedMs = 0 }) => Math.max(latest, modifiedMs), atLeastMs);
}

/** A file that differs from its record was written in the meantime: the next publish reads it. */
function trueBytes(page: PageRecord, read: (url: string) => Uint8Array | undefined): Uint8Array | undefined {
  if (page.file === '') return undefined;
  const bytes = read(page.url);
  return bytes !== undefined && hash('sha256', bytes, 'base64url') === page.file ? bytes : undefined;
}

function listFile({ path, document }: DumpFiles): Artifact {
  const text = encodeResourceSync(document);
  if (!text.ok) throw new Error(`${text.issues[0].clause}: ${text.issues[0].message}`);
  return {
    path,
    mediaType: 'application/xml; charset=utf-8',
    cacheControl: 'no-cache',
    bytes: Buffer.from(text.value),
  };
}
