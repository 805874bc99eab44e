import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';
import type { SourceConfig } from '../config/source-config.ts';
import { firstHealth } from '../health/health-after.ts';
import type { LaneTask } from '../schedule/host-lanes.ts';
import { firstIntervalMs, type RhythmOptions } from '../schedule/rhythm.ts';
import type { SourceHealth, WatchedSource } from '../store/hub-store.ts';
import type { WatchEvent } from './watch-event.ts';

export interface SourceMerge {
  /** Every source that is watched now. */
  readonly sources: readonly WatchedSource[];
  /** To be removed from the store first: an old id names another place now. */
  readonly remove: readonly string[];
  readonly put: readonly WatchedSource[];
  /** No longer in the config: to be stored as dropped. */
  readonly drop: readonly WatchedSource[];
  /** Every source that is kept in case it is named again. */
  readonly dropped: readonly WatchedSource[];
  readonly events: readonly WatchEvent[];
}

export interface MergeOptions extends Pick<RhythmOptions, 'allowPrivate'> {
  readonly nowMs: number;
}

/** A source with more pages than this has long visits. */
const MANY_PAGES = 20;

/**
 * Merges the stored sources and those of the config into one list.
 *
 * The config wins: its sources replace those with the same id, and a source that is no longer there is dropped. Sources that were added over the API stay. A
 * source that is still read from the same place keeps its health, even if it was dropped in between.
 */
export function mergeSources(
  stored: readonly WatchedSource[],
  configured: readonly SourceConfig[],
  options: MergeOptions,
): SourceMerge {
  const known = new Map(stored.map((source) => [source.config.id, source]));
  const sources = new Map(stored.filter(isWatched).map((source) => [source.config.id, source]));
  const remove: string[] = [];
  const put: WatchedSource[] = [];
  const events: WatchEvent[] = [];

  for (const config of configured) {
    const before = known.get(config.id);
    const source =
      before === undefined ? newSource(config, 'config', options) : namedAgain(before, config, 'config', options);
    sources.set(config.id, source);
    if (source === before) continue;
    put.push(source);
    if (before !== undefined && !keepsPages(before.config, config)) remove.push(config.id);
    if (before?.origin === 'api') events.push({ is: 'overridden', source });
    else events.push({ is: before === undefined || before.dropped ? 'added' : 'replaced', source });
  }

  const ids = new Set(configured.map(({ id }) => id));
  const gone = stored.filter(({ config, origin }) => origin === 'config' && !ids.has(config.id));
  const drop: WatchedSource[] = [];
  for (const source of gone.filter(isWatched)) {
    sources.delete(source.config.id);
    drop.push({ ...source, dropped: true });
    events.push({ is: 'removed', source });
  }
  const dropped = [...gone.filter((source) => source.dropped), ...drop];
  return { sources: [...sources.values()], remove, put, drop, dropped, events };
}

/** The stored sources, unchanged. */
export function keptSources(stored: readonly WatchedSource[]): SourceMerge {
  const nothing = { remove: [], put: [], drop: [], events: [] };
  return { ...nothing, sources: stored.filter(isWatched), dropped: stored.filter(({ dropped }) => dropped) };
}

/** A source that is added over the API, and whether the stored data under its id must be removed first. */
export function addedSource(
  config: SourceConfig,
  dropped: WatchedSource | undefined,
  options: MergeOptions,
): { readonly source: WatchedSource; readonly isAnew: boolean } {
  const isSamePlace = dropped !== undefined && isSame(placeOf(dropped.config), placeOf(config));
  if (isSamePlace) {
    const { health, ...source } = namedAgain(dropped, config, 'api', options);
    return { source: { ...source, health: { ...health, dueAtMs: options.nowMs } }, isAnew: false };
  }
  return { source: newSource(config, 'api', options), isAnew: dropped !== undefined };
}

/** A source of the API with other settings for the same place, and whether they affect what is read. */
export function changedSource(
  before: WatchedSource,
  config: SourceConfig,
  options: MergeOptions,
): { readonly source: WatchedSource; readonly isReadAnew: boolean } {
  const source = { ...before, config, health: healthUnder(config, before, options) };
  return { source, isReadAnew: !isSame(reading(before.config), reading(config)) };
}

function isWatched({ dropped }: WatchedSource): boolean {
  return !dropped;
}

