import type { ReadFeed } from './read-feed.ts';
import type { FeedMemory } from './reader-state.ts';
import type { Identity } from './resolve-did.ts';
import type { Stopped, Visit } from './visit.ts';

/** The problem text of such a poll starts with this. */
export const OTHER_OWNER = 'other-owner:';

/** How many entries of a feed are looked up among the known ones. */
const LOOKED_FOR = 10_000;

/**
 * Detects that the domain of a feed has another owner: the key of the last applied entry is no longer in did.json, and the feed has
 * none of the known entries. A publisher that rotates a key keeps one of the two, because a stream is append-only (agent-feed §22).
 * Undefined if the owner is the same, or if the policy does not ask for this check.
 *
 * Trust does not change (AF-U3). Nothing of the feed is applied and what is known stays, until a person says that the owner is the
 * same.
 */
export async function otherOwner(
  { policy = {}, state, feedUrl: { href } }: Visit,
  { applied, lastSeen }: FeedMemory,
  { reading, identity }: { readonly reading: ReadFeed; readonly identity: Identity },
): Promise<Stopped | undefined> {
  if (!policy.stopsForOtherOwner || applied === 0 || lastSeen === undefined) return undefined;
  const last = (await state.seenAmong(href, [lastSeen])).get(lastSeen);
  const keys = identity.document.methods.map(({ publicKey }) => publicKey && Buffer.from(publicKey).toString('hex'));
  if (last === undefined || keys.includes(last.publicKey)) return undefined;
  const ids = reading.feed.entries.slice(0, LOOKED_FOR).flatMap(({ id }) => id ?? []);
  if ((await state.seenAmong(href, ids)).size > 0) return undefined;
  const problem = `${OTHER_OWNER} its identity has another key than the last entry that counts, and its feed has none of the ${applied} that are known`;
  return { is: 'stopped', problem };
}
