import { aicfFeedPath } from '../dialects/aicf/publish/aicf-files.ts';
import { type FeedFile, feedText } from '../dialects/aicf/publish/feed-file.ts';
import { SafetyStopError } from '../errors/safety-stop-error.ts';
import { StateContradictionError } from '../errors/state-contradiction-error.ts';
import type { Place } from '../model/folder.ts';
import { FLAGS, type SafetyWords } from './safety-words.ts';
import type { SiteComparison, SiteSource } from './site-source.ts';

/** More than this share and more than this number of pages: then it is no edit. */
export const BREAKER_SHARE = 0.3;
export const BREAKER_PAGES = 10;

/** The deletion breaker: a broken build must not wipe what every follower holds. */
export function stopIfTooMuchVanishes(
  { pages, vanished, failures }: SiteComparison,
  before: number,
  { name, advice, words = FLAGS }: Pick<SiteSource, 'name' | 'advice'> & { readonly words?: SafetyWords },
): void {
  if (pages.size === 0 && (before > 0 || failures.length === 0)) {
    throw new SafetyStopError(
      `${name} holds no HTML page${before > 0 ? `, so all ${before} pages would be deleted` : ''}. Nothing was written. ` +
        `${advice}; if it is really empty now, say ${words.allowDeletes}.`,
      vanished,
    );
  }
  stopIfManyVanish(vanished, before, { advice: `${advice}, and ${words.site}`, words });
}

export function stopIfManyVanish(
  vanished: readonly string[],
  before: number,
  { advice, words }: { readonly advice: string; readonly words: SafetyWords },
): void {
  if (vanished.length <= BREAKER_PAGES || vanished.length <= before * BREAKER_SHARE) return;
  throw new SafetyStopError(
    `${vanished.length} of ${before} pages would be deleted, ${vanished[0]} among them. Nothing was written. ` +
      `${advice}; if they are really gone, say ${words.allowDeletes}.`,
    vanished,
  );
}

/**
 * Past lines of a feed never change, so what stands at a place already must be the beginning of what the log gives.
 * Anything else means that the log is not the one these feeds were made from.
 */
export async function refuseOtherFeeds(
  feeds: readonly FeedFile[],
  lines: readonly string[],
  places: readonly Place[],
): Promise<void> {
  const files = feeds.length > 0 ? feeds : [{ path: aicfFeedPath(1), first: 1 }];
  for (const file of files) {
    const derived = Buffer.from(feedText(file, lines));
    for (const place of places) {
      const present = await place.read(file.path);
      if (present === undefined || Buffer.compare(present, derived.subarray(0, present.length)) === 0) continue;
      throw new StateContradictionError(
        [`${place.name}/${file.path}`, 'the log'],
        `the feed holds lines that the log does not have${lines.length === 0 ? ' (no log was found)' : ''}.`,
        'Give the --state that this feed was made with, or --previous with the live site, or move the feed away to begin a new one.',
      );
    }
  }
}
