import { decodePayload } from '../../../codecs/agent-feed/decode-payload.ts';
import { type Fact, isEntryType } from '../../../codecs/agent-feed/wire.ts';
import { createSurfaceTable, type SurfaceTable } from '../../../surface/surface-table.ts';
import type { EntryLine } from './surface-record.ts';

/** Each file that is made from the entries asks for their facts again. */
const known = new WeakMap<object, Fact | undefined>();

/** What an entry of ours says. Undefined for one that readers do not take for a fact. */
export function factOf(entry: Pick<EntryLine, 'type' | 'content'>): Fact | undefined {
  if (!known.has(entry)) known.set(entry, decodeFact(entry));
  return known.get(entry);
}

function decodeFact({ type, content }: Pick<EntryLine, 'type' | 'content'>): Fact | undefined {
  if (!isEntryType(type)) return undefined;
  const decoded = decodePayload(type, content);
  return decoded.ok ? decoded.value : undefined;
}

/** What a reader that meets these entries for the first time knows behind them. */
export function tableOf(origin: URL, entries: readonly EntryLine[]): SurfaceTable {
  const table = createSurfaceTable(origin);
  for (const entry of entries) {
    const fact = factOf(entry);
    if (fact !== undefined) table.apply(fact);
  }
  return table;
}
