import type { Change } from '../../model/change.ts';

/** The newest changes, in memory: what pages, health and cursors ask for all the time. */
export interface News {
  /** The id of the newest change of a source. */
  lastChangeIdOf(source: string): string | undefined;
  newest(): Change | undefined;
  /** Newest first. */
  recent(): readonly Change[];
  /** Takes the changes of a commit, in order of `seq`. */
  add(changes: readonly Change[]): void;
}

export interface NewsOptions {
  /** What the log ends with, newest first. */
  readonly recent: readonly Change[];
  /** The id of the newest change of a source, as it was when the hub started. */
  readonly lastIdAtStart: (source: string) => string | undefined;
  readonly kept: number;
}

export function createNews({ recent, lastIdAtStart, kept }: NewsOptions): News {
  let newestFirst = recent.slice(0, kept);
  const last = new Map<string, string>();
  const lastIdOf = (source: string) => last.get(source) ?? lastIdAtStart(source);
  return {
    newest: () => newestFirst[0],
    recent: () => newestFirst,
    lastChangeIdOf: lastIdOf,
    add(changes) {
      newestFirst = [...changes.slice(-kept).reverse(), ...newestFirst].slice(0, kept);
      for (const { source, id } of changes) last.set(source, id);
    },
  };
}
