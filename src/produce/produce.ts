import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { EXTRACTOR } from '../extract/extractor-version.ts';
import type { RiskWeights } from '../extract/risk/risk-rules.ts';
import type { Log } from '../log/log.ts';
import type { Artifact } from '../model/artifact.ts';
import type { Change, ChangeDraft } from '../model/change.ts';
import { sourceIdOf } from '../model/source.ts';
import { DetailCollector } from './collect-details.ts';
import { capabilitiesOf } from './collect-hints.ts';
import { rotateFeed } from './feed-file.ts';
import type { Folder, Place } from './folder.ts';
import { LOG_FILE, loadState, PAGES_FILE, type PublishedState } from './load-state.ts';
import type { Extensions } from './make-hints.ts';
import { encodePagesFile } from './pages-file.ts';
import { refuseLostFeed } from './publish/agent-feed.ts';
import { aicfFeedPath, aicfLines, publishAicf } from './publish/aicf.ts';
import { publishDiffDelta } from './publish/diffdelta.ts';
import { loadDiffDelta } from './publish/diffdelta-state.ts';
import { findSurface } from './publish/find-surface.ts';
import { HEADERS_FILE, NO_JEKYLL, publishHeaders } from './publish/static-host.ts';
import { surfaceDrafts } from './publish/surface-drafts.ts';
import { type PublishReport, reportOf } from './publish-report.ts';
import { type FeedPlan, recoverFeeds } from './recover-feeds.ts';
import { refuseOtherFeeds, stopIfTooMuchVanishes } from './safety.ts';
import { siteAddress } from './site-address.ts';
import type { SiteChange, SiteSource } from './site-source.ts';
import { SURFACE_FILE } from './surface/surface-record.ts';

/** The dialects that a publish writes. */
export const FORMATS = ['aicf', 'diffdelta', 'agent-feed'] as const;
export type Format = (typeof FORMATS)[number];

export interface ProduceOptions {
  readonly site: string;
  /** All of them unless said otherwise. An agent-feed that is there comes along in any case. */
  readonly formats?: readonly Format[];
  readonly allowDeletes?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly cleanUrls?: boolean;
  readonly rotateBytes?: number;
  readonly ttlSeconds?: number;
  readonly license?: string;
  readonly about?: string;
  /** Those of AICF §11 that are on. */
  readonly extensions?: Extensions;
  /** Other weights than the usual ones for the rules that score the risk of a page. */
  readonly riskRules?: RiskWeights;
  /** Stops the run; what is written by then is completed by the next one. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

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
  const { formats = FORMATS } = options;
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
  // Carried whatever the formats are, as the log is: a copy without it could undo the end of a feed.
  const agentFeed = surface?.published;
  const drafts = [...comparison.changes.map((change) => draftOf(change, site, details)), ...facts];
  const appended = await appendChanges(drafts, site, state, world);
  const lines = [...oldLines, ...aicfLines(appended)];
  const rotation = { rotateBytes: options.rotateBytes, pathOf: aicfFeedPath };
  const feeds = rotateFeed(plan.feeds, lines, plan.published, rotation);
  const pages = encodePagesFile({ ...comparison, log: lines.length, feeds });
  if (!isSame(state.ownPages, pages)) await world.state.replace(PAGES_FILE, pages);

  const aicf = formats.includes('aicf')
    ? publishAicf(feeds, lines, { ...options, site, capabilities: capabilitiesOf(extensions) })
    : [];
  const isRead = comparison.reached > 0 || (mayBeBare && comparison.failures.length === 0);
  const exporting = { ...options, site, isRead, nowMs: world.now(), out };
  const diffdelta = published && (await publishDiffDelta(published, [...state.changes, ...appended], exporting));
  const rules = [...aicf, ...(diffdelta?.rules ?? []), ...(agentFeed?.files ?? [])];
  const hosting = [publishHeaders(await ownHeaders(world), rules, site), NO_JEKYLL];
  const record = agentFeed?.record ?? [];
  if (world.statePath === undefined)
    for (const { bytes } of record) await replaceIfOther(world.state, SURFACE_FILE, bytes);
  const artifacts = [...aicf, ...(diffdelta?.files ?? []), ...record, ...(agentFeed?.files ?? []), ...hosting];
  for (const { path, bytes } of artifacts) await replaceIfOther(out, path, bytes);

  const statePaths =
    world.statePath === undefined ? [] : [LOG_FILE, PAGES_FILE].map((file) => `${world.statePath}/${file}`);
  const pathsOf = (files: readonly Artifact[]) => files.map(({ path }) => path);
  const paths = [...statePaths, ...pathsOf(aicf), ...(diffdelta?.paths ?? [])];
  const surfacePaths = [...pathsOf(record), ...pathsOf(agentFeed?.files ?? [])];
  return reportOf(comparison, [...paths, ...surfacePaths, ...pathsOf(hosting)], facts);
}

function ensureSettings({ formats = FORMATS, ttlSeconds, rotateBytes, about }: ProduceOptions): void {
  if (formats.length === 0 || !formats.every((format) => FORMATS.includes(format))) {
    throw new SettingRefusedError('formats', formats.join(','), `Give one or more of: ${FORMATS.join(', ')}.`);
  }
  if (ttlSeconds !== undefined && !(Number.isSafeInteger(ttlSeconds) && ttlSeconds >= 0)) {
    throw new SettingRefusedError('ttl', ttlSeconds, 'Give a whole number of seconds, 0 or more.');
  }
  if (rotateBytes !== undefined && !(Number.isSafeInteger(rotateBytes) && rotateBytes > 0)) {
    throw new SettingRefusedError('rotate-bytes', rotateBytes, 'Give a whole number of bytes, 1 or more.');
  }
  if (about !== undefined && !canParseUrl(about)) {
    throw new SettingRefusedError('about', about, 'Give the absolute URL of a page that describes the feed.');
  }
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
