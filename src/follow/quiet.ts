/** With fewer gaps there is no rhythm. */
const FEWEST_GAPS = 5;
/** How many times its longest usual gap may pass before a source counts as quiet. */
const PATIENCE = 3;
/** How many checks in a row must have found nothing, as far as the check interval can tell. */
const FEWEST_CHECKS = 10;
/** Of ten gaps, the longest one may be an accident. */
const USUAL_SHARE = 0.9;
/** Gaps within this many deviations of the median are usual, whatever their share. */
const USUAL_DEVIATIONS = 3;

/** When a source that is checked regularly reported changes. */
export interface TellingRhythm {
  /** Between the newest checks that found changes. */
  readonly changeGapsMs: readonly number[];
  readonly lastChangeMs?: number | undefined;
  /** The last good check. */
  readonly lastOkMs?: number | undefined;
  /** Between two checks. */
  readonly intervalMs: number;
  /** The same, while pushes report its news and checks are therefore rarer. */
  readonly restMs?: number | undefined;
}

/**
 * Since when a source is quieter than its own rhythm; undefined if it is not, or has no rhythm yet.
 *
 * It becomes quiet when 3 of its longest usual gaps and the time of 10 checks have passed since its last change. That is measured at its last good
 * check: nothing follows for a source that cannot be read, or was not asked while the hub was down.
 */
export function quietSinceMs(rhythm: TellingRhythm): number | undefined {
  const { changeGapsMs, lastChangeMs, lastOkMs, restMs: intervalMs = rhythm.intervalMs } = rhythm;
  if (lastChangeMs === undefined || lastOkMs === undefined) return undefined;
  const silentMs = lastOkMs - lastChangeMs;
  if (changeGapsMs.length < FEWEST_GAPS || silentMs <= FEWEST_CHECKS * intervalMs) return undefined;
  const gaps = changeGapsMs.filter((gap) => gap > 0).sort((left, right) => left - right);
  if (gaps.length < FEWEST_GAPS) return undefined;

  const patientMs = Math.max(PATIENCE * longestUsual(gaps), FEWEST_CHECKS * intervalMs);
  return silentMs > patientMs ? lastChangeMs + patientMs : undefined;
}

/**
 * The 90th percentile, or the median plus three median absolute deviations if that is more, but at most the longest gap.
 *
 * The percentile keeps recurring gaps (weekends) and drops a single long one (a holiday); the deviations allow for a source whose gaps vary.
 */
function longestUsual(sorted: readonly number[]): number {
  const middle = median(sorted);
  const deviations = sorted.map((gap) => Math.abs(gap - middle)).sort((left, right) => left - right);
  const scattered = middle + USUAL_DEVIATIONS * median(deviations);
  const percentile = sorted[Math.ceil(USUAL_SHARE * sorted.length) - 1] ?? 0;
  return Math.max(percentile, Math.min(scattered, sorted.at(-1) ?? 0));
}

function median(sorted: readonly number[]): number {
  const half = sorted.length / 2;
  const upper = sorted[Math.floor(half)] ?? 0;
  return Number.isInteger(half) ? ((sorted[half - 1] ?? 0) + upper) / 2 : upper;
}
