import type { Validators } from '../../../fetch/response-headers.ts';

/** What is remembered of a feed for people (Atom, RSS, JSON Feed). Its items are remembered separately. */
export interface KnownWebFeed {
  /** Validators of the last version that was read. */
  readonly validators?: Validators;
  /** How many items it had. */
  readonly count: number;
  /** The newest time that one of its items claims. */
  readonly newestMs?: number;
  /** The items of a feed that says, or once said, that it is complete. */
  readonly live?: readonly LiveItem[];
}

export interface LiveItem {
  /** The key of the known item. */
  readonly key: string;
  /** The id in the feed. */
  readonly id: string;
  readonly url: string;
  readonly anchor?: string;
  readonly title?: string;
}

/** What is remembered of a page that names a feed. */
export interface LeadingPage {
  readonly leadsTo: string;
}

/** Memory that this reader itself has written. */
export function decodeKnown(memory: unknown): KnownWebFeed | LeadingPage | undefined {
  return memory as KnownWebFeed | LeadingPage | undefined;
}
