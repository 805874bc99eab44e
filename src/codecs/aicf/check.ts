import { type CheckOutcome, type Ledger, openLedger } from '../primitives/ledger.ts';
import { documentText } from '../primitives/seen-document.ts';
import { checkCaching } from './check-caching.ts';
import { checkAicfDiscovery, pointersOf } from './check-discovery.ts';
import { extensionFieldsOf } from './check-events.ts';
import { checkAicfFeed } from './check-feed.ts';
import { checkRotation } from './check-rotation.ts';
import { AICF_CLAUSES } from './clauses.ts';
import type { AicfSeen } from './seen.ts';

const TWO_MOMENTS = 'It takes two moments to see; one reading cannot show it.';
const OWN_CHOICE = 'An option of the publisher; leaving it out is fine.';
/** Why some clauses for publishers cannot be decided from outside. */
const REASONS: Readonly<Record<string, string>> = {
  'AICF-F2': TWO_MOMENTS,
  'AICF-P1': TWO_MOMENTS,
  'AICF-P2': TWO_MOMENTS,
  'AICF-A3': TWO_MOMENTS,
  'AICF-E11': 'Only the publisher knows what it takes the fingerprint of.',
  'AICF-A1': 'What an event is meant to say cannot be seen.',
  'AICF-A2': 'What an event is meant to say cannot be seen.',
  'AICF-I1': 'Sitemap and robots.txt are no part of the feed.',
  'AICF-X1': OWN_CHOICE,
  'AICF-X2': OWN_CHOICE,
  'AICF-X3': OWN_CHOICE,
  'AICF-X4': OWN_CHOICE,
  'AICF-X5': 'Only the configuration of the publisher shows it.',
};

/** Checks a site against every clause. Each clause ends up checked, found at fault, or skipped with a reason. */
export function checkAicf(seen: AicfSeen): CheckOutcome {
  const ledger = openLedger(AICF_CLAUSES);
  for (const { id, role } of AICF_CLAUSES) {
    const forClients = role === 'client';
    const nothing = 'There was nothing to check it on; see the other findings.';
    ledger.skipped(forClients ? 'A rule for clients: no feed can show it.' : (REASONS[id] ?? nothing), id);
  }
  checkAicfDiscovery(seen, ledger);
  checkAicfFeed(seen.feed, ledger);
  checkRotation(seen, ledger);
  checkCaching(seen, ledger);
  checkExtensions(seen, ledger);
  return ledger.close();
}

function checkExtensions({ discovery, feed }: AicfSeen, ledger: Ledger): void {
  if (feed?.kind !== 'answered' || discovery.kind !== 'answered' || discovery.status !== 200) return;
  const fields = extensionFieldsOf(documentText(feed).text.split('\n'));
  if (fields.length === 0) {
    ledger.skipped('No event carries a field of an extension.', 'AICF-X6');
    return;
  }
  ledger.looked('AICF-X6');
  if (pointersOf(discovery).capabilities) return;
  ledger.note({
    clause: 'AICF-X6',
    where: discovery.where,
    seen: `Events carry ${fields.join(', ')}, but no \`capabilities\` announce it.`,
    remedy: 'Name the extension in a `capabilities` array.',
  });
}
