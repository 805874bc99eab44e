import { formatTime, parseTime } from '../codecs/primitives/time.ts';
import { refuseLostFeed } from '../dialects/agent-feed/publish/agent-feed.ts';
import { findSurface } from '../dialects/agent-feed/publish/find-surface.ts';
import { surfaceDrafts } from '../dialects/agent-feed/publish/surface-drafts.ts';
import { SURFACE_FILE } from '../dialects/agent-feed/surface/surface-record.ts';
import { aicfFeedPath, aicfLines, publishAicf } from '../dialects/aicf/publish/aicf-files.ts';
import { rotateFeed } from '../dialects/aicf/publish/feed-file.ts';
import { type FeedPlan, recoverFeeds } from '../dialects/aicf/publish/recover-feeds.ts';
import { publishChangesAtom } from '../dialects/atom/publish/changes-atom.ts';
import { loadChangesAtom } from '../dialects/atom/publish/changes-atom-state.ts';
import { publishDiffDelta } from '../dialects/diffdelta/publish/diffdelta.ts';
import { loadDiffDelta } from '../dialects/diffdelta/publish/diffdelta-state.ts';
import { DESCRIPTION_PATH } from '../dialects/resourcesync/lists/paths.ts';
import { planLists } from '../dialects/resourcesync/lists/plan-lists.ts';
import { siteCollections } from '../dialects/resourcesync/lists/site-collections.ts';
import { ensureDumps } from '../dialects/resourcesync/publish/dump-settings.ts';
import { refuseForeignLists } from '../dialects/resourcesync/publish/foreign-lists.ts';
import { publishLists } from '../dialects/resourcesync/publish/lists.ts';
import {
  suggestionsOf,
  unlistedPages,
  unusedCollections,
} from '../dialects/resourcesync/publish/resourcesync-suggestions.ts';
import { EXTRACTOR } from '../extract/extractor-version.ts';
import type { Log } from '../log/log.ts';
import type { Artifact } from '../model/artifact.ts';
import type { Change, ChangeDraft } from '../model/change.ts';
import type { Folder, Place } from '../model/folder.ts';
import { sourceIdOf } from '../model/source.ts';
import { DetailCollector } from './collect-details.ts';
import { capabilitiesOf } from './collect-hints.ts';
import { LOG_FILE, loadState, PAGES_FILE, type PublishedState } from './load-state.ts';
import { encodePagesFile, type PageRecord, withPageFile } from './pages-file.ts';
import { ensureSettings, FORMATS, type ProduceOptions } from './produce-options.ts';
import { type PublishReport, reportOf } from './publish-report.ts';
import { refuseOtherFeeds, stopIfTooMuchVanishes } from './safety.ts';
import { siteAddress } from './site-address.ts';
import type { SiteChange, SiteSource } from './site-source.ts';
import { HEADERS_FILE, NO_JEKYLL, publishHeaders } from './static-host.ts';

/** Where a publish reads and writes. */
export interface ProduceWorld {
  readonly source: SiteSource;
  /** Where the site's own `_headers` are, when it is a folder. */
  readonly dir: Place | undefined;
  readonly out: Folder;
  /** Where `log.ndjson` and `pages.ndjson` live; often a folder inside `out`. */
  readonly state: Folder;
  /** The state folder's path inside `out`, when it is there. */
  readonly statePath: string | undefined;
  /** Other places that may know the state: the live site, and `out` when the state lives elsewhere. */
  readonly otherStates: readonly Place[];
  /** The live site, whose feeds must be continued. */
  readonly previous: Place | undefined;
  /** Raw deflate data, for dumps. */
  readonly deflate?: (bytes: Uint8Array) => Uint8Array;
  /** Gives a text that was never given before. */
  readonly nonce: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Opens the log in `state` for appending. Called once, when its file is as `known` says. */
  openLog(site: URL, known: PublishedState): Promise<Log>;
}

/**
 * PRODUCE: a site becomes changes in the log, and the log becomes feeds.
 *
 * The log commits first; the page state and every feed are derived from it, so that a run that is cut off
 * anywhere is completed by the next one.
 */