export function newSource(
  config: SourceConfig,
  origin: WatchedSource['origin'],
  { nowMs, allowPrivate }: MergeOptions,
): WatchedSource {
  const health = firstHealth({ nowMs, intervalMs: firstIntervalMs(config, { allowPrivate }) });
  return { config, origin, addedAtMs: nowMs, health };
}

/**
 * How the scheduler sees a source. Sources of one host wait for each other, but none waits hours for a whole site: visits of sites, and of sources that were
 * slow the last time, have a separate lane, and the fetch layer gives the pages of both lanes their turns.
 */
export function laneTaskOf(config: SourceConfig, { wasSlow = false } = {}): LaneTask {
  const isLong =
    wasSlow ||
    config.kind === 'auto' ||
    config.kind === 'site' ||
    (config.kind === 'page' && config.urls.length > MANY_PAGES);
  return { id: config.id, host: isLong ? `long:${hostOf(config)}` : hostOf(config), isLong };
}

function hostOf(config: SourceConfig): string {
  if (config.kind === 'folder') return `folder:${config.path}`;
  const url = config.kind === 'page' ? (config.urls[0] ?? '') : config.url;
  return canParseUrl(url) ? new URL(url).host : url;
}

/** Returns the same object if nothing changed. */
function namedAgain(
  before: WatchedSource,
  config: SourceConfig,
  origin: WatchedSource['origin'],
  options: MergeOptions,
): WatchedSource {
  if (!before.dropped && before.origin === origin && isSame(before.config, config)) return before;
  if (!isSame(placeOf(before.config), placeOf(config)))
    return { ...newSource(config, origin, options), ...pauseOf(before) };
  const { dropped: _dropped, owner: _owner, pausedBy: _pausedBy, ...kept } = before;
  return { ...kept, config, origin, health: healthUnder(config, before, options) };
}

/** A new interval counts from the last check. Any other change of what is read makes the source due now. */
function healthUnder(config: SourceConfig, before: WatchedSource, { nowMs, allowPrivate }: MergeOptions): SourceHealth {
  const { health } = before;
  if (!isSame(reading(before.config), reading(config))) return { ...health, dueAtMs: nowMs };
  if (before.config.intervalSeconds === config.intervalSeconds) return health;
  const intervalMs = firstIntervalMs(config, { allowPrivate });
  const dueAtMs = Math.min(health.dueAtMs, (health.lastCheckMs ?? nowMs) + intervalMs);
  return { ...health, intervalMs, dueAtMs };
}

function pauseOf({ paused }: WatchedSource): Pick<WatchedSource, 'paused'> {
  return paused === undefined ? {} : { paused };
}

/** The settings that affect what is read. */
function reading({ title: _title, tags: _tags, intervalSeconds: _interval, ...rest }: SourceConfig): object {
  return rest;
}

function placeOf(config: SourceConfig): object {
  switch (config.kind) {
    case 'folder':
      return { kind: config.kind, path: config.path, site: config.site };
    case 'auto':
    case 'site':
      return { kind: config.kind, url: config.url };
    case 'page':
      return { kind: config.kind, urls: config.urls };
    case 'feed':
      return { kind: config.kind, url: config.url, dialect: config.dialect };
  }
}

/** Pages can be compared across places that hold the same public site. */
function keepsPages(before: SourceConfig, now: SourceConfig): boolean {
  if ([before.kind, now.kind].some((kind) => kind === 'feed' || kind === 'auto'))
    return isSame(placeOf(before), placeOf(now));
  if (before.kind !== 'page' && now.kind !== 'page') return publicSiteOf(before) === publicSiteOf(now);
  if (before.kind !== 'page' || now.kind !== 'page') return false;
  const urls = new Set(before.urls);
  return now.urls.some((url) => urls.has(url));
}

function publicSiteOf(config: SourceConfig): string | undefined {
  if (config.kind === 'folder') return config.site;
  return config.kind === 'site' ? config.url : undefined;
}

/** Ignores the order of the keys. */
function isSame(left: object, right: object): boolean {
  return fingerprint(left) === fingerprint(right);
}

function fingerprint(config: object): string {
  const members = Object.entries(config).filter(([, value]) => value !== undefined);
  return JSON.stringify(members.sort(([left], [right]) => (left < right ? -1 : 1)));
}
