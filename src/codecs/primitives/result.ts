/** Something from outside that violates its specification. */
export interface Issue {
  /** The violated obligation, as numbered in `specs/<dialect>/clauses.tsv`. */
  readonly clause: string;
  readonly message: string;
}

/** An issue with its line. */
export interface LineIssue extends Issue {
  /** From 1. */
  readonly line: number;
}

/** Bad input from outside is a value, not an exception. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly [Issue, ...Issue[]] };

export function accept<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function refuse(clause: string, message: string): Result<never> {
  return { ok: false, issues: [{ clause, message }] };
}
