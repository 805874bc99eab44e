import { accept, type LineIssue, type Result, refuse } from '../primitives/result.ts';

/** Something that does not stop the reading. */
export interface DocumentProblem extends LineIssue {
  /** `skipped`: the entry is not given. `kept`: all that is usable is given. */
  readonly effect: 'skipped' | 'kept';
  /** What an entry that is skipped says that it leads to. */
  readonly capability?: string;
}

/** Thrown inside a reading that cannot go on; whoever reads makes it a refusal. */
export class DocumentFlaw extends Error {
  override readonly name = 'DocumentFlaw';
  readonly clause: string;

  constructor(clause: string, message: string) {
    super(message);
    this.clause = clause;
  }
}

/** The result of work that throws a {@link DocumentFlaw} for what it cannot write. */
export function written<T>(work: () => T): Result<T> {
  try {
    return accept(work());
  } catch (error) {
    if (!(error instanceof DocumentFlaw)) throw error;
    return refuse(error.clause, error.message);
  }
}

/** What no clause of IFCC-0001 says, but sitemaps, ResourceSync or XML do. */
export const FORM = 'RESOURCESYNC-FORM';
export const KIND = 'RESOURCESYNC-KIND';
export const ENTRY = 'RESOURCESYNC-ENTRY';
export const LIMIT = 'RESOURCESYNC-LIMIT';
