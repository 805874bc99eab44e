import { MAX_BYTES, MAX_ENTRIES } from '../../../codecs/resourcesync/encode.ts';
import { SettingRefusedError } from '../../../errors/setting-refused-error.ts';
import { NOT_WRITTEN, type Projection } from '../../projection.ts';
import { listMarksOf } from '../lists/list-marks.ts';
import { DESCRIPTION_PATH } from '../lists/paths.ts';
import { type ListPlan, planLists } from '../lists/plan-lists.ts';
import { siteCollections } from '../lists/site-collections.ts';
import { dumpingOf, ensureDumps } from './dump-settings.ts';
import { refuseForeignLists } from './foreign-lists.ts';
import { publishLists } from './lists.ts';
import { suggestionsOf, unlistedPages, unusedCollections } from './resourcesync-suggestions.ts';

/** A site's log and pages as ResourceSync. Its marks say where each Change List begins. */
export const RESOURCESYNC_PROJECTION: Projection = {
  stateKey: 'lists',

  ensure(options, tools) {
    ensureCount('list-entries', options.listEntries, MAX_ENTRIES);
    ensureCount('list-bytes', options.listBytes, MAX_BYTES);
    siteCollections(options);
    ensureDumps(options, tools);
  },

  async load({ dir, out, state, previous }, before, options) {
    const marks = listMarksOf(before.marks);
    if (!options.isChosen) return { ...NOT_WRITTEN, plan: () => marks };
    if (!options.dryRun) await refuseForeignLists({ out, dir }, { marks, changes: before.changes }, options);
    const isListed = marks !== undefined || out.sizeOf(DESCRIPTION_PATH) !== undefined;
    let plan: ListPlan = { collections: siteCollections(options), lists: [], marks };
    return {
      plan(changes) {
        plan = planLists(changes, marks, options);
        return plan.marks;
      },
      async project(site) {
        const world = { out: site.out, state, previous };
        const grown = { ...site, plan, before: { ...before, marks }, dumping: dumpingOf(options, site) };
        const lists = await publishLists(grown, world, options);
        const notes = [...unusedCollections(plan), ...unlistedPages(site.pages.keys())];
        return { ...lists, suggestions: isListed ? notes : [...notes, ...suggestionsOf(plan, options)] };
      },
    };
  },
};

function ensureCount(setting: string, count: number | undefined, most: number): void {
  if (count === undefined || (Number.isSafeInteger(count) && count >= 1 && count <= most)) return;
  throw new SettingRefusedError(setting, count, `Give a whole number from 1 to ${most}.`);
}
