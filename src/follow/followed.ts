import { boundaryOf } from '../codecs/aicf/boundary.ts';
import { findSection } from '../extract/find-section.ts';
import type { ChangeDraft } from '../model/change.ts';
import type { Page } from '../model/page.ts';
import type { FeedEvent, ItemFacts } from './feed-event.ts';
import type { ChecksumEdit } from './follow-state.ts';
import type { FollowedEvent } from './followed-event.ts';

/** The page of an event, without a fragment: what is fetched, and under what it is stored (T-AICF-3). */
export function pageUrlOf({ url }: FeedEvent): string {
  return boundaryOf({ url });
}

type Extra = Pick<FollowedEvent, 'markdown' | 'unchanged' | 'contentError'>;

export function followed(event: FeedEvent, source: string, extra: Extra = {}): FollowedEvent {
  const { id, action, url, anchor, time, checksum, note, hints, item } = event;
  return {
    id,
    action,
    url,
    ...(anchor !== undefined && { anchor }),
    boundary: boundaryOf(event),
    time,
    ...(checksum !== undefined && { checksum }),
    ...(note !== undefined && { note }),
    ...(hints !== undefined && { hints }),
    ...(item !== undefined && itemKeys(item)),
    source,
    dialect: item === undefined ? 'aicf' : 'diffdelta',
    ...extra,
  };
}

function itemKeys({ id, title, excerpt, risk, flagged }: ItemFacts): Partial<FollowedEvent> {
  return {
    ...(title !== undefined && { title }),
    ...(excerpt !== undefined && { excerpt }),
    ...(risk !== undefined && { risk }),
    ...(flagged && { flagged }),
    itemId: id,
  };
}

/** With the boundary as the page has it now; the whole page where the section is no longer on it (T-AICF-15). */
export function followedWithContent(event: FeedEvent, source: string, page: Page): FollowedEvent {
  if (event.anchor === undefined) return followed(event, source, { markdown: page.markdown });
  const section = findSection(page, event.anchor, event.checksum);
  if (section !== undefined) return followed(event, source, { markdown: section.markdown });
  return { ...followed(event, source, { markdown: page.markdown }), boundary: pageUrlOf(event), anchorMissing: true };
}

/**
 * What handing on this event does to the stored checksums, or undefined when it does nothing. A checksum counts only
 * when its boundary was processed; a delete, a failure or a whole page in place of a section forgets (T-AICF-4). Items have
 * versions of their own, and several may have one boundary.
 */
export function checksumEditOf(event: FeedEvent, printed: FollowedEvent): ChecksumEdit | undefined {
  if (printed.unchanged || event.item !== undefined) return undefined;
  const edit = { page: pageUrlOf(event), boundary: printed.boundary };
  const counts = event.action !== 'delete' && printed.contentError === undefined && printed.anchorMissing === undefined;
  return counts && event.checksum !== undefined ? { ...edit, checksum: event.checksum } : edit;
}

/** The record that goes into the follower's own log. */
export function changeOf(event: FeedEvent, printed: FollowedEvent): ChangeDraft {
  const { action, anchor, time, checksum, note, hints, id, item } = event;
  return {
    source: printed.source,
    action,
    url: pageUrlOf(event),
    ...(anchor !== undefined && { anchor }),
    claimedTime: time,
    ...(checksum !== undefined && action !== 'delete' && { checksum }),
    ...(note !== undefined && { note }),
    ...(hints !== undefined && { hints }),
    ...(item !== undefined && itemDraft(item, action)),
    provenance: {
      by: printed.dialect,
      originId: item?.id ?? id,
      ...(item !== undefined && { feedSource: item.source }),
      ...(printed.unchanged && { unchanged: true }),
      ...(printed.contentError !== undefined && { contentError: printed.contentError }),
    },
  };
}

/** DD-I6: what is harmless is not said to be so. */
function itemDraft({ title, excerpt, risk }: ItemFacts, action: FeedEvent['action']): Partial<ChangeDraft> {
  return {
    ...(title !== undefined && { title }),
    ...(excerpt !== undefined && action !== 'delete' && { excerpt }),
    ...(risk !== undefined && risk.score > 0 && { risk: risk.score }),
    ...(risk !== undefined && risk.reasons.length > 0 && { riskReasons: risk.reasons }),
  };
}