export async function produce(options: ProduceOptions, world: ProduceWorld): Promise<PublishReport> {
  const site = siteAddress(options.site, options);
  ensureSettings(options);
  siteCollections({ ...options, site });
  const { formats = FORMATS } = options;
  const dumping = ensureDumps(options, { source: world.source, deflate: world.deflate, formats });
  const state = await loadState([world.state, ...world.otherStates], site);
  const oldLines = aicfLines(state.changes);
  const feedPlaces = world.previous === undefined ? [world.out] : [world.out, world.previous];
  const plan = await planFeeds(state, site, feedPlaces);
  await refuseOtherFeeds(plan.feeds, oldLines, feedPlaces);
  const surface = await findSurface(world, site);
  if (surface === undefined && formats.includes('agent-feed')) refuseLostFeed(state.changes);

  const { extensions = {} } = options;
  const details = new DetailCollector({ hints: { extensions, nonce: world.nonce }, risk: options.riskRules });
  const comparison = await world.source.compare(state.pages, { ...options, site, onPage: details.onPage });
  const isPage = (url: string) => comparison.pages.has(url) || state.pages.pages.has(url);
  const facts = surface === undefined ? [] : surfaceDrafts(surface, { site, changes: state.changes, isPage });
  const isBare = comparison.pages.size === 0 && state.pages.pages.size === 0;
  // The site of an API may have no pages at all.
  const mayBeBare = isBare && surface !== undefined;
  if (!options.allowDeletes && !mayBeBare) stopIfTooMuchVanishes(comparison, state.pages.pages.size, world.source);
  // Where no page could ever be read there is nothing to publish yet, not even an empty feed.
  const isBlank = isBare && surface === undefined && state.changes.length === 0;
  if (options.dryRun || isBlank) return reportOf(comparison, [], facts);

  const { out, previous } = world;
  const published = formats.includes('diffdelta')
    ? await loadDiffDelta({ out, previous }, state.changes, { ...options, site })
    : undefined;
  const atom = formats.includes('atom')
    ? await loadChangesAtom({ out, previous, dir: world.dir }, state.changes, { ...options, site })
    : undefined;
  if (formats.includes('resourcesync')) await refuseForeignLists(world, state, { ...options, site });
  // Carried whatever the formats are, as the log is: a copy without it could undo the end of a feed.
  const agentFeed = surface?.published;
  const earliestMs = latestFileMs(state.pages.pages);
  const time = earliestMs > world.now() ? { time: formatTime(earliestMs) } : {};
  const found = comparison.changes.map((change) => ({ ...draftOf(change, site, details), ...time }));
  const drafts = [...found, ...facts];
  const appended = await appendChanges(drafts, site, state, world);
  const lines = [...oldLines, ...aicfLines(appended)];
  const rotation = { rotateBytes: options.rotateBytes, pathOf: aicfFeedPath };
  const feeds = rotateFeed(plan.feeds, lines, plan.published, rotation);
  const changes = [...state.changes, ...appended];
  const isListed = out.sizeOf(DESCRIPTION_PATH) !== undefined || state.pages.lists !== undefined;
  const listPlan = formats.includes('resourcesync')
    ? planLists(changes, state.pages.lists, { ...options, site })
    : undefined;
  const lists = listPlan === undefined ? state.pages.lists : listPlan.marks;
  const nowMs = appended.length > 0 ? earliestMs : Math.max(world.now(), earliestMs);
  const records = stamped(comparison.pages, changes, nowMs);
  const pages = encodePagesFile({ ...comparison, pages: records, log: lines.length, feeds, lists });
  if (!isSame(state.ownPages, pages)) await world.state.replace(PAGES_FILE, pages);

  const aicf = formats.includes('aicf')
    ? publishAicf(feeds, lines, { ...options, site, capabilities: capabilitiesOf(extensions) })
    : [];
  const isRead = comparison.reached > 0 || (mayBeBare && comparison.failures.length === 0);
  const exporting = { ...options, site, isRead, nowMs: world.now(), out };
  const diffdelta = published && (await publishDiffDelta(published, changes, exporting));
  const grown = { pages: records, pagesFile: pages, changes, grownBy: appended.length, before: state };
  const resourcesync =
    listPlan && (await publishLists({ ...grown, plan: listPlan, dumping }, world, { ...options, site }));
  const changesAtom = atom && publishChangesAtom(atom, changes, { ...options, site });
  const own = [diffdelta, resourcesync, changesAtom].filter((files) => files !== undefined);
  const rules = [...aicf, ...own.flatMap((files) => files.rules), ...(agentFeed?.files ?? [])];
  const hosting = [publishHeaders(await ownHeaders(world), rules, site), NO_JEKYLL];
  const record = agentFeed?.record ?? [];
  if (world.statePath === undefined)
    for (const { bytes } of record) await replaceIfOther(world.state, SURFACE_FILE, bytes);
  const artifacts = [...aicf, ...own.flatMap(({ files }) => files), ...record, ...(agentFeed?.files ?? []), ...hosting];
  for (const { path, bytes } of artifacts) await replaceIfOther(out, path, bytes);
  const { memory = [], stale = [] } = resourcesync ?? {};
  for (const { path, bytes } of memory) await replaceIfOther(world.state, path, bytes);
  for (const path of stale) await out.remove(path);

  const stateFiles = [LOG_FILE, PAGES_FILE, ...memory.map(({ path }) => path)];
  const statePaths = world.statePath === undefined ? [] : stateFiles.map((file) => `${world.statePath}/${file}`);
  const pathsOf = (files: readonly Artifact[]) => files.map(({ path }) => path);
  const paths = [...statePaths, ...pathsOf(aicf), ...own.flatMap((files) => files.paths)];
  const surfacePaths = [...pathsOf(record), ...pathsOf(agentFeed?.files ?? [])];
  const report = reportOf(comparison, [...paths, ...surfacePaths, ...pathsOf(hosting)], facts);
  if (listPlan === undefined) return report;
  const offers = { site, sitemap: options.sitemap, hasAtom: atom !== undefined };
  const notes = [...unusedCollections(listPlan), ...unlistedPages(records.keys())];
  const suggestions = [...notes, ...(isListed ? [] : suggestionsOf(listPlan, offers))];
  return suggestions.length === 0 ? report : { ...report, suggestions };
}

