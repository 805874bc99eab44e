import type { TreeReader } from '../tlog/tree-reader.ts';
import type { RememberedEntry } from './audit-memory.ts';
import { type AuditFinding, MAX_FINDINGS } from './audit-report.ts';
import type { LogKnowledge } from './log-knowledge.ts';
import { readLogEntry } from './read-entry.ts';

/** A log as far as an audit has read it. */
export interface ReadLog {
  readonly knowledge: LogKnowledge;
  /** What is remembered of each entry. */
  readonly entries: RememberedEntry[];
  readonly findings: AuditFinding[];
}

/** How many entries are read between two progress messages. */
const TOLD_EVERY = 25_600;

/** Reads the new entries of a log, and checks their form and order. */
export async function readAuditedLog(
  tree: TreeReader,
  log: ReadLog,
  { origin, onStatus }: { readonly origin: string; readonly onStatus: (line: string) => void },
): Promise<void> {
  const { knowledge, entries, findings } = log;
  for await (const read of tree.entries(knowledge.size)) {
    const { known, finding } = readLogEntry(read);
    if (known !== undefined) entries.push({ index: read.index, entry: known });
    const misplaced = known === undefined ? knowledge.skip(read.index) : knowledge.take(known, read.index, origin);
    for (const each of [finding, misplaced]) {
      if (each !== undefined && findings.length < MAX_FINDINGS) findings.push(each);
    }
    if ((read.index + 1) % TOLD_EVERY === 0) onStatus(`${read.index + 1} of ${tree.size} entries read`);
  }
}
