import { decodePayload } from '../../../codecs/agent-feed/decode-payload.ts';
import { isEntryType } from '../../../codecs/agent-feed/wire.ts';
import type { SurfaceTable } from '../../../surface/surface-table.ts';
import type { AppliedFact, FirstIds, SeenEntry } from './reader-state.ts';
import { isSame, type UnverifiedEntry, type Verdict, type VerifiedEntry } from './verify-entries.ts';
import type { Visit } from './visit.ts';

/** The result of one document, to be committed as one. */
export interface Applied {
  readonly seen: readonly SeenEntry[];
  readonly facts: readonly Omit<AppliedFact, 'seq'>[];
  readonly applied: number;
  readonly skipped: number;
  /** How many of its entries took effect when an earlier document had them. */
  readonly known: number;
  readonly lastSeen: string | undefined;
}

/** Applies agent-feed §3 to §6 and §9, entry by entry in document order. Only `table` changes before the commit. */
export async function applyEntries(
  visit: Visit,
  chunks: AsyncIterable<readonly Verdict[]>,
  table: SurfaceTable,
): Promise<Applied> {
  const { state, feedUrl } = visit;
  const application = new Application(visit, table);
  for await (const verdicts of chunks) {
    const hashes = verdicts.flatMap((verdict) =>
      verdict.isVerified && !verdict.known ? verdict.seen.payloadHash : [],
    );
    const earlier = await state.payloadsAmong(feedUrl.href, hashes);
    for (const verdict of verdicts) application.add(verdict, earlier);
  }
  return application.outcome();
}

/** Collects the effects of the entries of one document. */
class Application {
  readonly #visit: Visit;
  readonly #table: SurfaceTable;
  readonly #seen = new Map<string, SeenEntry>();
  readonly #payloads = new Map<string, Map<string, string>>();
  readonly #facts: Omit<AppliedFact, 'seq'>[] = [];
  readonly #knownIds = new Set<string>();
  readonly #missingKeys = new Set<string | undefined>();
  #lastSeen: string | undefined;
  #applied = 0;
  #skipped = 0;

  constructor(visit: Visit, table: SurfaceTable) {
    this.#visit = visit;
    this.#table = table;
  }

  /** `earlier`: payloads of earlier documents. */
  add(verdict: Verdict, earlier: ReadonlyMap<string, FirstIds>): void {
    if (verdict.known !== undefined && !verdict.known.isVoid) this.#knownIds.add(verdict.known.entryId);
    const hadEffect = verdict.isVerified ? this.#take(verdict, earlier) : this.#tellUnverified(verdict);
    if (hadEffect) this.#applied += 1;
    else this.#skipped += 1;
  }

  outcome(): Applied {
    return {
      seen: [...this.#seen.values()],
      facts: this.#facts,
      applied: this.#applied,
      skipped: this.#skipped,
      known: this.#knownIds.size,
      lastSeen: this.#lastSeen,
    };
  }

  #tellUnverified({ entry, reason, isKeyMissing }: UnverifiedEntry): false {
    const { telling, feedUrl } = this.#visit;
    const { origin } = feedUrl;
    const { id = '', signer, content, signature } = entry;
    if (isKeyMissing && !this.#missingKeys.has(signer)) {
      this.#missingKeys.add(signer);
      telling.tell({ event: 'key-unresolvable', origin, reason, ...(signer !== undefined && { signer }) });
    }
    const about = JSON.stringify([signer, signature, content]);
    telling.tell({ event: 'unverified-entry', origin, entryId: id, feedUrl: feedUrl.href, reason }, { about });
    return false;
  }

  /** Returns whether it had an effect. */
  #take(verdict: VerifiedEntry, earlier: ReadonlyMap<string, FirstIds>): boolean {
    const { telling, feedUrl, nowMs } = this.#visit;
    const { origin } = feedUrl;
    const { entry, content, seen: sighting, signer } = verdict;
    const place = { origin, entryId: sighting.entryId, feedUrl: feedUrl.href };
    const { type = '' } = entry;
    const about = sighting.payloadHash + sighting.signature;
    if (!isEntryType(type)) {
      telling.tell({ event: 'unknown-entry-type', ...place, type }, { about });
      return false;
    }
    const known = verdict.known ?? this.#seen.get(sighting.entryId);
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
      // Not recorded: the type is not signed, so the same payload counts once its type is corrected (T-AF-3).
      telling.tell({ event: 'malformed-payload', ...place, reason: decoded.issues[0].message }, { about });
      return false;
    }
    const { payloadHash, signature } = sighting;
    const firstId = earlier.get(payloadHash)?.get(signature) ?? this.#payloads.get(payloadHash)?.get(signature);
    if (firstId !== undefined) {
      // The id is not signed, so it stays free for another entry of the publisher.
      telling.tell({ event: 'repeated-payload', ...place, firstId });
      return false;
    }
    const fact = decoded.value;
    const event = this.#table.apply(fact);
    if (event !== undefined) telling.tell({ event, ...place, endpointId: fact.endpointId });
    if (event === 'limit-exceeded') return false;
    const isVoid = event === 'deprecation-of-unknown';
    this.#facts.push({
      entryId: sighting.entryId,
      fact,
      ...(entry.updated !== undefined && { updated: entry.updated }),
      signer,
      learnedMs: nowMs,
      ...(isVoid && { isVoid }),
    });
    if (!isVoid) return this.#remember(sighting);
    this.#seen.set(sighting.entryId, { ...sighting, isVoid });
    return false;
  }

  #remember(sighting: SeenEntry): true {
    const { entryId, payloadHash, signature } = sighting;
    this.#seen.set(entryId, sighting);
    this.#payloads.set(
      payloadHash,
      (this.#payloads.get(payloadHash) ?? new Map<string, string>()).set(signature, entryId),
    );
    this.#lastSeen = entryId;
    return true;
  }
}
