/** `tidings/resourcesync`: ResourceSync 1.1 as values, and its packages. Nothing is fetched. */

export type { Issue, LineIssue, Result } from '../codecs/primitives/result.ts';
export {
  type ChangeEntry,
  type DecodedDocument,
  decodeCapabilityList,
  decodeChangeDump,
  decodeChangeDumpManifest,
  decodeChangeList,
  decodeChangeListIndex,
  decodeResourceDump,
  decodeResourceDumpManifest,
  decodeResourceList,
  decodeResourceListIndex,
  decodeResourceSync,
  decodeSourceDescription,
  decodeSourceDescriptionIndex,
  isChangeEntry,
} from '../codecs/resourcesync/decode.ts';
export type { Expected } from '../codecs/resourcesync/document-head.ts';
export type { ReadingLimits, ResourceSyncPart } from '../codecs/resourcesync/document-reading.ts';
export type { EncodedDocumentLimits } from '../codecs/resourcesync/encode.ts';
export {
  type EncodedDocumentLimits as DocumentLimits,
  encodeCapabilityList,
  encodeChangeDump,
  encodeChangeDumpManifest,
  encodeChangeList,
  encodeChangeListIndex,
  encodeResourceDump,
  encodeResourceDumpManifest,
  encodeResourceList,
  encodeResourceListIndex,
  encodeResourceSync,
  encodeSourceDescription,
  encodeSourceDescriptionIndex,
  type WrittenContent,
  type WrittenDocument,
} from '../codecs/resourcesync/encode.ts';
export type { DocumentProblem as Problem, DocumentProblem } from '../codecs/resourcesync/issue.ts';
export type { ReadEntry } from '../codecs/resourcesync/read-entry.ts';
export { type ReadResourceSyncOptions, readResourceSync } from '../codecs/resourcesync/read-resourcesync.ts';
export { indexEntry, splitDocument } from '../codecs/resourcesync/split-document.ts';
export { parseTimeSpan, type TimeSpan } from '../codecs/resourcesync/time-span.ts';
export type { ResourceEntry, ResourceMetadata } from '../codecs/resourcesync/wire.ts';
export {
  type Capability,
  type ChangeKind,
  type Head,
  hrefOf,
  type Link,
  type ResourceEntry as Entry,
  type ResourceMetadata as Metadata,
} from '../codecs/resourcesync/wire.ts';
export { DumpRefusedError } from '../errors/dump-error.ts';
export type { Recovery, TidingsError } from '../errors/tidings-error.ts';
export {
  type Dump,
  type DumpEntry,
  type DumpLimits,
  type DumpProblem,
  readDump,
  type UnpackOptions,
  type UnpackReport,
  unpackDump,
} from './dump.ts';
export {
  type HarvestedCollection,
  type HarvestOptions,
  type HarvestProblem,
  type HarvestReport,
  harvest,
} from './harvest.ts';
export type { HttpOptions } from './open-http.ts';
