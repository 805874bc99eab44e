import { groupBy } from '../codecs/primitives/group-by.ts';
import type { Change } from '../model/change.ts';

/** What became of a page from the first of its changes to the last. */
export type Effect = 'created' | 'updated' | 'deleted' | 'came-and-went';

/** All that happened to one URL, in the order of the log. */
export interface PageNews {
  readonly url: string;
  /** The last one that was told. */
  readonly title?: string;
  readonly effect: Effect;
  readonly changes: readonly Change[];
}

/** One for each URL, in the order in which they first come. */
export function pageNewsOf(changes: readonly Change[]): PageNews[] {
  return Array.from(
    groupBy(changes, ({ url }) => url),
    ([url, own]) => {
      const title = own.findLast((change) => change.title !== undefined)?.title;
      return { url, ...(title !== undefined && { title }), effect: effectOf(own), changes: own };
    },
  );
}

/** A page that was deleted and made again is the same one to people: it was updated. */
function effectOf(changes: readonly Change[]): Effect {
  const wasThere = !isWholePage(changes[0], 'create');
  const isThere = !isWholePage(changes.at(-1), 'delete');
  if (isThere) return wasThere ? 'updated' : 'created';
  return wasThere ? 'deleted' : 'came-and-went';
}

function isWholePage(change: Change | undefined, action: Change['action']): boolean {
  return change?.action === action && change.anchor === undefined;
}
