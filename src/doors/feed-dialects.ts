import { dialectNamed, feedDialects } from '../dialects/feed-readers.ts';
import { DIALECTS } from '../dialects/registry.ts';

/** The names of feed formats in the configuration of a source and in `--dialect`. */
export const FEED_DIALECTS: readonly string[] = feedDialects(DIALECTS);

/** The dialect that reads a feed of this name: `rss` belongs to `atom`. Undefined for a name that no reader accepts. */
export function feedDialectOf(name: string): string | undefined {
  return dialectNamed(DIALECTS, name)?.name;
}

/** The dialects whose archives in a hub may expire by `retention`. */
export const ARCHIVED_DIALECTS: readonly string[] = DIALECTS.filter(({ hasArchives }) => hasArchives).map(
  ({ name }) => name,
);
