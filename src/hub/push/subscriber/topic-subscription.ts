import type { NamedHubs } from '../../../model/named-hubs.ts';
import type { StepStore } from '../../store/step-store.ts';
import type { PushTrust } from './push-trust.ts';

/**
 * One callback that a hub was given. A renewal is a new one, under a path that nobody can guess.
 *
 * - `pending`: asked for, and not confirmed by a challenge so far. It is stored before the hub is asked: the challenge may come first.
 * - `active`: confirmed, until its lease ends.
 * - `ending`: we have asked the hub to end it.
 * - `gone`: over. It is remembered for a while, so that a hub which delivers all the same learns that.
 */
export interface TopicSubscription {
  /** The last part of the path of its callback. */
  readonly id: string;
  /** As the hub knows it: who ends it must name it so, also behind a move of ours. */
  readonly callback: string;
  readonly source: string;
  /** As the feed names it. */
  readonly hub: string;
  /** Where it answers: over https where that works, and where it moved for good. */
  readonly hubUrl: string;
  readonly topic: string;
  /** Absent where it would have gone over plain http. */
  readonly secret?: string;
  readonly state: 'pending' | 'active' | 'ending' | 'gone';
  /** When the hub was asked last for what it is to confirm. */
  readonly askedMs: number;
  /** When it was confirmed. */
  readonly sinceMs?: number;
  readonly expiresMs?: number;
  readonly renewAtMs?: number;
  readonly goneMs?: number;
}

/** What is known of the hubs of one source. */
export interface Following {
  readonly source: string;
  /** What its feed said of them last. */
  readonly named: NamedHubs;
  /** Since when it says so. */
  readonly namedMs: number;
  /** Where hubs answer, by the name that feeds give them, where that is elsewhere. */
  readonly movedHubs?: Readonly<Record<string, string>>;
  /** In a row. */
  readonly failures: number;
  /** No hub is asked before. */
  readonly retryAtMs?: number;
  /** Why there is no subscription, or no new one. */
  readonly reason?: string;
  readonly isDenied?: true;
  readonly trust: PushTrust;
}

/** What is to be written in one step. */
export interface TopicEdit {
  readonly following?: Following;
  readonly subscriptions?: readonly TopicSubscription[];
  /** Sources of which nothing is known any more. */
  readonly forget?: readonly string[];
  /** Callbacks of which nothing is known any more. */
  readonly drop?: readonly string[];
}

/** Where they are kept. */
export interface TopicStore extends StepStore<TopicEdit> {
  all(): { readonly followings: readonly Following[]; readonly subscriptions: readonly TopicSubscription[] };
}
