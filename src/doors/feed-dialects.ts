import { feedDialects } from '../dialects/feed-readers.ts';
import { DIALECTS } from '../dialects/registry.ts';

/** The names by which a feed can be asked for: in the configuration of a source, and by `--dialect`. */
export const FEED_DIALECTS: readonly string[] = feedDialects(DIALECTS);
