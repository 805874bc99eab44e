import type { ClauseLevel } from './finding.ts';

/** One obligation of a specification. */
export interface Clause {
  readonly id: string;
  readonly level: ClauseLevel;
  /** Who has the obligation, in the words of the specification: `publisher`, `client`, `publisher/client`, … */
  readonly role: string;
  /** The obligation, in one line. */
  readonly text: string;
}

const LEVELS: Readonly<Record<string, ClauseLevel>> = { MUST: 'MUST', SHOULD: 'SHOULD', MAY: 'MAY' };

/** Clauses from a table: one per line, with id, level, role and text between tabs. */
export function clauseTable(table: string): readonly Clause[] {
  return table
    .trim()
    .split('\n')
    .map((row) => {
      const [id = '', name = '', role = '', text = ''] = row.split('\t');
      const level = LEVELS[name];
      if (level === undefined || text === '') throw new Error(`The clause ${id} has no level or no text.`);
      return { id, level, role, text };
    });
}
