import { accept, type LineIssue, type Result, refuse } from '../primitives/result.ts';

/** A problem that does not stop reading. */
export interface DocumentProblem extends LineIssue {
  /** `skipped`: the entry is left out. `kept`: everything usable is returned. */
  readonly effect: 'skipped' | 'kept';
  /** The capability that a skipped entry states. */
  readonly capability?: string;
}

/** Thrown while reading or writing when it cannot continue. The caller turns it into a refusal. */
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

/** Rules of sitemaps, ResourceSync or XML that no clause of IFCC-0001 covers. */
export const FORM = 'RESOURCESYNC-FORM';
export const KIND = 'RESOURCESYNC-KIND';
export const ENTRY = 'RESOURCESYNC-ENTRY';
export const LIMIT = 'RESOURCESYNC-LIMIT';
