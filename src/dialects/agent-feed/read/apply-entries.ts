import { decodePayload } from '../../../codecs/agent-feed/decode-payload.ts';
import { isEntryType } from '../../../codecs/agent-feed/wire.ts';
import type { SurfaceTable } from '../../../surface/surface-table.ts';
import type { AppliedFact, FirstIds, SeenEntry } from './reader-state.ts';
import { isSame, type UnverifiedEntry, type Verdict, type VerifiedEntry } from './verify-entries.ts';
import type { Visit } from './visit.ts';

/** What a document brought, to be written down as one. */
export interface Applied {
  readonly seen: readonly SeenEntry[];
  readonly facts: readonly Omit<AppliedFact, 'seq'>[];
  readonly applied: number;
  readonly skipped: number;
  /** How many of its entries had an effect when they were seen in an earlier one. */
  readonly known: number;
  readonly lastSeen: string | undefined;
}

/** agent-feed §3 to §6 and §9, entry by entry in document order. `table` is changed; nothing else is before the commit. */
export async function applyEntries(
  visit: Visit,
  chunks: AsyncIterable<readonly Verdict[]>,
  table: SurfaceTable,
): Promise<Applied> {
  const { state, telling, feedUrl, nowMs } = visit;
  const origin = feedUrl.origin;
  const seen = new Map<string, SeenEntry>();
  const payloads = new Map<string, Map<string, string>>();
  const facts: Omit<AppliedFact, 'seq'>[] = [];
  const knownIds = new Set<string>();
  const missingKeys = new Set<string | undefined>();
  let lastSeen: string | undefined;
  let applied = 0;
  let skipped = 0;

  for await (const verdicts of chunks) {
    const hashes = verdicts.flatMap((verdict) =>
      verdict.isVerified && !verdict.known ? verdict.seen.payloadHash : [],
    );
    const earlier = await state.payloadsAmong(feedUrl.href, hashes);
    for (const verdict of verdicts) {
      if (verdict.known !== undefined && !verdict.known.isVoid) knownIds.add(verdict.known.entryId);
      const hadEffect = verdict.isVerified ? take(verdict, earlier) : tellUnverified(verdict);
      if (hadEffect) applied += 1;
      else skipped += 1;
    }
  }
  return { seen: [...seen.values()], facts, applied, skipped, known: knownIds.size, lastSeen };

  function tellUnverified({ entry, reason, isKeyMissing }: UnverifiedEntry): false {
    const { id = '', signer, content, signature } = entry;
    if (isKeyMissing && !missingKeys.has(signer)) {
      missingKeys.add(signer);
      telling.tell({ event: 'key-unresolvable', origin, reason, ...(signer !== undefined && { signer }) });
    }
    const about = JSON.stringify([signer, signature, content]);
    telling.tell({ event: 'unverified-entry', origin, entryId: id, feedUrl: feedUrl.href, reason }, { about });
    return false;
  }

  /** Whether it had an effect. */
  function take(verdict: VerifiedEntry, earlier: ReadonlyMap<string, FirstIds>): boolean {
    const { entry, content, seen: sighting, signer } = verdict;
    const place = { origin, entryId: sighting.entryId, feedUrl: feedUrl.href };
    const { type = '' } = entry;
    const about = sighting.payloadHash + sighting.signature;
    if (!isEntryType(type)) {
      telling.tell({ event: 'unknown-entry-type', ...place, type }, { about });
      return false;
    }
    const known = verdict.known ?? seen.get(sighting.entryId);
    if (known !== undefined) {
      if (isSame(known, sighting)) return false;
      const what = known.payloadHash === sighting.payloadHash ? 'signature' : 'payload';
      telling.tell({ event: 'replay-mismatch', ...place, reason: `Its id was seen with another ${what}.` }, { about });
      return false;
    }
    for (const element of entry.unknownElements) {
      telling.tell({ event: 'unknown-element', origin, entryId: sighting.entryId, element });
    }
    const decoded = decodePayload(type, content);
    if (!decoded.ok) {
      // Not recorded: the type is not signed, and when it is put right the same payload counts (T-AF-3).
      telling.tell({ event: 'malformed-payload', ...place, reason: decoded.issues[0].message }, { about });
      return false;
    }
    const { payloadHash, signature } = sighting;
    const firstId = earlier.get(payloadHash)?.get(signature) ?? payloads.get(payloadHash)?.get(signature);
    if (firstId !== undefined) {
      // Nothing signs the id: it stays free for whatever the publisher gives it to.
      telling.tell({ event: 'repeated-payload', ...place, firstId });
      return false;
    }
    const fact = decoded.value;
    const event = table.apply(fact);
    if (event !== undefined) telling.tell({ event, ...place, endpointId: fact.endpointId });
    if (event === 'limit-exceeded') return false;
    const isVoid = event === 'deprecation-of-unknown';
    facts.push({
      entryId: sighting.entryId,
      fact,
      ...(entry.updated !== undefined && { updated: entry.updated }),
      signer,
      learnedMs: nowMs,
      ...(isVoid && { isVoid }),
    });
    if (!isVoid) return remember(sighting);
    seen.set(sighting.entryId, { ...sighting, isVoid });
    return false;
  }

  function remember(sighting: SeenEntry): true {
    const { entryId, payloadHash, signature } = sighting;
    seen.set(entryId, sighting);
    payloads.set(payloadHash, (payloads.get(payloadHash) ?? new Map<string, string>()).set(signature, entryId));
    lastSeen = entryId;
    return true;
  }
}
