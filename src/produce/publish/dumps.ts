import { hash } from 'node:crypto';
import { groupBy } from '../../codecs/primitives/group-by.ts';
import { encodeResourceSync, MAX_ENTRIES } from '../../codecs/resourcesync/encode.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import type { Artifact } from '../../model/artifact.ts';
import type { Change } from '../../model/change.ts';
import { writeChangeDump } from '../dumps/change-dump.ts';
import type { DumpFiles } from '../dumps/dump-files.ts';
import type { DumpTools } from '../dumps/dump-tools.ts';
import { writeResourceDump } from '../dumps/resource-dump.ts';
import type { PageRecord } from '../pages-file.ts';
import { lastChangeMs } from '../resourcesync/change-lists.ts';
import { documentUrl } from '../resourcesync/paths.ts';
import type { ListPlan } from '../resourcesync/plan-lists.ts';
import type { OfferedCapability } from '../resourcesync/site-documents.ts';
import type { SiteSource } from '../site-source.ts';
import type { HeaderRule } from './static-host.ts';

export interface DumpOptions {
  readonly site: URL;
  /** So much a package unpacks to, and so about the most that it weighs; 50 MB unless said otherwise. */
  readonly dumpBytes?: number | undefined;
  /** So many entries a manifest has, 50,000 at most. */
  readonly listEntries?: number | undefined;
}

export interface DumpedSite extends Pick<DumpTools, 'out' | 'previous' | 'deflate'> {
  readonly pages: ReadonlyMap<string, PageRecord>;
  /** The whole log. */
  readonly changes: readonly Change[];
  /** How many of them are of this publish. */
  readonly grownBy: number;
  readonly plan: ListPlan;
  /** The bytes of a page as they are now. */
  readonly readPage: (url: string) => Uint8Array | undefined;
}

export interface PublishedDumps {
  /** The lists of packages, in the order in which they are to be written. The packages are written already. */
  readonly files: readonly Artifact[];
  readonly rules: readonly HeaderRule[];
  readonly paths: readonly string[];
  /** Packages that were listed until now and are listed no more. Who reads the old lists at this moment still wants them. */
  readonly unlisted: readonly string[];
  /** For the Capability Lists, by the URLs that identify the collections. */
  readonly offered: ReadonlyMap<string, readonly OfferedCapability[]>;
}

const DUMP_BYTES = 50 * 1024 * 1024;
const MAX_DUMP_BYTES = 1024 * 1024 * 1024;

/** What dumps are made with where they are wanted. Throws a {@link SettingRefusedError} where they cannot be made. */
export function ensureDumps(
  options: { readonly dumps?: boolean | undefined; readonly dumpBytes?: number | undefined },
  world: {
    readonly source: SiteSource;
    readonly deflate: DumpTools['deflate'] | undefined;
    readonly formats: readonly string[];
  },
): Pick<DumpedSite, 'readPage' | 'deflate'> | undefined {
  const { dumps = false, dumpBytes = DUMP_BYTES } = options;
  if (!(Number.isSafeInteger(dumpBytes) && dumpBytes > 0 && dumpBytes <= MAX_DUMP_BYTES)) {
    throw new SettingRefusedError('dump-bytes', dumpBytes, 'Give a whole number of bytes, 1 to 1 GB.');
  }
  if (!dumps) return undefined;
  const { source, deflate } = world;
  if (!world.formats.includes('resourcesync')) {
    throw new SettingRefusedError(
      'dumps',
      'without resourcesync',
      'Dumps are part of ResourceSync: add it to the formats.',
    );
  }
  if (source.readPage === undefined || deflate === undefined) throw liveDumpsRefused();
  return { readPage: (url) => source.readPage?.(url), deflate };
}

/** What a publish of a live site answers who wants dumps. */
export function liveDumpsRefused(): SettingRefusedError {
  const remedy = 'Its pages are not kept. Publish the built folder of the site.';
  return new SettingRefusedError('dumps', 'of a live site', remedy);
}

/** The Resource Dump and the Change Dump of each collection. */
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

/** A file that is not as its record says was written in the meantime: the next publish reads it. */
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
