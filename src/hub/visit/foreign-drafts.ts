import { encodedUri } from '../../codecs/primitives/encoded-uri.ts';
import type { RiskWeights } from '../../extract/risk/risk-rules.ts';
import { riskOfTexts } from '../../extract/risk/score-risk.ts';
import type { ChangeDraft } from '../../model/change.ts';
import { goesRound, pathThrough } from '../../model/hub-path.ts';

export interface ForeignWords {
  readonly note: (message: string) => void;
  readonly riskRules?: RiskWeights | undefined;
  /** The reader has verified their signatures. */
  readonly isVerified?: boolean;
  /** The id of this hub: changes that were here before are not reported again. */
  readonly hubId?: string | undefined;
  /** The hub that serves the feed, if one does. */
  readonly sender?: () => string | undefined;
}

/**
 * Changes that others report, with URLs as our own feeds may write them, and with a risk no lower than our own score of their texts. Changes with a password
 * in their URL are left out.
 */
export function foreignDrafts(
  changes: readonly ChangeDraft[],
  { note, riskRules, isVerified = false, hubId = '', sender = () => undefined }: ForeignWords,
): ChangeDraft[] {
  return changes.flatMap((change) => {
    const via = pathThrough(change.provenance?.via, sender());
    if (goesRound(via, hubId)) {
      note(
        'Changes that came through this hub before are passed over: hubs that follow each other tell each change once.',
      );
      return [];
    }
    const url = new URL(change.url);
    if (url.username !== '' || url.password !== '') {
      note('Events whose URLs carry a user name or a password are passed over.');
      return [];
    }
    url.hash = '';
    return [
      {
        ...withPath(isVerified ? change : unattested(change), via),
        url: encodedUri(url.href),
        ...riskOf(change, riskRules),
      },
    ];
  });
}

function withPath(change: ChangeDraft, path: string | undefined): ChangeDraft {
  const { via, ...provenance } = change.provenance ?? {};
  if (via === undefined && path === undefined) return change;
  return { ...change, provenance: { ...provenance, ...(path !== undefined && { via: path }) } };
}

/** Only signatures that were verified here count as verified: the claim of another feed proves nothing. */
function unattested(change: ChangeDraft): ChangeDraft {
  const { verified, signer, ...provenance } = change.provenance ?? {};
  if (verified === undefined && signer === undefined) return change;
  return { ...change, provenance };
}

function riskOf(
  { title, summary, excerpt, note, risk = 0, riskReasons = [] }: ChangeDraft,
  rules: RiskWeights | undefined,
) {
  const own = riskOfTexts([title, summary, excerpt, note], rules);
  if (own.score === 0) return {};
  return { risk: Math.max(risk, own.score), riskReasons: [...new Set([...riskReasons, ...own.reasons])] };
}
