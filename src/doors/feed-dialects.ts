import { dialectNamed, feedDialects } from '../dialects/feed-readers.ts';
import { DIALECTS } from '../dialects/registry.ts';

/** The names by which a feed can be asked for: in the configuration of a source, and by `--dialect`. */
export const FEED_DIALECTS: readonly string[] = feedDialects(DIALECTS);

/** The dialect of which a feed is that goes by this name: `rss` is one of `atom`. Undefined for a name that no reader takes. */
export function feedDialectOf(name: string): string | undefined {
  return dialectNamed(DIALECTS, name)?.name;
}

/** Those whose archives in a hub may end, by `retention`. */
export const ARCHIVED_DIALECTS: readonly string[] = DIALECTS.filter(({ hasArchives }) => hasArchives).map(
  ({ name }) => name,
);
