import { stateContradictionError } from '../../../errors/state-refusals.ts';
import type { Place } from '../../../model/folder.ts';
import { type FeedFile, feedText } from './feed-file.ts';
import { aicfFeedPath } from './feed-path.ts';

/**
 * Past lines of a feed never change, so the existing content of a place must be a prefix of what the log gives. Otherwise the feeds were made from
 * another log.
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
      throw stateContradictionError(
        [`${place.name}/${file.path}`, 'the log'],
        `the feed holds lines that the log does not have${lines.length === 0 ? ' (no log was found)' : ''}.`,
        'Give the --state that this feed was made with, or --previous with the live site, or move the feed away to begin a new one.',
      );
    }
  }
}
