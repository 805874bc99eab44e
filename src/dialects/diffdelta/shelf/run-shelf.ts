import type { Cursor, DeltaCounts } from '../../../codecs/diffdelta/wire.ts';
import type { ServedDocument } from '../../../hub/http/answer-document.ts';

/** One file of DiffDelta as it is served now. Its ETag is the cursor for the first bytes under it, with `.n` for later ones (T-DD-7). */
export interface RunFile extends ServedDocument {
  read(): Uint8Array | Promise<Uint8Array>;
}

/** Where a source, or all of them, stand. */
export interface RunStanding {
  readonly cursor: Cursor;
  readonly prevCursor: Cursor;
  readonly changed: boolean;
}

/** Head and feed of one source, or of all. Both are of one moment: the head's cursor is that of the feed. */
export interface RunVersion extends RunStanding {
  readonly deltaCounts?: DeltaCounts;
  readonly head: RunFile;
  readonly latest: RunFile;
}

/**
 * The DiffDelta files of a hub, kept ready beside the log that they are derived from.
 *
 * `find` touches no database and no disk. A version is served once it is stored, so that no cursor, no archive and no ETag
 * ever stands for other bytes, also over crashes.
 */
export interface RunShelf extends AsyncDisposable {
  /** By the id of a source, or `_global`. Undefined for a source that is not known. */
  find(name: string): RunVersion | undefined;
  /** As `find`, for who wants no file of it. The same object while the version is the same. */
  cursorsOf(name: string): RunStanding | undefined;
  /** The bytes of an archive by its path without the leading slash: `archive/docs/2026/02/05/….json`. */
  archive(path: string): Promise<Uint8Array | undefined>;
  /** The newest `seq` that the files have. */
  readonly seq: number;
  /** Why they lag behind the log; undefined when they do not. */
  readonly trouble: string | undefined;
}
