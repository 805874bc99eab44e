import { canonicalJson } from '../../../codecs/primitives/canonical-json.ts';
import type { EndpointRecord } from '../../../surface/endpoint-record.ts';
import { factOf, tableOf } from './surface-facts.ts';
import type { EntryLine } from './surface-record.ts';

/**
 * The entries that a new reader does not need: announcements that the next entry about their endpoint replaces.
 *
 * An announcement stays if another kind of entry follows it, because that entry depends on it (AF-ST6).
 */
export function supersededEntries(origin: URL, served: readonly EntryLine[]): EntryLine[] {
  const waiting = new Map<string, EntryLine>();
  const superseded = new Set<EntryLine>();
  for (const entry of served) {
    const fact = factOf(entry);
    if (fact === undefined) continue;
    const before = waiting.get(fact.endpointId);
    waiting.delete(fact.endpointId);
    if (fact.type !== 'endpoint-announcement') continue;
    const last = before && factOf(before);
    if (before && last?.type === 'endpoint-announcement' && last.protocol === fact.protocol) superseded.add(before);
    waiting.set(fact.endpointId, entry);
  }
  const kept = served.filter((entry) => !superseded.has(entry));
  if (knowledge(origin, kept) !== knowledge(origin, served))
    throw new Error('Archiving would change what a fresh reader learns.');
  return served.filter((entry) => superseded.has(entry));
}

/** Everything a reader can be asked about, as text: the records, and the order in which they were announced. */
function knowledge(origin: URL, entries: readonly EntryLine[]): string {
  const records = [...tableOf(origin, entries).records()].sort(
    (left, right) =>
      (left.announcement ?? 0) - (right.announcement ?? 0) || (left.endpointId < right.endpointId ? -1 : 1),
  );
  return canonicalJson(
    records.map(({ announcement, ...rest }: EndpointRecord) => ({ ...rest, isAnnounced: announcement !== undefined })),
  );
}
