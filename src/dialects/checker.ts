import type { CheckOutcome } from '../codecs/primitives/ledger.ts';
import type { Inflate } from '../codecs/zip/wire.ts';
import type { DocumentSource } from './document-source.ts';
import type { FixHints } from './fix-hint.ts';

/** The part of a dialect that says whether a place holds it, and which of its clauses are broken there. */
export interface Checker {
  /**
   * Whether a place offers this dialect, by few requests. Throws an `UnreadableTargetError` where a live one cannot say so
   * now: no answer does not mean that nothing is there. Absent where documents have no place of their own: then the dialect is
   * checked where a user names it.
   */
  holds?(source: DocumentSource): Promise<boolean>;
  /**
   * Reads a place and holds it against every clause. Throws an `UnreadableTargetError` when there is nothing to check, or when
   * nothing at all can be read now.
   */
  check(source: DocumentSource, parts: CheckParts): Promise<Checked>;
  /** Whether a URL is that of a document of this dialect. Then this dialect alone is meant, and no other is looked for. */
  names?(url: URL): boolean;
  /** What to write so that its clauses hold: of every clause that can be reported. */
  readonly hints: FixHints;
  /**
   * Paths of what publishers put below `.well-known`, and of what they put elsewhere beside it. A host that serves the second and
   * not the first has dropped a folder. Absent where nothing stands elsewhere.
   */
  readonly traces?: { readonly wellKnown: string; readonly beside: readonly string[] };
  /** Documents that can be checked by themselves. */
  readonly file?: FileChecker;
}

/** The check of one file, without the site that it belongs to. */
export interface FileChecker {
  holds(file: CheckedFile): boolean;
  check(file: CheckedFile, parts: CheckParts): Promise<Checked>;
}

export interface CheckedFile {
  /** How messages call it. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What a check says: of each clause that it was looked at, found at fault, or why not. */
export interface Checked extends CheckOutcome {
  /** What could not be read now, and why: of that nothing is said. */
  readonly unread?: readonly string[];
}

/** What checks need from outside. */
export interface CheckParts {
  readonly now: () => number;
  /** Resolves after so long, or when the user wants no more. */
  readonly wait: (ms: number) => Promise<void>;
  /** Called with a line about what is waited for, and with an empty one when that is over. */
  readonly onStatus: (line: string) => void;
  /** The user's key for a service that gives more to those who have one. */
  readonly apiKey?: string;
  /** True for the text of an address on the public internet. */
  readonly isPublicAddress: (literal: string) => boolean;
  /** Decompresses, and fails on more than `maxBytes`. */
  readonly gunzip: (bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array>;
  readonly inflate: Inflate;
  /** The HTML files of a folder, relative to it. Absent where it is none. */
  readonly listPages?: () => readonly string[];
  /** The JSON files of a folder and below, in the order of their names. Absent where it is none. */
  readonly jsonFiles?: () => AsyncIterable<CheckedFile>;
}
