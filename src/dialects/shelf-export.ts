import type { Artifact, HeaderRule } from '../model/artifact.ts';

/** A document of a hub as it is written out, for hosts that only serve files. */
export interface ExportedDocument extends Pick<Artifact, 'path' | 'mediaType' | 'cacheControl'> {
  /**
   * How its bytes may change under its path: `lasting` never; `growing` by more bytes behind those that it has; `moving` as a whole.
   */
  readonly kind: 'lasting' | 'growing' | 'moving';
  /** Given where the bytes are dear to make: what has the same `tag` has the same bytes, and so many. */
  readonly version?: { readonly tag: string; readonly bytes: number };
  /** Undefined where retention has ended it since it was listed. */
  read(): Uint8Array | undefined | Promise<Uint8Array | undefined>;
}

/** All documents of a dialect in the data of a hub, for whoever writes them out. Nothing is written to the data. */
export interface ShelfExport {
  /** What hosts are to say with them, by few patterns. */
  readonly rules: readonly HeaderRule[];
  /** Those that are `lasting`, in an order that stays; new ones stand mostly at its end. */
  lasting(): Iterable<ExportedDocument> | AsyncIterable<ExportedDocument>;
  /** All others, in the order in which they are to be written: each behind those that it names. None names a lasting one that is not listed. */
  heads(): Iterable<ExportedDocument> | AsyncIterable<ExportedDocument>;
  /** Whether retention may have ended a document of that path. Absent: it ends none. */
  hasEnded?(path: string): boolean;
}
