import { FEED_CLAUSE } from '../../../codecs/atom/decoded-feed.ts';
import type { Clause } from '../../../codecs/primitives/clause.ts';
import type { ClauseLevel, Finding } from '../../../codecs/primitives/finding.ts';
import type { CheckOutcome } from '../../../codecs/primitives/ledger.ts';
import { RESOURCESYNC_CLAUSES } from '../../../codecs/resourcesync/clauses.ts';
import { ENTRY, FORM, KIND, LIMIT } from '../../../codecs/resourcesync/issue.ts';

/** A Resource List that does not tell the truth about what is served. */
export const AUDIT = 'RESOURCESYNC-AUDIT';
/** What no specification asks for, and what makes it easier to read. */
export const ADVICE = 'RESOURCESYNC-ADVICE';

export interface Fault {
  /** Of IFCC-0001, or one of the words for what else sitemaps, ResourceSync, XML or Atom ask for. */
  readonly clause: string;
  /** That of the clause where it is not said. */
  readonly level?: ClauseLevel;
  /** The URL or file. */
  readonly where: string;
  /** From 1. */
  readonly line?: number | undefined;
  /** Faults of one clause, one document and one sort are the same: the first few are told and the others counted. */
  readonly sort: string;
  readonly seen: string;
  readonly remedy: string;
}

/** What was looked at, what could not be, and what was found. */
export interface FaultBook {
  note(fault: Fault): void;
  /** These clauses were looked at; without a finding they hold. */
  looked(...clauses: string[]): void;
  /** What a publisher should know besides. */
  remark(text: string): void;
  close(skipped: ReadonlyMap<string, string>): CheckOutcome & { readonly notes: readonly string[] };
}

const OTHERS: readonly Pick<Clause, 'id' | 'level'>[] = [
  { id: FORM, level: 'MUST' },
  { id: KIND, level: 'MUST' },
  { id: ENTRY, level: 'MUST' },
  { id: LIMIT, level: 'MUST' },
  { id: AUDIT, level: 'MUST' },
  { id: ADVICE, level: 'MAY' },
  { id: FEED_CLAUSE, level: 'MUST' },
];
const TABLE: readonly Pick<Clause, 'id' | 'level'>[] = [...RESOURCESYNC_CLAUSES, ...OTHERS];
const MAX_TOLD = 5;
const MAX_ADVICE_TOLD = 2;
/** A site may have any number of lists with a fault of their own. */
const MAX_GROUPS = 20;
const MAX_REMARKS = 20;

interface Group {
  readonly told: Finding[];
  readonly file: string;
  count: number;
}

export function openFaultBook(): FaultBook {
  const levels = new Map(TABLE.map(({ id, level }) => [id, level]));
  const groups = new Map<string, Map<string, Group>>();
  const checked = new Set<string>();
  const notes = new Set<string>();
  const unheard = new Map<string, number>();
  return {
    note({ clause, level = levels.get(clause), where, line, sort, seen, remedy }) {
      if (level === undefined) throw new Error(`There is no clause ${clause}.`);
      const ofClause = groups.get(clause) ?? new Map<string, Group>();
      groups.set(clause, ofClause);
      const key = `${level} ${sort} ${where}`;
      const group = ofClause.get(key) ?? { told: [], file: where, count: 0 };
      if (ofClause.size >= MAX_GROUPS && !ofClause.has(key)) {
        unheard.set(clause, (unheard.get(clause) ?? 0) + 1);
        return;
      }
      ofClause.set(key, group);
      group.count += 1;
      if (group.told.length >= (level === 'MAY' ? MAX_ADVICE_TOLD : MAX_TOLD)) return;
      const place = plain(line === undefined ? where : `${where}:${line}`);
      group.told.push({ clause, level, where: place, seen: plain(seen), remedy: plain(remedy) });
    },
    looked: (...ids) => {
      for (const id of ids) checked.add(id);
    },
    remark: (text) => {
      if (notes.size < MAX_REMARKS) notes.add(plain(text));
    },
    close(skipped) {
      const findings = TABLE.flatMap(({ id }) => [
        ...[...(groups.get(id)?.values() ?? [])].flatMap(findingsOf),
        ...remainder(groups.get(id), unheard.get(id)),
      ]);
      return { findings, checked, skipped, notes: [...notes] };
    },
  };
}

/** What is quoted may hold what steers a terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}

function findingsOf({ told, file, count }: Group): Finding[] {
  const last = told.at(-1);
  const left = count - told.length;
  return last === undefined || left === 0 ? told : [...told, { ...last, where: file, seen: `and ${left} more` }];
}

function remainder(groups: ReadonlyMap<string, Group> | undefined, count: number | undefined): Finding[] {
  const last = [...(groups?.values() ?? [])].at(-1)?.told.at(-1);
  if (last === undefined || count === undefined) return [];
  return [{ ...last, where: last.where.replace(/:\d+$/, ''), seen: `and ${count} more in other places` }];
}
