import type { DiffDeltaFeed } from '../../../codecs/diffdelta/wire.ts';
import type { ArchiveEntry } from '../runs/archive-index.ts';
import type { StoredFile } from './diffdelta-archives.ts';

/** What is published of one feed: that of the site, or that of all sources. */
export interface FeedChain {
  readonly name: string;
  /** One for each published run, oldest first. */
  readonly archives: readonly ArchiveEntry[];
  /** Archives that the output folder does not have yet. */
  readonly carried: readonly StoredFile[];
  /** The newest feed; undefined before the first run. */
  readonly latest?: LatestFeed;
}

/** A site is one source, so the feed of all sources has the same runs. */
export interface SiteChains {
  readonly own: FeedChain;
  readonly global: FeedChain;
}

export interface LatestFeed {
  readonly feed: DiffDeltaFeed;
  readonly bytes: Uint8Array;
  /** Whether a latest.json already has this feed, or only its archive. */
  readonly isServed: boolean;
}

/** A chain that may have lost archives. */
export interface LoadedChain extends FeedChain {
  /** The indexes of the lost archives, in order. */
  readonly lost: readonly number[];
}
