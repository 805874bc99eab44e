export interface Clause {
  readonly dialect: string;
  readonly id: string;
  readonly level: string;
  readonly role: string;
  readonly section: string;
  readonly clause: string;
}

export interface ClauseException {
  readonly id: string;
  readonly reason: string;
}

/** One test that shows one clause. */
export interface ShownClause {
  readonly id: string;
  readonly file: string;
  readonly title: string;
}

export interface ClauseCalls {
  readonly shown: readonly ShownClause[];
  /** Calls that do not count, and why: not in literals, too many clauses, code that nobody reaches. */
  readonly flaws: readonly string[];
}

export interface Conformance extends ClauseCalls {
  readonly clauses: readonly Clause[];
  readonly exceptions: readonly ClauseException[];
  readonly remarks?: readonly ClauseException[];
}

export const CONFORMANCE_PAGE: string;
export const MAX_CLAUSES_OF_TEST: number;
export function readConformance(root: string): Conformance;
export function parseClauses(dialect: string, text: string): Clause[];
export function parseExceptions(text: string): ClauseException[];
export function findClauseCalls(file: string, source: string): ClauseCalls;
export function findGaps(conformance: Conformance): string[];
export function renderConformance(conformance: Conformance): string;
export function entriesOf(packageJson: string): string[];
export function findUnreached(
  sources: ReadonlyMap<string, string>,
  entries: readonly string[],
): ReadonlyMap<string, string>;