/** A page state that lags behind the log may have missed a rotation: then the files know better. */
async function planFeeds(state: PublishedState, site: URL, places: readonly Place[]): Promise<FeedPlan> {
  let plan: FeedPlan = { feeds: state.pages.feeds, published: state.published };
  if (state.published === state.changes.length) return plan;
  for (const place of places) {
    const recovered = await recoverFeeds(place, site, state.changes);
    if (recovered !== undefined && recovered.published > plan.published) plan = recovered;
  }
  return plan;
}

/** No file is newer than this before a publish. What it finds is no older, also where the clock was set back. */
function latestFileMs(pages: ReadonlyMap<string, PageRecord>): number {
  let latest = 0;
  for (const { modifiedMs = 0 } of pages.values()) latest = Math.max(latest, modifiedMs);
  return latest;
}

/** Files whose bytes are new are so since this publish: since its changes, where it found some. */
function stamped(
  pages: ReadonlyMap<string, PageRecord>,
  changes: readonly Change[],
  nowMs: number,
): ReadonlyMap<string, PageRecord> {
  const modifiedMs = Math.max(parseTime(changes.at(-1)?.time ?? '') ?? 0, nowMs);
  const stamp = (record: PageRecord) =>
    record.modifiedMs === undefined && record.file !== '' ? withPageFile(record, { modifiedMs }) : record;
  return new Map(Array.from(pages, ([url, record]) => [url, stamp(record)]));
}

async function appendChanges(
  drafts: readonly ChangeDraft[],
  site: URL,
  state: PublishedState,
  world: ProduceWorld,
): Promise<readonly Change[]> {
  // The newest copy of the log may be the live site's or the output folder's: it comes here before it grows.
  if (state.logText !== (state.ownLogText ?? '')) await world.state.replace(LOG_FILE, Buffer.from(state.logText));
  if (drafts.length === 0) return [];
  await using log = await world.openLog(site, state);
  return await log.append(drafts);
}

function draftOf(change: SiteChange, site: URL, details: DetailCollector): ChangeDraft {
  const { pageChecksum, ...facts } = change;
  return {
    ...facts,
    source: sourceIdOf(site),
    ...details.of(change),
    provenance: { by: 'compare', extractor: EXTRACTOR, pageChecksum },
  };
}

async function ownHeaders({ dir, out }: ProduceWorld): Promise<string> {
  const bytes = (await dir?.read(HEADERS_FILE)) ?? (await out.read(HEADERS_FILE));
  // Byte for byte, whatever encoding its author uses.
  return bytes === undefined ? '' : Buffer.from(bytes).toString('latin1');
}

/** Unchanged files keep their modification time, and with it their validators. */
async function replaceIfOther(folder: Folder, path: string, bytes: Uint8Array): Promise<void> {
  if (!isSame(await folder.read(path), bytes)) await folder.replace(path, bytes);
}

function isSame(present: Uint8Array | undefined, bytes: Uint8Array): boolean {
  return present !== undefined && Buffer.compare(present, bytes) === 0;
}
