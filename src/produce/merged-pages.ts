import type { CrawlNote } from '../crawl/site-map-pages.ts';
import type { SafetyWords } from './safety-words.ts';

export interface MergedPages {
  /** URLs of pages that are now another page. */
  readonly moved: readonly string[];
  readonly failures: readonly CrawlNote[];
  /** URLs that implausibly many pages lead to: a login, a notice. */
  readonly doubtful: ReadonlySet<string>;
}

/** A page is often known under two URLs. If more suddenly lead to one place, it is a login or a notice. */
const MAX_INTO_ONE = 2;

/** Which of the pages that now lead elsewhere are gone for good. `moved` says where each leads. */
export function mergedPages(
  moved: ReadonlyMap<string, string>,
  { allowDeletes, words }: { readonly allowDeletes: boolean; readonly words: SafetyWords },
): MergedPages {
  const into = new Map<string, number>();
  for (const target of moved.values()) into.set(target, (into.get(target) ?? 0) + 1);
  const isDoubtful = (target: string) => !allowDeletes && (into.get(target) ?? 0) > MAX_INTO_ONE;
  const entries = [...moved];
  return {
    moved: entries.filter(([, target]) => !isDoubtful(target)).map(([address]) => address),
    doubtful: new Set([...into.keys()].filter(isDoubtful)),
    failures: entries
      .filter(([, target]) => isDoubtful(target))
      .map(([url, target]) => ({
        url,
        message: `It leads to ${target} now, as ${(into.get(target) ?? 0) - 1} other pages do. If they were really merged, say ${words.allowDeletes}.`,
      })),
  };
}
