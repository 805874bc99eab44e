import type { SourceStatusWord } from '../../../codecs/diffdelta/wire.ts';
import { formatTime } from '../../../codecs/primitives/time.ts';
import { quietSinceMs } from '../../../follow/quiet.ts';
import { failureOf } from '../../alerts/source-troubles.ts';
import { sourceAddress } from '../../config/source-address.ts';
import type { SourceKind } from '../../config/source-config.ts';
import { statusWord } from '../../health/source-status.ts';
import type { WatchedSource } from '../../store/hub-store.ts';

/** How a source is, in a word for people: DiffDelta's words and what is news to a person beyond those. */
export type SourceWord = SourceStatusWord | 'quiet' | 'unstable' | 'pending';

/** Those that need attention come first. */
export const SOURCE_WORDS: readonly SourceWord[] = [
  'error',
  'degraded',
  'unstable',
  'quiet',
  'disabled',
  'pending',
  'ok',
];

/** The trouble of a source for which there is a remedy. */
export type TroubleWord =
  | 'deletions'
  | 'untrusted'
  | 'broken'
  | 'paused'
  | 'fallback'
  | 'unstable'
  | 'quiet'
  | 'unread';

/** A source as a line of a table shows it to everybody. */
export interface SourceLine {
  readonly id: string;
  readonly title: string;
  /** Where people find what it is about. */
  readonly address: string;
  readonly kind: SourceKind;
  readonly word: SourceWord;
  readonly trouble?: TroubleWord;
  readonly lastCheckAt?: string;
  readonly lastChangeAt?: string;
  /** What a person should know of it, in sentences. */
  readonly remarks: readonly string[];
}

const RANKS = Object.fromEntries(SOURCE_WORDS.map((word, at) => [word, at])) as Readonly<Record<SourceWord, number>>;

/** What pages need of every source, however many there are. */
export interface SourceGlance {
  readonly word: SourceWord;
  /** The lower, the sooner somebody should look. */
  readonly rank: number;
  readonly isNeedy: boolean;
}

const known = new WeakMap<WatchedSource, SourceGlance>();

/** The same record always looks the same, so that ten thousand of them can be counted for each page. */
export function glanceAt(source: WatchedSource): SourceGlance {
  const before = known.get(source);
  if (before !== undefined) return before;
  const word = wordOf(source);
  // A source that could not be read whole needs somebody, too.
  const hasUnread = (source.health.unread ?? 0) > 0;
  const rank = RANKS[word === 'ok' && hasUnread ? 'quiet' : word];
  const glance = { word, rank, isNeedy: hasUnread || rank <= RANKS.quiet };
  known.set(source, glance);
  return glance;
}

function sourceWord(source: WatchedSource): SourceWord {
  return glanceAt(source).word;
}

function wordOf(source: WatchedSource): SourceWord {
  const word = statusWord(source);
  if (word !== 'ok') return word;
  const { health } = source;
  if (health.lastCheckMs === undefined) return 'pending';
  if (health.unstable !== undefined) return 'unstable';
  return quietSinceMs(health) === undefined ? 'ok' : 'quiet';
}

export function sourceLine(source: WatchedSource, nowMs: number): SourceLine {
  const { config, health } = source;
  const trouble = troubleOf(source);
  return {
    id: config.id,
    title: config.title ?? config.id,
    address: sourceAddress(source),
    kind: config.kind,
    word: sourceWord(source),
    ...(trouble !== undefined && { trouble }),
    ...(health.lastCheckMs !== undefined && { lastCheckAt: formatTime(health.lastCheckMs) }),
    ...(health.lastChangeMs !== undefined && { lastChangeAt: formatTime(health.lastChangeMs) }),
    remarks: remarksOf(source, nowMs),
  };
}

const FAILURES = { 'source.deletions': 'deletions', 'source.untrusted': 'untrusted' } as const;
const TROUBLES: Readonly<Partial<Record<SourceWord, TroubleWord>>> = {
  error: 'broken',
  disabled: 'paused',
  degraded: 'fallback',
  unstable: 'unstable',
  quiet: 'quiet',
};

/** The worst of it. */
function troubleOf(source: WatchedSource): TroubleWord | undefined {
  const failure = failureOf(source);
  if (failure === 'source.deletions' || failure === 'source.untrusted') return FAILURES[failure];
  return TROUBLES[sourceWord(source)] ?? ((source.health.unread ?? 0) > 0 ? 'unread' : undefined);
}

function remarksOf(source: WatchedSource, nowMs: number): readonly string[] {
  const { paused, health } = source;
  const { pause } = health;
  const host = pause !== undefined && pause.untilMs > nowMs ? pause : undefined;
  return [
    ...(paused === undefined ? [] : [paused.trim() || 'Paused.']),
    ...(host === undefined ? [] : [`${host.by} asked for a pause until ${formatTime(host.untilMs)}.`]),
    ...healthRemarks(source),
  ];
}

/** The troubles of its health, without pauses. */
export function healthRemarks(source: WatchedSource): readonly string[] {
  const { health, config } = source;
  const remarks: string[] = [];
  if (health.error !== undefined) remarks.push(`${errorText(source)}${failuresOf(source)}`);
  const { unread = 0 } = health;
  const things = `${config.kind === 'feed' ? 'feed' : 'page'}${unread === 1 ? '' : 's'}`;
  if (unread > 0) remarks.push(`${unread.toLocaleString('en')} ${things} could not be read.`);
  if (health.ladder?.rung === 'pages' && health.fallback !== undefined) {
    remarks.push(`Read by its pages since ${formatTime(health.ladder.sinceMs)}: its feed cannot be followed.`);
  } else if (health.fallback !== undefined) remarks.push(`Read from fallback ${health.fallback + 1}.`);
  remarks.push(...honestyRemarks(health));
  const quietMs = quietSinceMs(health);
  if (quietMs !== undefined) remarks.push(`Quieter than its rhythm since ${formatTime(quietMs)}.`);
  return remarks;
}

/** Only where a feed said something that is not so, or kept something back. */
function honestyRemarks({ honesty }: WatchedSource['health']): readonly string[] {
  const { compared = 0, toldNotSeen = 0, seenNotTold = 0 } = honesty ?? {};
  if (toldNotSeen + seenNotTold === 0) return [];
  return [`Of ${compared} pages ${toldNotSeen} told and not seen, ${seenNotTold} seen and not told.`];
}

/** Messages about folders and about the log name files of this machine; the admin reads them elsewhere. */
function errorText({ config, health: { error } }: WatchedSource): string {
  if (error === undefined) return '';
  const isOfMachine = config.kind === 'folder' || /^(?:Log|State|Folder)/.test(error.code);
  return isOfMachine ? `${error.code}: the log of the hub says more.` : error.message;
}

function failuresOf({ health: { failures } }: WatchedSource): string {
  return failures > 1 ? ` (${failures.toLocaleString('en')} times in a row)` : '';
}
