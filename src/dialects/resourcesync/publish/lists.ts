import type { Artifact } from '../../../model/artifact.ts';
import type { Change } from '../../../model/change.ts';
import type { Folder, Place } from '../../../model/folder.ts';
import type { PublishedState } from '../../../produce/load-state.ts';
import type { PageRecord } from '../../../produce/pages-file.ts';
import { isResourcePackage } from '../dumps/dump-files.ts';
import type { ListPlan } from '../lists/plan-lists.ts';
import type { Dumping } from './dump-settings.ts';
import type { DumpOptions } from './dumps.ts';
import { refuseOverwriting } from './foreign-lists.ts';
import { publishResourceSync, type ResourceSyncFiles, type ResourceSyncOptions } from './resourcesync.ts';
import { encodeLists, keptLists, LISTS_FILE, listsBefore, listsKey, pathsIn, readLists } from './resourcesync-kept.ts';

/** What a publish has made of the site by now. */
export interface GrownSite {
  readonly pages: ReadonlyMap<string, PageRecord>;
  /** The same as they are written. */
  readonly pagesFile: Uint8Array;
  /** The whole log. */
  readonly changes: readonly Change[];
  /** How many of them are of this publish. */
  readonly grownBy: number;
  readonly plan: ListPlan;
  /** As the state folder had it. */
  readonly before: PublishedState;
  /** Where dumps are wanted. */
  readonly dumping: Dumping | undefined;
}

export interface ListsWorld {
  readonly out: Folder;
  readonly state: Place;
  readonly previous: Place | undefined;
}

export interface ListFiles extends ResourceSyncFiles {
  /** To be written into the state folder behind the others. It saves the next publish work. */
  readonly memory: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  /** What nobody wants any more, to be removed behind all else. */
  readonly stale: readonly string[];
}

/** A site's ResourceSync: its dumps, then all that leads to them. What is there already and would be the same is not made again. */
export async function publishLists(
  { dumping, pagesFile, before, ...site }: GrownSite,
  { out, state, previous }: ListsWorld,
  options: ResourceSyncOptions & DumpOptions,
): Promise<ListFiles> {
  const known = await readLists(state, out);
  const written = known === undefined ? new Set<string>() : pathsIn(known);
  const ensureOwn = (files: readonly Artifact[]) => refuseOverwriting(files, out, { written, site: options.site });
  const intact = known?.intact ?? new Map<string, never>();
  if (dumping !== undefined) {
    // Loaded when it is needed: few sites have dumps.
    const { publishDumps } = await import('./dumps.ts');
    const dumps = await publishDumps({ ...site, ...dumping, out, previous }, options);
    const lists = publishResourceSync({ ...site, intact, offered: dumps.offered }, options);
    await ensureOwn(lists.files);
    return {
      files: [...dumps.files, ...lists.files],
      rules: [...dumps.rules, ...lists.rules],
      paths: [...dumps.paths, ...lists.paths],
      // Dumps may not be there the next time: no key fits.
      memory: [{ path: LISTS_FILE, bytes: encodeLists('', lists, { intact, unlisted: dumps.unlisted }) }],
      stale: (known?.unlisted ?? []).filter((path) => isResourcePackage(path) && !dumps.paths.includes(path)),
    };
  }
  const key = listsKey(pagesFile, site.changes.at(-1)?.id, options);
  const kept = known && (await keptLists(key, known, out));
  if (known !== undefined && kept !== undefined)
    return { ...kept, memory: [{ path: LISTS_FILE, bytes: known.bytes }], stale: [] };
  const { pages, changes, ownPages } = before;
  const oldKey = listsKey(ownPages ?? new Uint8Array(), changes.at(-1)?.id, options);
  const documents = await listsBefore(oldKey, known, out);
  const grown = documents && { pages: pages.pages, log: changes.length, marks: pages.lists ?? [], documents };
  const lists = publishResourceSync({ ...site, intact, before: grown }, options);
  await ensureOwn(lists.files);
  return { ...lists, memory: [{ path: LISTS_FILE, bytes: encodeLists(key, lists, { intact }) }], stale: [] };
}
