import { decodeBase64, encodeBase64 } from '../codecs/primitives/base64.ts';
import { isRecord } from '../codecs/primitives/json-record.ts';
import { type KnownEntry, LogKnowledge } from './log-knowledge.ts';

/** What is stored about a log from one audit to the next. */
export interface AuditMemory {
  /** The key by which it was verified, as text. */
  readonly vkey: string;
  /** The last proven signed note. */
  readonly checkpoint: string;
  /** The tiles at the right edge of that log, by their paths: a place need not keep them. */
  readonly edge: ReadonlyMap<string, Uint8Array>;
  /** The audited facts of each entry, in order. */
  readonly entries: readonly RememberedEntry[];
}

export interface RememberedEntry {
  readonly index: number;
  readonly entry: KnownEntry;
}

/** One line of JSON for the head, and one for each entry. */
export function encodeAuditMemory({ vkey, checkpoint, edge, entries }: AuditMemory): string {
  const tiles = Object.fromEntries([...edge].map(([path, bytes]) => [path, encodeBase64(bytes)]));
  const head = JSON.stringify({ type: TYPE, vkey, checkpoint, edge: tiles });
  return [head, ...entries.map(({ index, entry }) => JSON.stringify([index, entry]))]
    .map((line) => `${line}\n`)
    .join('');
}

const TYPE = 'tidings audit 1';

/**
 * Undefined if the text is not a valid memory: then the next audit starts from the beginning. It comes from a file of the user, and is not verified
 * entry by entry.
 */
export function decodeAuditMemory(text: string): AuditMemory | undefined {
  const [first = '', ...lines] = text.split('\n');
  if (lines.pop() !== '') return undefined;
  try {
    const head: unknown = JSON.parse(first);
    if (!isRecord(head) || head.type !== TYPE || !isRecord(head.edge)) return undefined;
    const { vkey, checkpoint } = head;
    if (typeof vkey !== 'string' || typeof checkpoint !== 'string') return undefined;
    const edge = new Map(
      Object.entries(head.edge).map(([path, tile]) => [path, decodeBase64(String(tile)) ?? NOTHING]),
    );
    const entries = lines.map((line): RememberedEntry => {
      const [index, entry] = JSON.parse(line) as [number, KnownEntry];
      return { index, entry };
    });
    return { vkey, checkpoint, edge, entries };
  } catch {
    return undefined;
  }
}

const NOTHING = new Uint8Array();

/** A shortened memory: an audit that continues from it checks only what is new, and takes earlier reports as checked. */
export function briefMemory(memory: AuditMemory, origin: string): AuditMemory {
  const isOf = (type: KnownEntry['type']) => memory.entries.findLast(({ entry }) => entry.type === type);
  const [change, last] = [isOf('change'), memory.entries.at(-1)];
  const begun = { index: 0, entry: { type: 'begin', origin, count: 1 } } as const;
  const kept = new Map([begun, change, last].flatMap((each) => (each === undefined ? [] : [[each.index, each]])));
  return { ...memory, entries: [...kept.values()] };
}

/** The knowledge from which an audit continues. */
export function knowledgeOf(entries: readonly RememberedEntry[], origin: string): LogKnowledge {
  const knowledge = new LogKnowledge();
  for (const { index, entry } of entries) knowledge.take(entry, index, origin);
  return knowledge;
}
