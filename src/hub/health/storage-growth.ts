import type { Retention } from '../config/retention.ts';

/** The size of a data folder at a moment. */
export interface SizeSample {
  readonly atMs: number;
  readonly bytes: number;
}

/** The size of a data folder, and how long its disk lasts. */
export interface StorageStatus {
  readonly bytes: number;
  readonly free_bytes: number;
  /** Over the last month, or as long as it is known; absent in the first day. */
  readonly bytes_per_day?: number;
  /** When the disk will be full at this rate; absent if it does not grow. */
  readonly full_at?: string;
  /** What is not kept forever, and for how long or how much of it. */
  readonly retention?: Retention;
}

const DAY_MS = 24 * 3600_000;
const KEPT_SAMPLES = 31;
/** Beyond this, no forecast is made. */
const LONGEST_FORESIGHT_MS = 100 * 365 * DAY_MS;

/** The samples with one more: one for each day, of the last month. */
export function withSample(samples: readonly SizeSample[], now: SizeSample): readonly SizeSample[] {
  const last = samples.at(-1);
  if (last !== undefined && now.atMs - last.atMs < DAY_MS && now.atMs >= last.atMs) return samples;
  // A clock that was set back leaves samples of a time to come.
  return [...samples.filter(({ atMs }) => atMs < now.atMs), now].slice(-KEPT_SAMPLES);
}

export function storageStatus(
  samples: readonly SizeSample[],
  { atMs, bytes, freeBytes }: SizeSample & { readonly freeBytes: number },
): StorageStatus {
  const status = { bytes, free_bytes: freeBytes };
  const first = samples[0];
  if (first === undefined || atMs - first.atMs < DAY_MS) return status;
  const perDay = (bytes - first.bytes) / ((atMs - first.atMs) / DAY_MS);
  const known = { ...status, bytes_per_day: Math.round(perDay) };
  const leftMs = perDay > 0 ? (freeBytes / perDay) * DAY_MS : Number.POSITIVE_INFINITY;
  return leftMs > LONGEST_FORESIGHT_MS ? known : { ...known, full_at: new Date(atMs + leftMs).toISOString() };
}
