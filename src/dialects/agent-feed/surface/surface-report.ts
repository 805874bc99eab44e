import type { FeedStatus } from '../../../codecs/agent-feed/wire.ts';

/** What a command did to the surface of a site. */
export interface SurfaceReport {
  /** Of the entry that was added. */
  readonly entryId?: string;
  readonly feedStatus: FeedStatus;
  /** How many the feed serves now. */
  readonly entries: number;
  /** The files that changed, relative to the folder of the site. */
  readonly written: readonly string[];
  /** What was done although it looks wrong, a sentence each. */
  readonly warnings: readonly string[];
}
