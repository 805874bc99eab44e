import type { HostPause } from '../../fetch/host-pauses.ts';
import type { LadderState } from '../../follow/ladder.ts';
import type { GivenRules } from '../../model/given-rules.ts';
import type { HonestyStanding } from '../../model/honesty-standing.ts';
import type { NamedHubs } from '../../model/named-hubs.ts';
import type { VolatileParts } from '../../model/volatile-parts.ts';
import type { CheckError } from './hub-store.ts';

/** What one look at a source came to. What could not be read changes nothing; what could be read counts, also where the look failed. */
export type VisitOutcome =
  | (VolatileParts & {
      readonly is: 'read';
      /** Which fallback was read instead, from 0. */
      readonly fallback?: number;
      /** Changes that went into the log. */
      readonly changes: number;
      readonly pages?: number;
      readonly unread?: number;
      /** Pages on which the frame of the site changed. */
      readonly frame?: number;
      /** How long the publisher of a feed says that it stays fresh: the floor of the adaptive rhythm. */
      readonly freshMs?: number;
      /** Until then it is not asked, also when a check comes sooner by an interval that an operator gave. */
      readonly isBound?: true;
      /** Nobody was asked, as it was too early. What was found was known before. */
      readonly isUnasked?: true;
      /** By which its pages were read, the newest first; absent where there never were rules. */
      readonly rules?: readonly GivenRules[];
      /** What its feed says of hubs that can tell of its news. Absent where this look has not seen that. */
      readonly hubs?: NamedHubs;
      /** Whether its feed told the truth about a few pages, as the last look found. */
      readonly honesty?: HonestyStanding;
      /** What a person should know, at most 20 lines. */
      readonly notes: readonly string[];
      /** Asked for by a host of the source, and not over when it was left. */
      readonly pause?: HostPause;
      /** Of a source that is followed by the best way there is: which that is now. */
      readonly ladder?: LadderState;
    })
  | {
      readonly is: 'failed';
      /** Of the source itself, not of its fallbacks. */
      readonly error: CheckError;
      readonly retryAfterMs?: number;
      /** The source is not asked until then, also when a check comes sooner. */
      readonly isSpared?: true;
      readonly changes: number;
      /** As above. */
      readonly pause?: HostPause;
      readonly ladder?: LadderState;
    }
  /** The hub is stopping; the source is read again when it runs again. */
  | { readonly is: 'abandoned'; readonly changes: number };
