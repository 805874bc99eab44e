import { boundaryOf } from '../codecs/aicf/boundary.ts';
import { draftOf } from '../dialects/draft-of.ts';
import type { FeedChange } from '../dialects/feed-change.ts';
import { findSection } from '../extract/find-section.ts';
import type { ChangeDraft } from '../model/change.ts';
import type { Page } from '../model/page.ts';
import { changedSections } from './changed-sections.ts';
import type { ChecksumEdit } from './follow-state.ts';
import type { FollowedEvent } from './followed-event.ts';

/** The page of an event, without a fragment: what is fetched, and under what it is stored (T-AICF-3). */
export function pageUrlOf({ url }: FeedChange): string {
  return boundaryOf({ url });
}

/** Who hands an event on. */
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
 * With the boundary as the page has it now; the whole page where the section is no longer on it (T-AICF-15), and of a page
 * event that names what changed inside it only that.
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
 * What handing on this event does to the stored checksums, or undefined when it does nothing. A checksum counts only
 * when its boundary was processed; a delete, a failure or a whole page in place of a section forgets (T-AICF-4). Items have
 * versions of their own, and several may have one boundary.
 */
export function checksumEditOf(event: FeedChange, printed: FollowedEvent): ChecksumEdit | undefined {
  if (printed.unchanged || event.itemId !== undefined) return undefined;
  const edit = { page: pageUrlOf(event), boundary: printed.boundary };
  const counts = event.action !== 'delete' && printed.contentError === undefined && printed.anchorMissing === undefined;
  return counts && event.checksum !== undefined ? { ...edit, checksum: event.checksum } : edit;
}

type Outcome = Pick<FollowedEvent, 'source' | 'unchanged' | 'contentError'>;

/** The record that goes into the log of whoever hands the event on. */
export function changeOf(event: FeedChange, { source, unchanged, contentError }: Outcome): ChangeDraft {
  const draft = draftOf(event, source);
  if (!unchanged && contentError === undefined) return draft;
  const how = { ...(unchanged && { unchanged: true }), ...(contentError !== undefined && { contentError }) };
  return { ...draft, provenance: { ...event.provenance, ...how } };
}
