import { join } from 'node:path';
import { isUlid } from '../codecs/primitives/ulid.ts';
import { changeUnknownError } from '../errors/refusals.ts';
import { createReadingRules } from '../extract/rules/reading-rules.ts';
import type { HubStore, WatchedSource } from '../hub/store/hub-store.ts';
import { type Explanation, explainChange } from '../hub/why/explain-change.ts';
import { changesAround, pageVersions } from '../hub/why/page-versions.ts';
import { newestOf, type WantedChange, wantedChange } from '../hub/why/wanted-change.ts';
import { kindOfFile } from '../io/files/kind.ts';
import { openSqliteHubStore } from '../io/sqlite/hub-store.ts';
import { DATABASE_FILE } from '../io/sqlite/log.ts';
import type { Change } from '../model/change.ts';
import { volatileParts } from '../produce/volatile/volatile-view.ts';
import { readLog } from './read-log.ts';

export type { CheckRecord } from '../hub/store/hub-store.ts';
export type { Explanation, TextDifference } from '../hub/why/explain-change.ts';
export type { Hunk } from '../hub/why/hunks.ts';

/** Most questions are about recent changes. */
const RECENT_CHANGES = 5000;
/** The changes of one look at one page are close together in the log. */
const NEAR_CHANGES = 500;
const KEPT_CHECKS = 500;

/**
 * Explains why something is a change. `target` is the id of a change, or the address of a page or section, whose newest changes are explained.
 *
 * `place` is the data folder of a hub, which may be running. For any other log (see `readLog`), only its records are used. Fails with a `ChangeUnknownError` if
 * there is no such change.
 */
export async function explainChanges(target: string, place: string): Promise<readonly Explanation[]> {
  const wanted = wantedChange(target);
  const explanations = (await isDataFolder(place))
    ? await explainFromFolder(target, wanted, place)
    : (await newestOf(readLog(place, {}), wanted)).map((change) => explainChange(change, { isAlone: false }, []));
  if (explanations.length === 0) throw changeUnknownError(target, place);
  return explanations;
}

async function isDataFolder(place: string): Promise<boolean> {
  return (await kindOfFile(join(place, DATABASE_FILE))) === 'sqlite';
}

async function explainFromFolder(target: string, wanted: WantedChange, folder: string): Promise<Explanation[]> {
  await using store = await openSqliteHubStore({ folder, readonly: true });
  return await explainFromStore(target, wanted, store);
}

/** The same for a store that is already open. Empty if there is no such change. */
export async function explainFromStore(target: string, wanted: WantedChange, store: HubStore): Promise<Explanation[]> {
  const explanations: Explanation[] = [];
  const sources = await store.sources();
  for (const change of await findChanges(target, wanted, store)) {
    const around = await changesAround(change, NEAR_CHANGES, store);
    const versions = await pageVersions(change, around, store);
    const explanation = explainChange(change, versions, await store.checksOf(change.source, KEPT_CHECKS));
    const page = await store.pageOf(change.source, change.url);
    const health = sources.find(({ config }) => config.id === change.source)?.health;
    const { volatile } = volatileParts(page === undefined ? [] : [page.record], health?.looks ?? 0);
    explanations.push({ ...explanation, ...rulesOf(change, sources), ...(volatile !== undefined && { volatile }) });
  }
  return explanations;
}

/** The rules of the source, if the page was read by them. */
function rulesOf({ source, provenance }: Change, sources: readonly WatchedSource[]): Pick<Explanation, 'rules'> {
  const { extractor, given } = createReadingRules(sources.find(({ config }) => config.id === source)?.config);
  return Object.keys(given).length > 0 && extractor === provenance.extractor ? { rules: given } : {};
}

async function findChanges(target: string, wanted: WantedChange, store: HubStore): Promise<readonly Change[]> {
  const named = isUlid(target) ? await store.changeById(target) : undefined;
  if (named !== undefined) return [named];
  const recent = (await store.recentChanges(RECENT_CHANGES)).toReversed();
  const found = await newestOf(recent, wanted);
  if (found.some((change) => wanted.fits(change))) return found;
  return await newestOf(store.changes({}), wanted);
}
