import type { DiffDeltaFeed } from '../../../codecs/diffdelta/wire.ts';
import type { ArchiveEntry } from '../runs/archive-index.ts';
import type { StoredFile } from './diffdelta-archives.ts';

/** What is published of one feed: that of the site, or the one that stands for all sources. */
export interface FeedChain {
  readonly name: string;
  /** One for each run that is published, oldest first. */
  readonly archives: readonly ArchiveEntry[];
  /** Archives that the output folder does not have yet. */
  readonly carried: readonly StoredFile[];
  /** The newest feed; undefined before the first run. */
  readonly latest?: LatestFeed;
}

/** A site is one source; its runs are those of the feed of all sources, too. */
export interface SiteChains {
  readonly own: FeedChain;
  readonly global: FeedChain;
}

export interface LatestFeed {
  readonly feed: DiffDeltaFeed;
  readonly bytes: Uint8Array;
  /** Whether a latest.json says this already, or only its archive. */
  readonly isServed: boolean;
}

/** A chain of which some archives may be lost. */
export interface LoadedChain extends FeedChain {
  /** Their numbers, in order. */
  readonly lost: readonly number[];
}
