import { formatTime } from '../../../codecs/primitives/time.ts';
import { decodePageVisit } from '../../../log/pages-file.ts';
import { decodeUses } from '../../../model/uses.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { sourceAddress } from '../../config/source-address.ts';
import type { SourceConfig } from '../../config/source-config.ts';
import type { KeyRing } from '../../keys/key-ring.ts';
import { shownOwner } from '../../keys/self-service-owner.ts';
import type { WebSubView } from '../../push/subscriber/websub-view.ts';
import { viewHonesty } from '../../routes/source-view.ts';
import type { HubShelves } from '../../shelves/hub-shelves.ts';
import { shelfSource } from '../../shelves/shelf-source.ts';
import type { CheckRecord, HubStore, WatchedSource } from '../../store/hub-store.ts';
import type { Watch } from '../../watch/watch-port.ts';
import { changeLine } from '../changes/change-line.ts';
import { checkStretches } from './check-strip.ts';
import type { CheckLine, SourceFacts, SourceFeedLine, SourcePause, SourceSettings } from './source-facts.ts';
import { healthRemarks, sourceLine } from './source-line.ts';

export interface SourcePageParts {
  readonly watch: Pick<Watch, 'source' | 'checksOf'>;
  readonly store: Pick<HubStore, 'recentChanges' | 'pageOf'>;
  readonly catalogue: Pick<Catalogue, 'tallies'>;
  readonly shelves: Pick<HubShelves, 'feedsOf'>;
  readonly keys: Pick<KeyRing, 'newestOf'>;
  readonly webSubOf: (source: string) => WebSubView | undefined;
  readonly baseUrl: () => string;
  readonly now: () => number;
}

const STRIP_CHECKS = 500;
const SHOWN_CHECKS = 50;
const SHOWN_CHANGES = 20;
const SHOWN_ADDRESSES = 10;

/** What its page shows, without its changes over time. */
export async function readSourceFacts(
  source: WatchedSource,
  parts: SourcePageParts,
  isSignedIn: boolean,
): Promise<SourceFacts> {
  const { watch, store, now } = parts;
  const { config, health } = source;
  const checks = await watch.checksOf(config.id, STRIP_CHECKS);
  const recent = await store.recentChanges(SHOWN_CHANGES, config.id);
  return {
    source: { ...sourceLine(source, now()), remarks: healthRemarks(source) },
    addedAt: formatTime(source.addedAtMs),
    asks: asksOf(config, isSignedIn),
    rhythm: {
      everySeconds: health.intervalMs / 1000,
      isGiven: config.intervalSeconds !== undefined,
      ...(health.restMs !== undefined && { restSeconds: health.restMs / 1000 }),
      ...(source.paused === undefined && { nextCheckAt: formatTime(health.dueAtMs) }),
    },
    pauses: pausesOf(source, now()),
    ...ladderOf(source, isSignedIn),
    ...webSubFacts(parts.webSubOf(config.id), isSignedIn),
    ...honestyFacts(source, isSignedIn),
    ...(await termsOf(source, store)),
    ...(health.volatile !== undefined && { volatile: health.volatile }),
    ...(health.unstable !== undefined && { unstable: health.unstable }),
    feeds: feedLines(source, parts),
    stretches: checkStretches(checks),
    checks: checks.slice(0, SHOWN_CHECKS).map((check) => checkLine(check, isSignedIn)),
    recent: recent.map(changeLine),
    ...(isSignedIn && { settings: settingsOf(source, parts) }),
  };
}

function asksOf(config: SourceConfig, isSignedIn: boolean): SourceFacts['asks'] {
  if (config.kind === 'folder') return { urls: [], more: 0 };
  const own = config.kind === 'page' ? config.urls : [config.url];
  const mirrors = 'fallbacks' in config ? (config.fallbacks ?? []) : [];
  const sitemaps = config.kind === 'site' && config.sitemap !== undefined ? [config.sitemap] : [];
  const first = own.slice(0, SHOWN_ADDRESSES);
  return { urls: isSignedIn ? [...first, ...mirrors, ...sitemaps] : first, more: own.length - first.length };
}

