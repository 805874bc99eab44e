import type { HostPause } from '../../fetch/host-pauses.ts';
import type { LadderState } from '../../follow/ladder.ts';
import type { GivenRules } from '../../model/given-rules.ts';
import type { HonestyStanding } from '../../model/honesty-standing.ts';
import type { NamedHubs } from '../../model/named-hubs.ts';
import type { VolatileParts } from '../../model/volatile-parts.ts';
import type { CheckError } from './hub-store.ts';

/** The outcome of one visit. What could not be read changes nothing; what could be read counts, even if the visit failed. */
export type VisitOutcome =
  | (VolatileParts & {
      readonly is: 'read';
      /** The index of the fallback that was read instead, from 0. */
      readonly fallback?: number;
      /** The number of changes that were appended to the log. */
      readonly changes: number;
      readonly pages?: number;
      readonly unread?: number;
      /** The number of pages on which the frame of the site changed. */
      readonly frame?: number;
      /** How long the publisher of a feed says that it stays fresh: the minimum of the adaptive interval. */
      readonly freshMs?: number;
      /** It is not asked before then, even if an operator set a shorter interval. */
      readonly isBound?: true;
      /** No request was made, because it was too early. What was found was known before. */
      readonly isUnasked?: true;
      /** The rules by which its pages were read, newest first; absent if there never were any. */
      readonly rules?: readonly GivenRules[];
      /** The WebSub hubs that its feed names. Absent if this visit did not see them. */
      readonly hubs?: NamedHubs;
      /** Whether its feed told the truth about a few pages, according to the last sample. */
      readonly honesty?: HonestyStanding;
      /** What a person should know, at most 20 lines. */
      readonly notes: readonly string[];
      /** A pause that a host of the source asked for, and that was not over at the end of the visit. */
      readonly pause?: HostPause;
      /** For a source of kind `auto`: how it is read now. */
      readonly ladder?: LadderState;
    })
  | {
      readonly is: 'failed';
      /** The error of the source itself, not of its fallbacks. */
      readonly error: CheckError;
      readonly retryAfterMs?: number;
      /** The source is not asked before then, even if a check comes sooner. */
      readonly isSpared?: true;
      readonly changes: number;
      /** As for `read`. */
      readonly pause?: HostPause;
      readonly ladder?: LadderState;
    }
  /** The hub is stopping; the source is read again after the next start. */
  | { readonly is: 'abandoned'; readonly changes: number };
