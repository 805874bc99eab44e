import { checkAicf } from '../../../codecs/aicf/check.ts';
import { AICF_CLAUSES } from '../../../codecs/aicf/clauses.ts';
import { AICF_DISCOVERY_PATH } from '../../../codecs/aicf/wire.ts';
import type { CheckOutcome } from '../../../codecs/primitives/ledger.ts';
import type { Checker } from '../../checker.ts';
import { hasDocument } from '../../document-source.ts';
import { AICF_HINTS } from './aicf-hints.ts';
import { aicfPlaces } from './aicf-places.ts';
import { gatherAicf } from './gather-aicf.ts';

export const AICF_CHECKER: Checker = {
  hints: AICF_HINTS,
  traces: { wellKnown: AICF_DISCOVERY_PATH, beside: ['/ai-changes.ndjson'] },

  /** In a folder, a feed is enough; a live site has a document that leads to it. */
  async holds(source) {
    const { discoveryPaths, feedAddress } = aicfPlaces(source);
    return await hasDocument(source, [...discoveryPaths, ...(feedAddress === undefined ? [] : [feedAddress])]);
  },

  names: (url) => aicfPlaces({ url }).named !== undefined,

  async check(source) {
    const { seen, withoutDiscovery } = await gatherAicf(source);
    const outcome = checkAicf(seen);
    return withoutDiscovery === undefined ? outcome : leaveOut(outcome, withoutDiscovery);
  },
};

/** Publisher clauses that are about the discovery document, or need one. */
const OF_DISCOVERY: ReadonlySet<string> = new Set(
  AICF_CLAUSES.filter(({ role }) => role !== 'client')
    .map(({ id }) => id)
    .filter((id) => /^AICF-(?:D\d+|S1|P[456]|X6)$/.test(id)),
);

function leaveOut(outcome: CheckOutcome, reason: string): CheckOutcome {
  const { findings, checked, skipped } = outcome;
  const isLeft = (id: string) => !OF_DISCOVERY.has(id);
  return {
    ...outcome,
    // The only finding about clients concerns the version in a discovery document.
    findings: findings.filter(({ clause }) => isLeft(clause) && clause !== 'AICF-C2'),
    checked: new Set([...checked].filter(isLeft)),
    skipped: new Map([...skipped, ...[...OF_DISCOVERY].map((id) => [id, reason] as const)]),
  };
}
