import { boundaryOf } from '../codecs/aicf/boundary.ts';
import type { FeedChange } from '../dialects/feed-change.ts';
import { decodeTermsNote } from '../model/terms-note.ts';
import type { StoredChecksums } from './follow-state.ts';
import { type Follower, followed, followedWithContent, pageUrlOf } from './followed.ts';
import type { FollowedEvent } from './followed-event.ts';
import type { PageOutcome, PageReader } from './read-page.ts';

/** The event for the consumer, or that it waits for its page, or that the rules leave it out. */
export type Presented =
  | { readonly kind: 'left-out' }
  | { readonly kind: 'event'; readonly event: FollowedEvent }
  | { readonly kind: 'withheld'; readonly outcome: FailedPage };

export type FailedPage = PageOutcome & { readonly kind: 'failed' };

export interface Circumstances extends Follower {
  /** Fetch the boundary too. */
  readonly content: boolean;
  readonly checksums: StoredChecksums;
  readonly pages: PageReader;
  readonly isDeletedLater: boolean;
  /** Only its page can show whether the rules let it through. */
  readonly isByPage?: boolean;
}

export const DELETED_LATER = 'deleted later in this feed';
const FLAGGED = 'the item is flagged as risky';
const NO_PAGE = 'an endpoint of an API has no page';

export async function present(event: FeedChange, how: Circumstances): Promise<Presented> {
  if (event.action === 'delete') return { kind: 'event', event: followed(event, how) };
  if (isUnchanged(event, how.checksums)) return { kind: 'event', event: followed(event, how, { unchanged: true }) };
  const contentError = how.content ? reasonForNone(event, how) : undefined;
  if (contentError !== undefined) {
    return how.isByPage ? { kind: 'left-out' } : { kind: 'event', event: followed(event, how, { contentError }) };
  }
  if (!how.content) return { kind: 'event', event: followed(event, how) };
  const outcome = await how.pages(pageUrlOf(event));
  if (isLeftOut(event, outcome, how.isByPage ? undefined : true)) return { kind: 'left-out' };
  return outcome.kind === 'failed'
    ? { kind: 'withheld', outcome }
    : { kind: 'event', event: withPage(event, how, outcome) };
}

/** Whether a change is about a section that the rules leave out. `wanted` is undefined if only the page can show that. */
export function isLeftOut(
  { anchor }: FeedChange,
  outcome: PageOutcome | undefined,
  wanted: boolean | undefined,
): boolean {
  if (outcome?.kind === 'unavailable') return wanted === undefined;
  if (outcome?.kind !== 'page') return false;
  if (wanted === undefined && outcome.isElsewhere) return true;
  return anchor !== undefined && (outcome.leftOut?.has(anchor) ?? false);
}

export function withPage(event: FeedChange, follower: Follower, outcome: PageOutcome): FollowedEvent {
  if (outcome.kind === 'page') return followedWithContent(event, follower, outcome.page);
  return followed(event, follower, { contentError: outcome.reason });
}

/** Items have separate versions, and several may share one boundary. Statements about the use of a page are not part of its checksum. */
export function isUnchanged(event: FeedChange, checksums: StoredChecksums): boolean {
  if (decodeTermsNote(event.note) !== undefined) return false;
  if (event.action === 'delete' || event.itemId !== undefined || event.checksum === undefined) return false;
  return event.checksum === checksums.get(pageUrlOf(event))?.get(boundaryOf(event));
}

function reasonForNone({ flagged, kind }: FeedChange, { isDeletedLater }: Circumstances): string | undefined {
  if (flagged) return FLAGGED;
  if (kind === 'endpoint') return NO_PAGE;
  return isDeletedLater ? DELETED_LATER : undefined;
}
