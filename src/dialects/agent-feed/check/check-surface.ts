import { AGENT_FEED_CLAUSES } from '../../../codecs/agent-feed/clauses.ts';
import type { DecodedAgentFeed } from '../../../codecs/agent-feed/wire.ts';
import { type CheckOutcome, type Ledger, openLedger } from '../../../codecs/primitives/ledger.ts';
import { type AnsweredDocument, isFound } from '../../../codecs/primitives/seen-document.ts';
import type { SurfaceTable } from '../../../surface/surface-table.ts';
import type { CheckParts } from '../../checker.ts';
import { isPrivateHost } from '../surface/private-host.ts';
import { checkCard } from './check-card.ts';
import { checkDid, readDid } from './check-did.ts';
import { checkEnvelope, clauseOfFlaw } from './check-envelope.ts';
import { checkFeedLevel, readCheckedFeed } from './check-feed.ts';
import { openHistory } from './check-history.ts';
import { checkPayload } from './check-payload.ts';
import { checkResponses } from './check-responses.ts';
import { SignatureCheck } from './check-signature.ts';
import { originOf } from './folder-origin.ts';
import { surfaceReasons } from './reasons.ts';
import type { SeenSurface, SurfaceContext } from './seen-surface.ts';

export type SurfaceCheckParts = Pick<CheckParts, 'now' | 'isPublicAddress'>;

/** Checks the three documents of an origin against every clause. Each clause is checked, violated, or skipped with a reason. */
export function checkSurface(seen: SeenSurface, { now, isPublicAddress }: SurfaceCheckParts): CheckOutcome {
  const ledger = openLedger(AGENT_FEED_CLAUSES);
  for (const [id, reason] of surfaceReasons()) ledger.skipped(reason, id);
  checkResponses(seen, ledger);

  const read = isFound(seen.feed) ? readCheckedFeed(seen.feed) : undefined;
  if (read !== undefined && 'problem' in read && seen.feed !== undefined) {
    const where = read.line === undefined ? seen.feed.where : `${seen.feed.where}:${read.line}`;
    const remedy = 'Serve a well-formed Atom feed with the namespace of agent-feed: readers take nothing else.';
    ledger.note({ clause: 'AF-W2', where, seen: read.problem, remedy });
  }
  const feed = read === undefined || 'problem' in read ? undefined : read;
  const didFields = isFound(seen.did) ? readDid(seen.did) : undefined;
  const id = typeof didFields === 'object' ? didFields.id : undefined;
  const context: SurfaceContext = {
    ledger,
    nowMs: now(),
    isPrivateHost: (url) => isPrivateHost(url, isPublicAddress),
    origin: originOf(seen, feed, id),
  };

  const signers = new Set(feed?.entries.map(({ signer }) => signer));
  const did = isFound(seen.did) ? checkDid(seen.did, signers, context) : undefined;
  const signatures = new SignatureCheck(did, context);
  const table = feed !== undefined && isFound(seen.feed) ? checkFeed(feed, seen.feed, signatures, context) : undefined;
  if (isFound(seen.card)) checkCard(seen.card, feed?.feedStatus === 'active' ? table : undefined, context);
  noteEnd(feed, ledger);
  return ledger.close();
}

function checkFeed(
  feed: DecodedAgentFeed,
  document: AnsweredDocument,
  signatures: SignatureCheck,
  context: SurfaceContext,
): SurfaceTable {
  checkFeedLevel(feed, document, context);
  const history = openHistory(document.where, context);
  for (const entry of feed.entries) {
    const where = `${document.where}:${entry.line}`;
    checkEnvelope(entry, where, context);
    if (entry.flaw !== undefined) {
      const remedy = 'Write it once and as plain text: readers believe nothing of such an entry.';
      context.ledger.note({ clause: clauseOfFlaw(entry.flaw), level: 'MUST', where, seen: entry.flaw, remedy });
      history.add(entry, where, undefined);
      continue;
    }
    const fact = checkPayload(entry, where, context);
    signatures.check(entry, where);
    history.add(entry, where, fact);
  }
  signatures.close();
  return history.close();
}

/** Tells the publisher of a feed that has ended what to keep. */
function noteEnd(feed: DecodedAgentFeed | undefined, ledger: Ledger): void {
  const { feedStatus, migratedTo } = feed ?? {};
  const keep = 'Keep did.json and the feed where they are: readers need both to learn of the end.';
  if (feedStatus === 'terminated') {
    ledger.remark(`The feed is terminated: readers act on nothing in it any more. ${keep}`);
  }
  if (feedStatus !== 'migrated') return;
  const to = migratedTo === undefined ? 'elsewhere' : `to ${migratedTo.slice(0, 200)}`;
  ledger.remark(`The feed has moved ${to}: readers act on nothing in it any more. ${keep}`);
}
