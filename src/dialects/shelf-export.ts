import type { Artifact, HeaderRule } from '../model/artifact.ts';

/** A document of a hub to be exported for hosts that only serve files. */
export interface ExportedDocument extends Pick<Artifact, 'path' | 'mediaType' | 'cacheControl'> {
  /** How its bytes may change under its path: `lasting` never; `growing` only by appended bytes; `moving` as a whole. */
  readonly kind: 'lasting' | 'growing' | 'moving';
  /** Present if the bytes are expensive to make: documents with the same `tag` have the same bytes. `bytes` is their number. */
  readonly version?: { readonly tag: string; readonly bytes: number };
  /** Undefined if retention has removed it since it was listed. */
  read(): Uint8Array | undefined | Promise<Uint8Array | undefined>;
}

/** All documents of a dialect in the data of a hub, for an export. The data is only read. */
export interface ShelfExport {
  /** The response headers for static hosts, as a few patterns. */
  readonly rules: readonly HeaderRule[];
  /** The `lasting` documents, in a stable order; new ones are mostly at its end. */
  lasting(): Iterable<ExportedDocument> | AsyncIterable<ExportedDocument>;
  /** All other documents, in write order: each after those that it names. Lasting documents that they name are always listed. */
  heads(): Iterable<ExportedDocument> | AsyncIterable<ExportedDocument>;
  /** Whether retention may have removed a document of that path. Absent: it removes none. */
  hasEnded?(path: string): boolean;
}
