import type { CheckOutcome } from '../codecs/primitives/ledger.ts';
import type { Inflate } from '../codecs/zip/wire.ts';
import type { DocumentSource } from './document-source.ts';
import type { FixHints } from './fix-hint.ts';

/** The part of a dialect that says whether a place offers it and which of its clauses are broken there. */
export interface Checker {
  /**
   * Whether a place offers this dialect, determined with few requests. Throws an `UnreadableTargetError` if a live place cannot answer now: no answer
   * does not mean that nothing exists. Absent if documents of the dialect have no fixed place: then it is checked only at URLs that a user names.
   */
  holds?(source: DocumentSource): Promise<boolean>;
  /** Reads a place and checks every clause. Throws an `UnreadableTargetError` if there is nothing to check or nothing can be read now. */
  check(source: DocumentSource, parts: CheckParts): Promise<Checked>;
  /** Whether a URL belongs to a document of this dialect. Then only this dialect is checked. */
  names?(url: URL): boolean;
  /** What to write to satisfy its clauses, for every clause that can be reported. */
  readonly hints: FixHints;
  /**
   * Paths of files that publishers put below `.well-known`, and of files that they put elsewhere. A host that serves the second but not the first has
   * dropped a folder. Absent if there are no files elsewhere.
   */
  readonly traces?: { readonly wellKnown: string; readonly beside: readonly string[] };
  /** Checks documents that can be checked alone. */
  readonly file?: FileChecker;
}

/** Checks one file without the site that it belongs to. */
export interface FileChecker {
  holds(file: CheckedFile): boolean;
  check(file: CheckedFile, parts: CheckParts): Promise<Checked>;
}

export interface CheckedFile {
  /** Its name in messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The result of a check. For each clause: it was checked, it is broken, or why it was not checked. */
export interface Checked extends CheckOutcome {
  /** What could not be read now, and why. The result says nothing about these. */
  readonly unread?: readonly string[];
}

/** The inputs of a check from outside. */
export interface CheckParts {
  readonly now: () => number;
  /** Resolves after this time, or earlier if the user cancels the wait. */
  readonly wait: (ms: number) => Promise<void>;
  /** Called with a line that says what the check waits for, and with an empty line when the wait is over. */
  readonly onStatus: (line: string) => void;
  /** The user's key for a service that gives more to holders of a key. */
  readonly apiKey?: string;
  /** True for the text form of an IP address on the public internet. */
  readonly isPublicAddress: (literal: string) => boolean;
  /** Decompresses; fails if the result exceeds `maxBytes`. */
  readonly gunzip: (bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array>;
  readonly inflate: Inflate;
  /** The HTML files of a folder, relative to it. Absent if the place is not a folder. */
  readonly listPages?: () => readonly string[];
  /** The JSON files in and below a folder, sorted by name. Absent if the place is not a folder. */
  readonly jsonFiles?: () => AsyncIterable<CheckedFile>;
}
