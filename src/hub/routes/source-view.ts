import type { SourceStatusWord } from '../../codecs/diffdelta/wire.ts';
import { formatTime } from '../../codecs/primitives/time.ts';
import type { HonestyStanding } from '../../model/honesty-standing.ts';
import type { VolatileParts } from '../../model/volatile-parts.ts';
import type { SourceConfig, SourceKind } from '../config/source-config.ts';
import { type SourceNews, type SourceStatus, sourceStatus } from '../health/source-status.ts';
import type { WebSubView } from '../push/subscriber/websub-view.ts';
import type { CheckRecord, WatchedSource } from '../store/hub-store.ts';

/** A source as `/api/v1/sources` shows it to the admin. `config` can be used to add the same source again. */
export interface SourceView extends VolatileParts {
  readonly id: string;
  readonly kind: SourceKind;
  readonly status: SourceStatusWord;
  readonly config: SourceConfig;
  readonly origin: WatchedSource['origin'];
  readonly addedAt: string;
  /** The prefix of the API key that added it, or `self-service` if a visitor asked for it. Absent: the admin. */
  readonly owner?: string;
  /** Absent if it is not paused. */
  readonly paused?: string;
  /** The current interval. */
  readonly intervalSeconds: number;
  /** As in `/state/health.json`. */
  readonly health: SourceStatus;
  /** Why the last check failed, in words. */
  readonly errorMessage?: string;
  /** What a person should know about the last good check. Absent if there is nothing. */
  readonly notes?: readonly string[];
  /** Whether its feed told the truth about a few pages. Absent if it has no feed, or no sample was taken yet. */
  readonly honesty?: HonestyView;
  /** Whether a hub pushes its news. Absent if its feed names no hub. */
  readonly websub?: WebSubView;
}

export interface HonestyView extends Omit<HonestyStanding, 'atMs'> {
  readonly at: string;
}

/** A source whose feed an operator trusts again. */
export interface RetrustView extends SourceView {
  readonly retrusted: {
    /** The feed that is trusted again. */
    readonly feedUrl: string;
    /** The other end of its move, which was left as it is. */
    readonly other?: string;
  };
}

/** One check as `/api/v1/sources/:id/checks` shows it. */
export interface CheckView extends Omit<CheckRecord, 'atMs'> {
  readonly at: string;
}

export function viewSource(source: WatchedSource, news: SourceNews, nowMs: number): SourceView {
  const { config, origin, addedAtMs, paused, health } = source;
  const status = sourceStatus(source, news, nowMs);
  return {
    id: config.id,
    kind: config.kind,
    status: status.status,
    config,
    origin,
    addedAt: formatTime(addedAtMs),
    ...(paused !== undefined && { paused }),
    intervalSeconds: health.intervalMs / 1000,
    health: status,
    ...(health.error !== undefined && { errorMessage: health.error.message }),
    ...(health.notes !== undefined && { notes: health.notes }),
    ...(health.honesty !== undefined && { honesty: viewHonesty(health.honesty) }),
    ...(health.volatile !== undefined && { volatile: health.volatile }),
    ...(health.unstable !== undefined && { unstable: health.unstable }),
  };
}

export function viewHonesty({ atMs, ...standing }: HonestyStanding): HonestyView {
  return { at: formatTime(atMs), ...standing };
}

export function viewCheck({ atMs, ...check }: CheckRecord): CheckView {
  return { at: formatTime(atMs), ...check };
}
