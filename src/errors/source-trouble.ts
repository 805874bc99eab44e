/** Sources that cannot be used in their current state. What was learned before stays; nothing is deleted. */

import { CodedError } from './coded-error.ts';

/** An origin's agent-feed or its identity could not be read completely. Asking before `retryAfterMs` is impolite or useless. */
export function agentFeedUnreadError(feedUrl: string, reason: string, retryAfterMs?: number): CodedError {
  const message = `${feedUrl} could not be read: ${reason.replace(/\.$/, '')}. Nothing is deleted for that.`;
  return new CodedError('AgentFeedUnreadError', 'retry-later', message, { feedUrl, ...pauseOf(retryAfterMs) });
}

interface UntrustedFacts {
  /** As the feed states it now. */
  readonly status: string | undefined;
  readonly migratedTo?: string | undefined;
  /** What the operator can do. */
  readonly remedy: string;
  /** No request is made before this time. */
  readonly retryAfterMs?: number | undefined;
}

/** An origin ended or moved its agent-feed: nothing from it counts until an operator confirms, whatever the feed itself says. */
export function agentFeedUntrustedError(
  feedUrl: string,
  { status, migratedTo, remedy, retryAfterMs }: UntrustedFacts,
): CodedError {
  const what =
    status === 'migrated'
      ? `${feedUrl} moved${migratedTo === undefined ? '' : ` to ${migratedTo}`}, and is not followed there`
      : status === 'active'
        ? `${feedUrl} was ended by its origin and is active again`
        : `${feedUrl} was ended by its origin`;
  const message = `${what}. Nothing that it says counts until an operator trusts it again (${remedy}).`;
  return new CodedError('AgentFeedUntrustedError', 'stop', message, { feedUrl, ...pauseOf(retryAfterMs) });
}

/** The domain of a feed seems to have another owner: nothing that the feed says now counts, and what is known stays. */
export function agentFeedOtherOwnerError(feedUrl: string, remedy = '--allow-deletes'): CodedError {
  const what = `${feedUrl} seems to be somebody else's: its did.json has not the key that it was signed with, and it has none of the entries that are known.`;
  const message = `${what} Nothing was told. Ask its publisher; if it is still the feed that you mean: ${remedy}`;
  return new CodedError('AgentFeedOtherOwnerError', 'stop', message, { feedUrl });
}

interface SuspendedFacts {
  readonly reason: string;
  /** Why the last look could not confirm the current state. */
  readonly problem?: string | undefined;
  /** No request is made before this time. */
  readonly retryAfterMs?: number | undefined;
}

/** A feed of a later version, or without a required part: it counts as terminated until a valid one is read. */
export function agentFeedSuspendedError(
  feedUrl: string,
  { reason, problem, retryAfterMs }: SuspendedFacts,
): CodedError {
  const later = problem === undefined ? '' : `The last look failed: ${problem.replace(/\.$/, '')}. `;
  const message =
    `${feedUrl} is not used for now: ${reason.replace(/\.$/, '')}. ${later}` +
    'Nothing is deleted; ask its publisher, or look whether a newer Tidings reads it.';
  return new CodedError('AgentFeedSuspendedError', 'stop', message, { feedUrl, ...pauseOf(retryAfterMs) });
}

/** The publisher uses an unknown version of AICF (AICF-C2). */
export function feedVersionError(url: string, version: string): CodedError {
  const message = `${url} is AICF ${JSON.stringify(version)}; this Tidings reads 0.1. Nothing was applied. Upgrade Tidings.`;
  return new CodedError('FeedVersionError', 'fix-input', message, { url, version });
}

/** A folder changes while it is read, so its content is incomplete. Nothing from it was used. */
export function folderUnsettledError(path: string, waitedMs: number): CodedError {
  const message = `${path} is being written: it did not come to rest within ${Math.round(waitedMs / 1000)} s. It is read again later; nothing was changed.`;
  return new CodedError('FolderUnsettledError', 'retry-later', message, { path });
}

interface HalfRead {
  readonly what?: 'pages' | 'feeds';
  /** How long the origin asked us to wait. */
  readonly retryAfterMs?: number | undefined;
}

/** Too much of a source could not be read to call it checked. What could be read still counts. */
export function halfReadError(
  unread: number,
  all: number,
  reason: string,
  { what = 'pages', retryAfterMs }: HalfRead = {},
): CodedError {
  const message = `${unread} of ${all} ${what} could not be read: ${reason}`;
  return new CodedError('HalfReadError', 'retry-later', message, { unread, all, retryAfterMs });
}

/** A publisher names an address that is not on the public internet, directly or through a redirect. No request was sent to it. */
export function namedAddressRefusedError(
  source: string,
  { url, address, cause }: { url: URL; address: string; cause: unknown },
): CodedError {
  const message = `${source} leads to ${url.href}, which was not asked: ${address} is not a public address.`;
  return new CodedError('NamedAddressRefusedError', 'fix-input', message, { source, address, cause });
}

/** A response is not what can be watched at a source: nothing follows from it. Nothing was changed. */
export function sourceUnreadError(place: string, why: string): CodedError {
  return new CodedError('SourceUnreadError', 'retry-later', `Nothing of ${place} could be read. ${why}`, { place });
}

function pauseOf(retryAfterMs: number | undefined): { readonly retryAfterMs?: number } {
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}
