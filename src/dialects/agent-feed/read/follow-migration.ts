import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { isSameOwner } from '../../../fetch/same-site.ts';
import { feedAt, refusalOf } from './feed-url.ts';
import type { ReaderPolicy } from './reader-parts.ts';
import type { FeedMemory } from './reader-state.ts';

const MAX_HOPS = 3;

export type Migration =
  | { readonly is: 'none' }
  | { readonly is: 'followed'; readonly to: URL }
  | { readonly is: 'refused'; readonly to?: string; readonly refused: string };

/**
 * The feed that a migrated feed leads to. That address is not signed (T-AF-2), so it must have the same owner by DNS, unless the
 * operator allows more.
 */
export function migrationAfter(memory: FeedMemory, path: readonly URL[], policy: ReaderPolicy): Migration {
  const { isTrusted, feedStatus, migratedTo, feedUrl } = memory;
  if (isTrusted || feedStatus !== 'migrated') return { is: 'none' };
  if (migratedTo === undefined) return { is: 'refused', refused: 'The feed does not say where to.' };
  const from = new URL(feedUrl);
  const url = canParseUrl(migratedTo) ? new URL(migratedTo) : undefined;
  const refused = url === undefined ? 'It is no URL.' : refusalTo(url, from, policy);
  if (url === undefined || refused !== undefined) return { is: 'refused', to: migratedTo, refused: refused ?? '' };
  const to = feedAt(url);
  if (path.some(({ href }) => href === to.href))
    return { is: 'refused', to: to.href, refused: 'It leads in a circle.' };
  // The first feed on the path is not a hop.
  if (path.length > MAX_HOPS) {
    return { is: 'refused', to: to.href, refused: `It is the migration after ${MAX_HOPS} others.` };
  }
  return { is: 'followed', to };
}

function refusalTo(to: URL, from: URL, policy: ReaderPolicy): string | undefined {
  const refused = refusalOf(to, policy);
  if (refused !== undefined) return refused;
  if (to.protocol === 'http:' && from.protocol === 'https:') return 'It leads from https to http.';
  if (policy.followMigration === true || isSameOwner(to.hostname, from.hostname)) return undefined;
  return `${to.hostname} is of another registrable domain than ${from.hostname}; an operator has to allow that.`;
}
