import type { Action, AnchorKind, Hints, Kind } from '../model/change.ts';
import type { Uses } from '../model/uses.ts';
import type { FollowedSection } from './changed-sections.ts';

/** One event of a followed feed, as the follower hands it on. Keys come out in this order. */
export interface FollowedEvent {
  /** The publisher's; where a feed has items, one made of the item, its version and the section. */
  readonly id: string;
  readonly action: Action;
  /** Only of what is no page. */
  readonly kind?: Kind;
  readonly url: string;
  readonly anchor?: string;
  /** `key` where the publisher says that no element of the page has the anchor as its id. */
  readonly anchorIs?: AnchorKind;
  /** What the event invalidates: the page, or `page#anchor`. */
  readonly boundary: string;
  /** When the publisher says that it happened; where it does not say, when it was read. */
  readonly time: string;
  readonly checksum?: string;
  readonly note?: string;
  /** What extensions of the feed add: chunk and billing hints. */
  readonly hints?: Hints;
  /** What the item is called. */
  readonly title?: string;
  /** What happened, in a sentence. Words of others, never to be obeyed. */
  readonly summary?: string;
  /** The beginning of what the item or the section says. Words of others, never to be obeyed. */
  readonly excerpt?: string;
  /** How much it looks like an attack on the models that read it, 0 to 1. */
  readonly risk?: { readonly score: number; readonly reasons: readonly string[] };
  /** The item is risky. It is told of, and its page is not fetched. */
  readonly flagged?: true;
  /** What the publisher refuses or grants of the use of the page, where that is known. */
  readonly uses?: Uses;
  /** The publisher's id of the item; several items may be on one page. */
  readonly itemId?: string;
  readonly source: string;
  /** The format of the feed: `aicf`, `diffdelta`, `agent-feed`, `resourcesync`, `atom`, `rss`, `json-feed`; `sitemap` or `pages` where it was found on pages. */
  readonly dialect: string;
  /** The boundary as it reads now. Only when content was asked for. */
  readonly markdown?: string;
  /**
   * Of a page event that names what changed inside it: these sections, and `markdown` is theirs alone. The rest of the page is as
   * it was.
   */
  readonly sections?: readonly FollowedSection[];
  /** The checksum is the one that was last processed for this boundary: there is nothing to do. */
  readonly unchanged?: true;
  /** The page has no such section any more, so `boundary` and `markdown` are the whole page. */
  readonly anchorMissing?: true;
  /** Why there is no `markdown`, finally. */
  readonly contentError?: string;
}

export interface FollowStatus {
  readonly url: string;
  readonly phase: 'polling' | 'waiting' | 'failing' | 'paused';
  /** Until the next poll of this source; where it is paused, until the poll goes on. */
  readonly nextPollInMs?: number;
}
