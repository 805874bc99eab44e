import { formatTime } from '../../codecs/primitives/time.ts';
import { quietSinceMs } from '../../follow/quiet.ts';
import type { AlertSettings } from '../config/alert-settings.ts';
import { clockDoubtText } from '../health/clock-doubt-text.ts';
import type { StorageStatus } from '../health/storage-growth.ts';
import type { ClockDoubt } from '../schedule/doubting-clock.ts';
import type { SourceHealth, WatchedSource } from '../store/hub-store.ts';
import type { Alert, AlertKind, AlertSeverity } from './alert.ts';
import { adviceWithCommand, failureOf, type SourceTrouble } from './source-troubles.ts';

/** The state of a subscriber. */
export interface SubscriberSign {
  readonly id: string;
  /** The host of its address: the rest may be a secret. */
  readonly host: string;
  /** Events that wait for it. */
  readonly waiting: number;
  /** Since when the oldest of them does. */
  readonly behindSinceMs?: number;
  /** Why nothing is sent to it any more, unless that was requested. */
  readonly disabled?: string;
}

/** That a page or a site says otherwise than before what it may be used for. */
export interface TermsSign {
  readonly changeId: string;
  readonly source: string;
  readonly url: string;
  readonly note: string;
  readonly atMs: number;
}

/** The input of the rules. An undefined value is unknown now, and neither begins nor ends anything. */
export interface HubSigns {
  readonly nowMs: number;
  readonly sources: readonly WatchedSource[];
  readonly clockDoubt: ClockDoubt | undefined;
  /** Why the data folder is not the hub's any more. */
  readonly lost: string | undefined;
  readonly unwritable: string | undefined;
  readonly lags: readonly { readonly dialect: string; readonly reason: string }[];
  readonly storage: StorageStatus | 'unknown';
  readonly subscribers: readonly SubscriberSign[] | 'unknown';
  /** Those found since the last look. */
  readonly terms: readonly TermsSign[];
}

/** One thing that is wrong now. */
export interface Symptom extends Pick<Alert, 'subject' | 'summary' | 'occurrence' | 'source' | 'url'> {
  readonly sinceMs?: number;
}

export interface AlertRule {
  readonly kind: AlertKind;
  readonly severity: AlertSeverity;
  readonly remedy: string;
  /** Told when it has held for a while, and over when it has been over for a while. Else at once. */
  readonly isDamped: boolean;
  /** What is wrong now; undefined if unknown. `open`: the open alerts of this kind, which need more to be over. */
  find(signs: HubSigns, settings: AlertSettings, open: readonly Alert[]): readonly Symptom[] | undefined;
}

const DAY_MS = 86_400_000;
/** How long news about terms stays open. */
const TERMS_OPEN_MS = 7 * DAY_MS;
const MEGABYTE = 1024 * 1024;

