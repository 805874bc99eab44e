import type { ReadFeed } from './read-feed.ts';
import type { FeedMemory } from './reader-state.ts';
import type { Identity } from './resolve-did.ts';
import type { Stopped, Visit } from './visit.ts';

/** How the problem of such a poll begins. */
export const OTHER_OWNER = 'other-owner:';

/** So many entries of a feed are looked for among those that are known. */
const LOOKED_FOR = 10_000;

/**
 * Whether a feed is of another owner of its domain: the key of the entry that was applied last is not in did.json any more, and the feed has none of
 * the entries that are known. Who rotates a key keeps one of both: a stream is append-only (agent-feed §22). Undefined where it is not, or nobody asks.
 *
 * Trust is not touched (AF-U3): nothing of the feed is applied, and what is known stays, until a person says that it is the same.
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
