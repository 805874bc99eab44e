import type { FeedStatus } from '../../../codecs/agent-feed/wire.ts';

/** What a command did to the surface of a site. */
export interface SurfaceReport {
  /** The id of the entry that was added. */
  readonly entryId?: string;
  readonly feedStatus: FeedStatus;
  /** How many entries the feed serves now. */
  readonly entries: number;
  /** The files that changed, relative to the folder of the site. */
  readonly written: readonly string[];
  /** What was done although it looks wrong, one sentence each. */
  readonly warnings: readonly string[];
}
