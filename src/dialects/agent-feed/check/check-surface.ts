import { AGENT_FEED_CLAUSES } from '../../../codecs/agent-feed/clauses.ts';
import type { DecodedAgentFeed } from '../../../codecs/agent-feed/wire.ts';
import { type CheckOutcome, openLedger } from '../../../codecs/primitives/ledger.ts';
import type { AnsweredDocument } from '../../../codecs/primitives/seen-document.ts';
import type { SurfaceTable } from '../../../surface/surface-table.ts';
import { checkCard } from './check-card.ts';
import { checkDid, readDid } from './check-did.ts';
import { checkEnvelope, clauseOfFlaw } from './check-envelope.ts';
import { checkFeedLevel, readFeed } from './check-feed.ts';
import { openHistory } from './check-history.ts';
import { checkPayload } from './check-payload.ts';
import { checkResponses } from './check-responses.ts';
import { createSignatureCheck, type SignatureCheck } from './check-signature.ts';
import { originOf } from './folder-origin.ts';
import { reasonsOf } from './reasons.ts';
import { type Bench, isFound, type SeenSurface, type SurfaceCheckParts } from './seen-surface.ts';

export interface SurfaceOutcome extends CheckOutcome {
  /** What a publisher should know besides. */
  readonly notes: readonly string[];
}

/** Holds the three documents of an origin against every clause. Each ends up checked, found at fault, or skipped with a reason. */
export function checkSurface(seen: SeenSurface, parts: SurfaceCheckParts): SurfaceOutcome {
  const ledger = openLedger(AGENT_FEED_CLAUSES);
  for (const [id, reason] of reasonsOf()) ledger.skipped(reason, id);
  checkResponses(seen, ledger);

  const read = isFound(seen.feed) ? readFeed(seen.feed) : undefined;
  if (read !== undefined && 'problem' in read && seen.feed !== undefined) {
    const where = read.line === undefined ? seen.feed.where : `${seen.feed.where}:${read.line}`;
    const remedy = 'Serve a well-formed Atom feed with the namespace of agent-feed: readers take nothing else.';
    ledger.note({ clause: 'AF-W2', where, seen: read.problem, remedy });
  }
  const feed = read === undefined || 'problem' in read ? undefined : read;
  const didFields = isFound(seen.did) ? readDid(seen.did) : undefined;
  const id = typeof didFields === 'object' ? didFields.id : undefined;
  const bench: Bench = { ...parts, ledger, origin: originOf(seen, feed, id) };

  const signers = new Set(feed?.entries.map(({ signer }) => signer));
  const did = isFound(seen.did) ? checkDid(seen.did, signers, bench) : undefined;
  const signatures = createSignatureCheck(did, bench);
  const table = feed !== undefined && isFound(seen.feed) ? checkFeed(feed, seen.feed, signatures, bench) : undefined;
  if (isFound(seen.card)) checkCard(seen.card, feed?.feedStatus === 'active' ? table : undefined, bench);
  return { ...ledger.close(), notes: notesOf(feed) };
}

function checkFeed(
  feed: DecodedAgentFeed,
  document: AnsweredDocument,
  signatures: SignatureCheck,
  bench: Bench,
): SurfaceTable {
  checkFeedLevel(feed, document, bench);
  const history = openHistory(document.where, bench);
  for (const entry of feed.entries) {
    const where = `${document.where}:${entry.line}`;
    checkEnvelope(entry, where, bench);
    if (entry.flaw !== undefined) {
      const remedy = 'Write it once and as plain text: readers believe nothing of such an entry.';
      bench.ledger.note({ clause: clauseOfFlaw(entry.flaw), level: 'MUST', where, seen: entry.flaw, remedy });
      history.add(entry, where, undefined);
      continue;
    }
    const fact = checkPayload(entry, where, bench);
    signatures.check(entry, where);
    history.add(entry, where, fact);
  }
  signatures.close();
  return history.close();
}

function notesOf(feed: DecodedAgentFeed | undefined): string[] {
  const { feedStatus, migratedTo } = feed ?? {};
  const keep = 'Keep did.json and the feed where they are: readers need both to learn of the end.';
  if (feedStatus === 'terminated') return [`The feed is terminated: readers act on nothing in it any more. ${keep}`];
  if (feedStatus !== 'migrated') return [];
  const to = migratedTo === undefined ? 'elsewhere' : `to ${migratedTo.slice(0, 200)}`;
  return [`The feed has moved ${to}: readers act on nothing in it any more. ${keep}`];
}
