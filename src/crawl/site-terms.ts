import type { UsageSignal, Wishes } from '../codecs/usage-terms/usage.ts';
import { combinedWishes } from '../codecs/usage-terms/usage.ts';
import { decodeUses, encodeUses, type RememberedTerms } from '../model/uses.ts';
import type { LivePage } from './live-page.ts';
import { type OwnTerms, ownTermsOf, reservationSignal } from './own-terms.ts';
import { readUsageTerms, type TermsPorts, type UsageTerms, usageTermsWith } from './usage-terms.ts';

/** What is said about the use of pages. Files of sites beside their pages are requested at most once a day. */
export interface SiteTerms {
  /** All statements about a page that was just read. */
  read(page: LivePage, signal: AbortSignal): Promise<UsageTerms>;
  /** All statements about a page that is unchanged since these were made. */
  renew(url: URL, before: readonly UsageSignal[], signal: AbortSignal): Promise<UsageTerms>;
  /** What to store about the terms of a page that was just read. */
  of(page: LivePage, signal: AbortSignal): Promise<RememberedTerms>;
  /** The same for an unchanged page whose own statements are stored. */
  again(url: URL, known: RememberedTerms, signal: AbortSignal): Promise<RememberedTerms>;
}

/** The places of statements in a page or its response. */
const OWN_PLACES = ['header', 'page'];

export function createSiteTerms(ports: Omit<TermsPorts, 'signal'>): SiteTerms {
  return {
    read: (page, signal) => readUsageTerms(page, { ...ports, signal }),
    renew(url, before, signal) {
      const own = {
        signals: before.filter(({ where }) => OWN_PLACES.includes(where)),
        licenses: before.flatMap(({ vocabulary, where }) =>
          vocabulary === 'rsl' && !OWN_PLACES.includes(where) ? [where] : [],
        ),
      };
      return usageTermsWith(own, url, { ...ports, signal });
    },
    async of(page, signal) {
      const own = ownTermsOf(page);
      return remembered(own, await usageTermsWith(own, page.url, { ...ports, signal }));
    },
    async again(url, known, signal) {
      const own = ownTermsIn(known);
      return remembered(own, await usageTermsWith(own, url, { ...ports, signal }));
    },
  };
}

function remembered({ signals, licenses }: OwnTerms, { uses, isPart }: UsageTerms): RememberedTerms {
  const isReservation = ({ vocabulary }: UsageSignal) => vocabulary === 'tdmrep';
  const reservation = signals.find(isReservation);
  const said = signals.filter((signal) => !isReservation(signal)).map(({ wishes }) => wishes);
  const own = encodeUses(combinedWishes(said));
  return {
    uses: encodeUses(uses),
    ...(own !== '' && { own }),
    ...(reservation !== undefined && { tdm: reservation.wishes['ai-train'] === 'no' ? 1 : 0 }),
    ...(licenses.length > 0 && { rsl: licenses }),
    ...(isPart && { isPart }),
  };
}

function ownTermsIn({ own = '', tdm, rsl = [] }: RememberedTerms): OwnTerms {
  const wishes: Wishes = decodeUses(own);
  return {
    signals: [
      ...(own === '' ? [] : [{ vocabulary: 'robots-words', where: 'page', said: '', wishes } as const]),
      ...(tdm === undefined ? [] : [reservationSignal({ isReserved: tdm === 1 }, 'page')]),
    ],
    licenses: rsl,
  };
}
