import { firstHealth } from './health/health-after.ts';
import type { SourceHealth, WatchedSource } from './hub-store.ts';
import type { LaneTask } from './schedule/host-lanes.ts';
import { firstIntervalMs, type RhythmOptions } from './schedule/rhythm.ts';
import type { SourceConfig } from './source-config.ts';
import type { WatchEvent } from './watch-event.ts';

export interface SourceMerge {
  /** Every source that is watched now. */
  readonly sources: readonly WatchedSource[];
  /** To be removed from the store first: gone from the config, or another place under an old id. */
  readonly remove: readonly string[];
  readonly put: readonly WatchedSource[];
  readonly events: readonly WatchEvent[];
}

export interface MergeOptions extends Pick<RhythmOptions, 'allowPrivate'> {
  readonly nowMs: number;
}

/** So many pages of one source make its visits long. */
const MANY_PAGES = 20;

/**
 * What the store remembers and what the config says, as one list of sources.
 *
 * The config counts: what stands there replaces what has its id; what stood there and does not any more goes. What was
 * added over the API stays. A source that is still read from the same place keeps its health.
 */
export function mergeSources(
  stored: readonly WatchedSource[],
  configured: readonly SourceConfig[],
  options: MergeOptions,
): SourceMerge {
  const known = new Map(stored.map((source) => [source.config.id, source]));
  const sources = new Map(known);
  const remove: string[] = [];
  const put: WatchedSource[] = [];
  const events: WatchEvent[] = [];

  for (const config of configured) {
    const before = known.get(config.id);
    const source =
      before === undefined ? newSource(config, 'config', options) : configuredAgain(before, config, options);
    sources.set(config.id, source);
    if (source === before) continue;
    put.push(source);
    if (before !== undefined && !keepsPages(before.config, config)) remove.push(config.id);
    if (before?.origin === 'api') events.push({ is: 'overridden', source });
    else events.push({ is: before === undefined ? 'added' : 'replaced', source });
  }

  const ids = new Set(configured.map(({ id }) => id));
  for (const source of stored) {
    if (source.origin === 'api' || ids.has(source.config.id)) continue;
    sources.delete(source.config.id);
    remove.push(source.config.id);
    events.push({ is: 'removed', source });
  }
  return { sources: [...sources.values()], remove, put, events };
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
 * How the scheduler sees a source. Sources of one host wait for each other, but none for the hours of a whole site: such
 * visits have a lane of their own, and the fetch layer gives the pages of both their turns.
 */
export function laneTaskOf(config: SourceConfig): LaneTask {
  const isLong = config.kind === 'site' || (config.kind === 'page' && config.urls.length > MANY_PAGES);
  return { id: config.id, host: isLong ? `long:${hostOf(config)}` : hostOf(config), isLong };
}

function hostOf(config: SourceConfig): string {
  if (config.kind === 'folder') return `folder:${config.path}`;
  const url = config.kind === 'page' ? (config.urls[0] ?? '') : config.url;
  return URL.canParse(url) ? new URL(url).host : url;
}

/** The same object when nothing changed. */
function configuredAgain(before: WatchedSource, config: SourceConfig, options: MergeOptions): WatchedSource {
  if (before.origin === 'config' && isSame(before.config, config)) return before;
  if (!isSame(placeOf(before.config), placeOf(config)))
    return { ...newSource(config, 'config', options), ...pauseOf(before) };
  return { ...before, config, origin: 'config', health: healthUnder(config, before, options) };
}

/** A new interval counts from the last check. Anything else that bears on what is read is looked at now. */
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

/** What is read, without what is only said of it. */
function reading({ title: _title, intervalSeconds: _interval, ...rest }: SourceConfig): object {
  return rest;
}

function placeOf(config: SourceConfig): object {
  switch (config.kind) {
    case 'folder':
      return { kind: config.kind, path: config.path, site: config.site };
    case 'site':
      return { kind: config.kind, url: config.url };
    case 'page':
      return { kind: config.kind, urls: config.urls };
    case 'feed':
      return { kind: config.kind, url: config.url, dialect: config.dialect };
  }
}

/** Pages can be compared with what is read from another place of the same public site. */
function keepsPages(before: SourceConfig, now: SourceConfig): boolean {
  if (before.kind === 'feed' || now.kind === 'feed') return isSame(placeOf(before), placeOf(now));
  if (before.kind !== 'page' && now.kind !== 'page') return publicSiteOf(before) === publicSiteOf(now);
  if (before.kind !== 'page' || now.kind !== 'page') return false;
  const urls = new Set(before.urls);
  return now.urls.some((url) => urls.has(url));
}

function publicSiteOf(config: SourceConfig): string | undefined {
  if (config.kind === 'folder') return config.site;
  return config.kind === 'site' ? config.url : undefined;
}

/** Whatever the order of the keys. */
function isSame(left: object, right: object): boolean {
  return fingerprint(left) === fingerprint(right);
}

function fingerprint(config: object): string {
  const members = Object.entries(config).filter(([, value]) => value !== undefined);
  return JSON.stringify(members.sort(([left], [right]) => (left < right ? -1 : 1)));
}
