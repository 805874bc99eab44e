import type { NamedHubs } from '../../../model/named-hubs.ts';
import type { StepStore } from '../../store/step-store.ts';
import type { PushTrust } from './push-trust.ts';

/**
 * One callback that was given to a hub. A renewal gets a new one, under an unguessable path.
 *
 * - `pending`: asked for, and not confirmed by a challenge so far. It is stored before the hub is asked: the challenge may come first.
 * - `active`: confirmed, until its lease ends.
 * - `ending`: we have asked the hub to end it.
 * - `gone`: over. It is remembered for a while, so that a hub which delivers all the same learns that.
 */
export interface TopicSubscription {
  /** The last part of the path of its callback. */
  readonly id: string;
  /** As the hub knows it: to end it, we must name it so, even after our address has changed. */
  readonly callback: string;
  readonly source: string;
  /** As the feed names it. */
  readonly hub: string;
  /** The address of the hub: over https if that works, and after permanent redirects. */
  readonly hubUrl: string;
  readonly topic: string;
  /** Absent if it would have gone over plain http. */
  readonly secret?: string;
  readonly state: 'pending' | 'active' | 'ending' | 'gone';
  /** When the hub was last asked for what it is to confirm. */
  readonly askedMs: number;
  /** When it was confirmed. */
  readonly sinceMs?: number;
  readonly expiresMs?: number;
  readonly renewAtMs?: number;
  readonly goneMs?: number;
}

/** What is known about the hubs of one source. */
export interface Following {
  readonly source: string;
  /** The hubs that its feed named last. */
  readonly named: NamedHubs;
  /** Since when it has named them. */
  readonly namedMs: number;
  /** The addresses of hubs that have moved, by the name that feeds give them. */
  readonly movedHubs?: Readonly<Record<string, string>>;
  /** In a row. */
  readonly failures: number;
  /** No hub is asked before this time. */
  readonly retryAtMs?: number;
  /** Why there is no subscription, or no new one. */
  readonly reason?: string;
  readonly isDenied?: true;
  readonly trust: PushTrust;
}

/** Edits that are written in one step. */
export interface TopicEdit {
  readonly following?: Following;
  readonly subscriptions?: readonly TopicSubscription[];
  /** Sources to forget. */
  readonly forget?: readonly string[];
  /** Callbacks to forget. */
  readonly drop?: readonly string[];
}

/** Where they are kept. */
export interface TopicStore extends StepStore<TopicEdit> {
  all(): { readonly followings: readonly Following[]; readonly subscriptions: readonly TopicSubscription[] };
}
