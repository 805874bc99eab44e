import { decodePayload } from '../../../codecs/agent-feed/decode-payload.ts';
import { type Fact, isEntryType } from '../../../codecs/agent-feed/wire.ts';
import { createSurfaceTable, type SurfaceTable } from '../../../surface/surface-table.ts';
import type { EntryLine } from './surface-record.ts';

/** A cache: each file that is made from the entries needs their facts again. */
const known = new WeakMap<object, Fact | undefined>();

/** The fact in one of our entries. Undefined if readers would not accept it as a fact. */
export function factOf(entry: Pick<EntryLine, 'type' | 'content'>): Fact | undefined {
  if (!known.has(entry)) known.set(entry, decodeFact(entry));
  return known.get(entry);
}

function decodeFact({ type, content }: Pick<EntryLine, 'type' | 'content'>): Fact | undefined {
  if (!isEntryType(type)) return undefined;
  const decoded = decodePayload(type, content);
  return decoded.ok ? decoded.value : undefined;
}

/** What a new reader knows after these entries. */
export function tableOf(origin: URL, entries: readonly EntryLine[]): SurfaceTable {
  const table = createSurfaceTable(origin);
  for (const entry of entries) {
    const fact = factOf(entry);
    if (fact !== undefined) table.apply(fact);
  }
  return table;
}