function pausesOf({ paused, pausedBy, health: { pause } }: WatchedSource, nowMs: number): readonly SourcePause[] {
  const pauses: SourcePause[] = [];
  if (paused !== undefined)
    pauses.push({ by: pausedBy ?? 'operator', ...(paused.trim() !== '' && { reason: paused }) });
  if (pause !== undefined && pause.untilMs > nowMs) {
    pauses.push({ by: 'host', host: pause.by, until: formatTime(pause.untilMs) });
  }
  return pauses;
}

function ladderOf({ health: { ladder } }: WatchedSource, isSignedIn: boolean): Pick<SourceFacts, 'ladder'> {
  if (ladder === undefined) return {};
  const { rung, dialect, sinceMs, turns, reason } = ladder;
  return {
    ladder: {
      readBy: rung,
      ...(dialect !== undefined && { dialect }),
      since: formatTime(sinceMs),
      turns,
      ...(isSignedIn && reason !== undefined && { reason }),
    },
  };
}

/** The address of the hub, and why it does not deliver, are shown only to people who are signed in. */
function webSubFacts(websub: WebSubView | undefined, isSignedIn: boolean): Pick<SourceFacts, 'websub'> {
  if (websub === undefined) return {};
  if (isSignedIn) return { websub };
  const { state, trusted, lastPush } = websub;
  return { websub: { state, trusted, ...(lastPush !== undefined && { lastPush }) } };
}

function honestyFacts({ health: { honesty } }: WatchedSource, isSignedIn: boolean): Pick<SourceFacts, 'honesty'> {
  if (honesty === undefined) return {};
  const { pages, ...counts } = viewHonesty(honesty);
  return { honesty: isSignedIn ? { ...counts, pages } : counts };
}

/** As the record of its first page remembers them. */
async function termsOf(source: WatchedSource, store: SourcePageParts['store']): Promise<Pick<SourceFacts, 'terms'>> {
  const url = sourceAddress(source);
  const page = await store.pageOf(source.config.id, url);
  const terms = page === undefined ? undefined : decodePageVisit(page.record).terms;
  return terms === undefined ? {} : { terms: { url, uses: decodeUses(terms.uses) } };
}

/** Every dialect, and the two ways in which all of the log can be read. */
function feedLines(source: WatchedSource, { shelves, baseUrl }: SourcePageParts): readonly SourceFeedLine[] {
  const id = encodeURIComponent(source.config.id);
  const feeds = shelves.feedsOf(shelfSource(source)).map(({ words, name, path, mediaType }) => ({
    words: name === undefined ? words : `${words}: ${name}`,
    path,
    ...(mediaType !== undefined && { mediaType }),
  }));
  const others = [
    { words: 'By cursor', path: `api/v1/changes?source=${id}` },
    { words: 'As it happens', path: `events/${id}` },
  ];
  return [...feeds, ...others].map((feed) => ({ ...feed, url: `${baseUrl()}${feed.path}` }));
}

function checkLine(check: CheckRecord, isSignedIn: boolean): CheckLine {
  const { atMs, outcome, tookMs, changes, pages, unread, error, notes } = check;
  return {
    at: formatTime(atMs),
    outcome,
    tookMs,
    changes,
    ...(pages !== undefined && { pages }),
    ...(unread !== undefined && { unread }),
    ...(error !== undefined && { code: error.code }),
    ...(isSignedIn && error !== undefined && { error: error.message }),
    ...(isSignedIn && notes !== undefined && { notes }),
  };
}

function settingsOf(source: WatchedSource, { keys }: SourcePageParts): SourceSettings {
  const { origin, owner, config, health, allowDeletes = false } = source;
  const shown = shownOwner(owner, keys);
  return {
    origin,
    ...(shown !== undefined && { owner: shown }),
    config,
    notes: health.notes ?? [],
    ...(health.error !== undefined && { error: health.error.message }),
    allowDeletes,
  };
}
