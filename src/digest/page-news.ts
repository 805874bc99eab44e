import type { Change } from '../model/change.ts';

/** What happened to a page from the first of its changes to the last. */
export type Effect = 'created' | 'updated' | 'deleted' | 'came-and-went';

/** All changes of one URL, in log order. */
export interface PageNews {
  readonly url: string;
  /** The last reported one. */
  readonly title?: string;
  readonly effect: Effect;
  readonly changes: readonly Change[];
}

/** The content of a run: its pages by what happened to them, each list in order of first occurrence, and facts about an API. */
export interface RunNews {
  readonly pages: ReadonlyMap<Effect, readonly PageNews[]>;
  readonly endpoints: readonly Change[];
}

/** How many changes or pages are handled in one step. */
const LOOKED_AT_ONCE = 1000;

/** One for each URL. Yields after some changes, so that a long run can give other work a turn. */
export function* gatherNews(changes: readonly Change[]): Generator<void, RunNews> {
  const byUrl = new Map<string, Change[]>();
  const endpoints: Change[] = [];
  let looked = 0;
  for (const change of changes) {
    if (change.kind === 'endpoint') endpoints.push(change);
    else {
      const known = byUrl.get(change.url);
      if (known === undefined) byUrl.set(change.url, [change]);
      else known.push(change);
    }
    looked += 1;
    if (looked % LOOKED_AT_ONCE === 0) yield;
  }
  const pages = new Map<Effect, PageNews[]>();
  for (const [url, own] of byUrl) {
    const title = own.findLast((change) => change.title !== undefined)?.title;
    const effect = effectOf(own);
    const news = { url, ...(title !== undefined && { title }), effect, changes: own };
    const alike = pages.get(effect);
    if (alike === undefined) pages.set(effect, [news]);
    else alike.push(news);
    looked += 1;
    if (looked % LOOKED_AT_ONCE === 0) yield;
  }
  return { pages, endpoints };
}

/** For people, a page that was deleted and recreated is the same page: it was updated. */
function effectOf(changes: readonly Change[]): Effect {
  const wasThere = !isWholePage(changes[0], 'create');
  const isThere = !isWholePage(changes.at(-1), 'delete');
  if (isThere) return wasThere ? 'updated' : 'created';
  return wasThere ? 'deleted' : 'came-and-went';
}

function isWholePage(change: Change | undefined, action: Change['action']): boolean {
  return change?.action === action && change.anchor === undefined;
}
