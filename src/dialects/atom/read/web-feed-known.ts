import type { Validators } from '../../../fetch/response-headers.ts';

/** What is remembered of a feed for people (Atom, RSS, JSON Feed). Its items are known by themselves. */
export interface KnownWebFeed {
  /** Of the last version that was read. */
  readonly validators?: Validators;
  /** How many items it had. */
  readonly count: number;
  /** The newest moment that one of its items claims. */
  readonly newestMs?: number;
  /** Of a feed that says it is complete, or did so: what is in it. */
  readonly live?: readonly LiveItem[];
}

export interface LiveItem {
  /** Of the known item. */
  readonly key: string;
  /** As the feed has it. */
  readonly id: string;
  readonly url: string;
  readonly anchor?: string;
  readonly title?: string;
}

/** What is remembered of a page that names a feed. */
export interface LeadingPage {
  readonly leadsTo: string;
}

/** What this reader itself has written. */
export function decodeKnown(memory: unknown): KnownWebFeed | LeadingPage | undefined {
  return memory as KnownWebFeed | LeadingPage | undefined;
}
