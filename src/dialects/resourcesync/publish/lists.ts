import type { Artifact } from '../../../model/artifact.ts';
import type { Folder, Place } from '../../../model/folder.ts';
import type { GrownSite, Projected, PublishedSite } from '../../projection.ts';
import { isResourcePackage } from '../dumps/dump-files.ts';
import type { ListMarks } from '../lists/list-marks.ts';
import { isResourceListPart } from '../lists/paths.ts';
import type { ListPlan } from '../lists/plan-lists.ts';
import type { Dumping } from './dump-settings.ts';
import type { DumpOptions } from './dumps.ts';
import { refuseOverwriting } from './foreign-lists.ts';
import { publishResourceSync, type ResourceSyncOptions } from './resourcesync.ts';
import {
  encodeLists,
  type KnownLists,
  keptLists,
  LISTS_FILE,
  listsBefore,
  listsKey,
  pathsIn,
  readLists,
  unlistedParts,
} from './resourcesync-kept.ts';

/** The state of the site in this publish so far. */
export interface ListedGrowth extends Pick<GrownSite, 'pages' | 'pagesFile' | 'changes' | 'grownBy'> {
  readonly plan: ListPlan;
  /** As the last publish left it. */
  readonly before: Omit<PublishedSite, 'marks'> & { readonly marks: readonly ListMarks[] | undefined };
  /** Set if dumps are requested. */
  readonly dumping: Dumping | undefined;
}

export interface ListsWorld {
  readonly out: Folder;
  readonly state: Place;
  readonly previous: Place | undefined;
}

/**
 * Publishes a site's ResourceSync documents: its dumps, then everything that leads to them. Existing files that would come out the
 * same are not made again.
 */
export async function publishLists(
  { dumping, pagesFile, before, ...site }: ListedGrowth,
  { out, state, previous }: ListsWorld,
  options: ResourceSyncOptions & DumpOptions,
): Promise<Projected> {
  const known = await readLists(state, out);
  const written = known === undefined ? new Set<string>() : pathsIn(known);
  const ensureOwn = (files: readonly Artifact[]) => refuseOverwriting(files, out, { written, site: options.site });
  const intact = known?.intact ?? new Map<string, never>();
  if (dumping !== undefined) {
    // Loaded on demand, because few sites have dumps.
    const { publishDumps } = await import('./dumps.ts');
    const dumps = await publishDumps({ ...site, ...dumping, out, previous }, options);
    const lists = publishResourceSync({ ...site, intact, offered: dumps.offered }, options);
    await ensureOwn(lists.files);
    return {
      files: [...dumps.files, ...lists.files],
      rules: [...dumps.rules, ...lists.rules],
      paths: [...dumps.paths, ...lists.paths],
      // The next publish may have no dumps, so no key is stored.
      memory: [
        {
          path: LISTS_FILE,
          bytes: encodeLists('', lists, { intact, unlisted: [...dumps.unlisted, ...unlistedParts(known, lists)] }),
        },
      ],
      stale: removable(
        known,
        [...dumps.paths, ...lists.paths],
        (path) => isResourcePackage(path) || isResourceListPart(path),
      ),
    };
  }
  const key = listsKey(pagesFile, site.changes.at(-1)?.id, options);
  const kept = known && (await keptLists(key, known, out));
  if (known !== undefined && kept !== undefined)
    return { ...kept, memory: [{ path: LISTS_FILE, bytes: known.bytes }], stale: [] };
  const { pages, changes } = before;
  const oldKey = listsKey(before.pagesFile ?? new Uint8Array(), changes.at(-1)?.id, options);
  const documents = await listsBefore(oldKey, known, out);
  const lists = publishResourceSync(
    { ...site, intact, before: documents && { pages, log: changes.length, documents } },
    options,
  );
  await ensureOwn(lists.files);
  const unlisted = unlistedParts(known, lists);
  const bytes = encodeLists(key, lists, { intact, unlisted, files: known?.files ?? [] });
  return { ...lists, memory: [{ path: LISTS_FILE, bytes }], stale: removable(known, lists.paths, isResourceListPart) };
}

/** What the previous publish stopped listing. A client that read the older index at that time has finished by now. */
function removable(
  known: KnownLists | undefined,
  paths: readonly string[],
  isOurs: (path: string) => boolean,
): readonly string[] {
  return (known?.unlisted ?? []).filter((path) => isOurs(path) && !paths.includes(path));
}
