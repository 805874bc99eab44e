import type { emptyFeed, entryOf, MadeFeed, restatedFeed } from '../../src/dialects/diffdelta/runs/make-feed.ts';
import type { globalRunFeed, sourceRunFeed, unchangedEntry } from '../../src/dialects/diffdelta/runs/run-feeds.ts';
import type { itemsOfRun } from '../../src/dialects/diffdelta/runs/run-items.ts';
import type { placeChanges } from '../../src/log/place-changes.ts';
import type { Step } from './diffdelta-history.ts';

export interface Engine {
  readonly placeChanges: typeof placeChanges;
  readonly itemsOfRun: typeof itemsOfRun;
  readonly sourceRunFeed: typeof sourceRunFeed;
  readonly globalRunFeed: typeof globalRunFeed;
  readonly unchangedEntry: typeof unchangedEntry;
  readonly entryOf: typeof entryOf;
  readonly emptyFeed: typeof emptyFeed;
  readonly restatedFeed: typeof restatedFeed;
}

export interface WrittenFile extends MadeFeed {
  readonly name: string;
}

export function replay(history: readonly Step[], engine: Engine): WrittenFile[];
export function cursorsOf(files: readonly WrittenFile[]): string;
