import { ForeignFileError } from '../../errors/foreign-file-error.ts';
import type { Change } from '../../model/change.ts';
import type { Folder, Place } from '../folder.ts';
import type { PageRecord } from '../pages-file.ts';
import { DESCRIPTION_PATH, FOLDER } from '../resourcesync/paths.ts';
import type { ListPlan } from '../resourcesync/plan-lists.ts';
import { type DumpedSite, type DumpOptions, publishDumps } from './dumps.ts';
import { publishResourceSync, type ResourceSyncFiles, type ResourceSyncOptions } from './resourcesync.ts';
import { encodeLists, keptLists, LISTS_FILE, listsKey } from './resourcesync-kept.ts';

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
  /** Where dumps are wanted. */
  readonly dumping: Pick<DumpedSite, 'readPage' | 'deflate'> | undefined;
}

export interface ListsWorld {
  readonly out: Folder;
  readonly state: Place;
  readonly previous: Place | undefined;
}

export interface ListFiles extends ResourceSyncFiles {
  /** To be written into the state folder behind the others. It saves the next publish work. */
  readonly memory: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

/** A Source Description that an author wrote leads to lists of that author. Reads only. */
export async function refuseForeignLists(
  { out, dir }: { readonly out: Place; readonly dir: Place | undefined },
  site: URL,
): Promise<void> {
  for (const place of dir === undefined ? [out] : [out, dir]) {
    const bytes = await place.read(DESCRIPTION_PATH);
    // Ours names nothing else, also where the state that it was made with is lost.
    if (bytes === undefined || Buffer.from(bytes).includes(`<loc>${site.href}${FOLDER}/`)) continue;
    throw new ForeignFileError(`${place.name}/${DESCRIPTION_PATH}`, MOVE_IT);
  }
}

const MOVE_IT = 'Move it and its lists away, or leave resourcesync out of --formats to keep them as they are.';

/** A site's ResourceSync: its dumps, then all that leads to them. What is there already and would be the same is not made again. */
export async function publishLists(
  { dumping, pagesFile, ...site }: GrownSite,
  { out, state, previous }: ListsWorld,
  options: ResourceSyncOptions & DumpOptions,
): Promise<ListFiles> {
  if (dumping !== undefined) {
    const dumps = await publishDumps({ ...site, ...dumping, out, previous }, options);
    const lists = publishResourceSync({ ...site, out, offered: dumps.offered }, options);
    return {
      files: [...dumps.files, ...lists.files],
      rules: [...dumps.rules, ...lists.rules],
      paths: [...dumps.paths, ...lists.paths],
      memory: [],
    };
  }
  const key = listsKey(pagesFile, site.changes.at(-1)?.id, options);
  const kept = await keptLists(key, state, out);
  const lists = kept?.files ?? publishResourceSync({ ...site, out }, options);
  return { ...lists, memory: [{ path: LISTS_FILE, bytes: kept?.bytes ?? encodeLists(key, lists) }] };
}
