import type { Change } from '../../model/change.ts';

/** The newest changes, in memory: pages, health and cursors need them all the time. */
export interface HubNews {
  /** The id of the newest change of a source. */
  lastChangeIdOf(source: string): string | undefined;
  newest(): Change | undefined;
  /** Newest first. */
  recent(): readonly Change[];
  /** Takes the changes of a commit, in order of `seq`. */
  add(changes: readonly Change[]): void;
  /** Replaces a change by its redacted form. */
  replace(change: Change): void;
}

export interface NewsOptions {
  /** The end of the log, newest first. */
  readonly recent: readonly Change[];
  /** The ids of the newest changes by source, at the start of the hub. */
  readonly lastIds: ReadonlyMap<string, string>;
  readonly kept: number;
}

export function createNews({ recent, lastIds, kept }: NewsOptions): HubNews {
  let newestFirst = recent.slice(0, kept);
  const last = new Map(lastIds);
  return {
    newest: () => newestFirst[0],
    recent: () => newestFirst,
    lastChangeIdOf: (source) => last.get(source),
    add(changes) {
      newestFirst = [...changes.slice(-kept).reverse(), ...newestFirst].slice(0, kept);
      for (const { source, id } of changes) last.set(source, id);
    },
    replace(change) {
      newestFirst = newestFirst.map((each) => (each.seq === change.seq ? change : each));
    },
  };
}
