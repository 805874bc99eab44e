import { boundaryOf } from '../codecs/aicf/boundary.ts';
import { draftOf } from '../dialects/draft-of.ts';
import type { FeedChange } from '../dialects/feed-change.ts';
import { findSection } from '../extract/find-section.ts';
import type { ChangeDraft } from '../model/change.ts';
import type { Page } from '../model/page.ts';
import { changedSections } from './changed-sections.ts';
import type { ChecksumEdit } from './follow-state.ts';
import type { FollowedEvent } from './followed-event.ts';

/** The page of an event, without a fragment: it is fetched and stored under this URL (T-AICF-3). */
export function pageUrlOf({ url }: FeedChange): string {
  return boundaryOf({ url });
}

/** What an event needs to know about the follower that delivers it. */
export interface Follower {
  readonly source: string;
  readonly now: () => number;
}

type Extra = Pick<FollowedEvent, 'markdown' | 'sections' | 'unchanged' | 'contentError'>;

export function followed(event: FeedChange, { source, now }: Follower, extra: Extra = {}): FollowedEvent {
  const { id, action, kind, url, anchor, anchorIs, time, checksum, note, hints } = event;
  return {
    id,
    action,
    ...(kind !== undefined && kind !== 'page' && { kind }),
    url,
    ...(anchor !== undefined && { anchor }),
    ...(anchorIs !== undefined && { anchorIs }),
    boundary: boundaryOf(event),
    time: time ?? new Date(now()).toISOString(),
    ...(checksum !== undefined && { checksum }),
    ...(note !== undefined && { note }),
    ...(hints !== undefined && { hints }),
    ...itemKeys(event),
    source,
    dialect: event.provenance.by,
    ...extra,
  };
}

function itemKeys({ title, summary, excerpt, risk, flagged, uses, itemId }: FeedChange): Partial<FollowedEvent> {
  return {
    ...(title !== undefined && { title }),
    ...(summary !== undefined && { summary }),
    ...(excerpt !== undefined && { excerpt }),
    ...(risk !== undefined && { risk }),
    ...(flagged && { flagged }),
    ...(uses !== undefined && { uses }),
    ...(itemId !== undefined && { itemId }),
  };
}

/**
 * The event with the current text of its boundary: the whole page if the section no longer exists (T-AICF-15), and only the named sections of a page
 * event that names what changed inside it.
 */
export function followedWithContent(event: FeedChange, follower: Follower, page: Page): FollowedEvent {
  if (event.anchor === undefined) return followed(event, follower, contentOfPage(event, page));
  const section = findSection(page, event.anchor, event.checksum);
  if (section !== undefined) return followed(event, follower, { markdown: section.markdown });
  return { ...followed(event, follower, { markdown: page.markdown }), boundary: pageUrlOf(event), anchorMissing: true };
}

function contentOfPage({ action, note }: FeedChange, page: Page): Extra {
  const sections = action === 'update' ? changedSections(note, page) : undefined;
  if (sections === undefined) return { markdown: page.markdown };
  return { markdown: sections.flatMap(({ markdown }) => markdown ?? []).join('\n\n'), sections };
}

/**
 * What the delivery of this event does to the stored checksums, or undefined if nothing. A checksum counts only if its boundary was processed; a
 * delete, a failure or a whole page instead of a section removes it (T-AICF-4). Items have separate versions, and several may share one boundary.
 */
export function checksumEditOf(event: FeedChange, printed: FollowedEvent): ChecksumEdit | undefined {
  if (printed.unchanged || event.itemId !== undefined) return undefined;
  const edit = { page: pageUrlOf(event), boundary: printed.boundary };
  const counts = event.action !== 'delete' && printed.contentError === undefined && printed.anchorMissing === undefined;
  return counts && event.checksum !== undefined ? { ...edit, checksum: event.checksum } : edit;
}

type Outcome = Pick<FollowedEvent, 'source' | 'unchanged' | 'contentError'>;

/** The record for the log of the follower that delivers the event. */
export function changeOf(event: FeedChange, { source, unchanged, contentError }: Outcome): ChangeDraft {
  const draft = draftOf(event, source);
  if (!unchanged && contentError === undefined) return draft;
  const how = { ...(unchanged && { unchanged: true }), ...(contentError !== undefined && { contentError }) };
  return { ...draft, provenance: { ...event.provenance, ...how } };
}