/** Every kind of alert: what it is found by, and what to do about it. */
export const ALERT_RULES: readonly AlertRule[] = [
  {
    kind: 'source.broken',
    severity: 'warning',
    isDamped: true,
    remedy: adviceWithCommand('source.broken'),
    find: ({ sources }, { failedChecks }) =>
      failing(sources, 'source.broken').flatMap((source) =>
        source.health.failures < failedChecks
          ? []
          : symptomOf(source, `cannot be read (${source.health.failures} checks failed)`),
      ),
  },
  {
    kind: 'source.quiet',
    severity: 'warning',
    isDamped: true,
    remedy: adviceWithCommand('source.quiet'),
    find: ({ sources }) =>
      sources.flatMap((source) => {
        const sinceMs =
          source.paused === undefined && source.health.failures === 0 ? quietOf(source.health) : undefined;
        const { id } = source.config;
        if (sinceMs === undefined) return [];
        return [
          {
            subject: id,
            source: id,
            sinceMs,
            summary: `${id} is quieter than its own rhythm since ${formatTime(sinceMs)}.`,
          },
        ];
      }),
  },
  {
    kind: 'source.deletions',
    severity: 'warning',
    isDamped: false,
    remedy: adviceWithCommand('source.deletions'),
    find: ({ sources }) =>
      failing(sources, 'source.deletions').flatMap((source) => symptomOf(source, 'hit the deletion breaker')),
  },
  {
    kind: 'source.untrusted',
    severity: 'critical',
    isDamped: false,
    remedy: adviceWithCommand('source.untrusted'),
    find: ({ sources }) =>
      failing(sources, 'source.untrusted').flatMap((source) => symptomOf(source, 'is not trusted any more')),
  },
  {
    kind: 'source.terms',
    severity: 'warning',
    isDamped: false,
    remedy:
      'Read what the site says of the use of its pages, and whether you still do what it allows. This closes by itself after 7 days.',
    find: ({ nowMs, terms }, _, open) => [
      ...open.filter(({ raisedMs }) => nowMs - raisedMs < TERMS_OPEN_MS),
      ...terms.map(({ source, url, note, changeId, atMs }) => ({
        subject: source,
        source,
        url,
        occurrence: changeId,
        sinceMs: atMs,
        summary: `${source} says otherwise what it may be used for (${note}): ${url}`,
      })),
    ],
  },
  {
    kind: 'source.owner',
    severity: 'warning',
    isDamped: false,
    remedy:
      'Who proved to own its domain wants it left alone: remove the source. "tidings source resume <id>" overrules that; write to the owner first.',
    find: ({ sources }) =>
      sources.flatMap(({ config: { id }, paused, pausedBy }) =>
        pausedBy === 'domain' ? [{ subject: id, source: id, summary: `${id} is paused: ${paused}.` }] : [],
      ),
  },
  {
    kind: 'clock.doubt',
    severity: 'critical',
    isDamped: true,
    remedy:
      'Set the clock of the machine right, or start the hub with --trust-clock if it is. "tidings doctor" says more.',
    find: ({ clockDoubt }) =>
      clockDoubt === undefined ? [] : [{ subject: 'hub', summary: clockDoubtText(clockDoubt) }],
  },
  {
    kind: 'data.lost',
    severity: 'critical',
    isDamped: false,
    remedy:
      'Stop the hub, put the data folder back or restore a backup, and start again. Until then nothing is written.',
    find: ({ lost }) =>
      lost === undefined ? [] : [{ subject: 'hub', summary: `The data folder was deleted or replaced: ${lost}` }],
  },
  {
    kind: 'store.unwritable',
    severity: 'critical',
    isDamped: true,
    remedy:
      'Make room on the disk, or see why it takes no writes. Reading goes on, and what was found is written when it can be.',
    find: ({ unwritable, lost }) =>
      unwritable === undefined || lost !== undefined
        ? []
        : [{ subject: 'hub', summary: `The store cannot be written: ${unwritable}` }],
  },
  {
    kind: 'documents.lag',
    severity: 'critical',
    isDamped: true,
    remedy:
      'The log has more than the feeds show. See the log of the hub and its disk; what lags is mended by itself when it can be.',
    find: ({ lags }) =>
      lags.map(({ dialect, reason }) => ({
        subject: dialect,
        summary: `Documents of ${dialect} lag behind the log: ${reason}`,
      })),
  },
  {
    kind: 'subscriber.behind',
    severity: 'warning',
    isDamped: true,
    remedy:
      'See whether its endpoint answers: "tidings subscription list" and its deliveries say what it says. Nothing is lost for it meanwhile.',
    find: ({ nowMs, subscribers }, { lagSeconds }) =>
      subscribers === 'unknown'
        ? undefined
        : subscribers.flatMap(({ id, host, waiting, behindSinceMs, disabled }) => {
            if (disabled !== undefined || behindSinceMs === undefined || nowMs - behindSinceMs < lagSeconds * 1000)
              return [];
            const summary = `The subscription ${id} (${host}) is behind since ${formatTime(behindSinceMs)}: ${waiting} events wait for it.`;
            return [{ subject: id, sinceMs: behindSinceMs, summary }];
          }),
  },
  {
    kind: 'subscriber.disabled',
    severity: 'warning',
    isDamped: false,
    remedy: 'Mend its endpoint and enable it again, then replay what it missed; or remove the subscription.',
    find: ({ subscribers }) =>
      subscribers === 'unknown'
        ? undefined
        : subscribers.flatMap(({ id, host, disabled }) =>
            disabled === undefined
              ? []
              : [{ subject: id, summary: `Nothing is sent to the subscription ${id} (${host}) any more: ${disabled}` }],
          ),
  },
  {
    kind: 'disk.filling',
    severity: 'critical',
    isDamped: true,
    remedy:
      'Give the disk more room, or keep less: "retention" in the config says how much of log, snapshots and checks is kept.',
    find: ({ nowMs, storage }, settings, open) =>
      storage === 'unknown' ? undefined : filling(storage, nowMs, { settings, isOpen: open.length > 0 }),
  },
];

/** It is over when there is twice as much room as it takes to begin. */
function filling(
  { free_bytes: free, full_at: fullAt }: StorageStatus,
  nowMs: number,
  { settings, isOpen }: { readonly settings: AlertSettings; readonly isOpen: boolean },
): Symptom[] {
  const factor = isOpen ? 2 : 1;
  const leftDays = fullAt === undefined ? Number.POSITIVE_INFINITY : (Date.parse(fullAt) - nowMs) / DAY_MS;
  const isLittle = free < factor * settings.freeMegabytes * MEGABYTE;
  if (!isLittle && leftDays > factor * settings.diskDays) return [];
  const room = `${Math.floor(free / MEGABYTE)} MB are free`;
  const when = fullAt === undefined ? '' : `, and it is full at ${fullAt} as it goes now`;
  return [{ subject: 'hub', summary: `The disk of the data folder fills: ${room}${when}.` }];
}

const quiet = new WeakMap<SourceHealth, number | 'never'>();

/** Asked again and again of many sources, most of which are as they were. */
function quietOf(health: SourceHealth): number | undefined {
  const known = quiet.get(health) ?? quietSinceMs(health) ?? 'never';
  quiet.set(health, known);
  return known === 'never' ? undefined : known;
}

function failing(sources: readonly WatchedSource[], trouble: SourceTrouble): WatchedSource[] {
  return sources.filter((source) => failureOf(source) === trouble);
}

function symptomOf({ config: { id }, health }: WatchedSource, what: string): [Symptom] {
  const { staleSinceMs, lastCheckMs, error } = health;
  const sinceMs = staleSinceMs ?? lastCheckMs;
  const since = sinceMs === undefined ? '' : ` since ${formatTime(sinceMs)}`;
  return [
    {
      subject: id,
      source: id,
      ...(sinceMs !== undefined && { sinceMs }),
      summary: `${id} ${what}${since}: ${error?.message ?? ''}`,
    },
  ];
}
