/** `tidings/diffdelta`: DiffDelta v1.1 as values. Nothing is fetched. */

export { type CursorInput, type CursorItem, cursorOf, cursorText } from '../codecs/diffdelta/cursor.ts';
export {
  type DecodedDiscovery,
  type DecodedEndpoints,
  decodeDiffDeltaDiscovery as decodeDiscovery,
} from '../codecs/diffdelta/decode-discovery.ts';
export type { DecodedDiffDeltaFeed } from '../codecs/diffdelta/decode-feed.ts';
export {
  type DecodedBuckets,
  type DecodedDiffDeltaFeed as DecodedFeed,
  decodeDiffDeltaFeed as decodeFeed,
} from '../codecs/diffdelta/decode-feed.ts';
export { type DecodedHead, decodeHead } from '../codecs/diffdelta/decode-head.ts';
export type { DecodedItem, DecodedProvenance, DecodedRemoval, DecodedRisk } from '../codecs/diffdelta/decode-item.ts';
export type { DecodedSource } from '../codecs/diffdelta/decode-source-entry.ts';
export type { EncodedDiffDeltaFeed } from '../codecs/diffdelta/encode.ts';
export {
  type EncodedDiffDeltaFeed as EncodedFeed,
  encodeDiffDeltaFeed as encodeFeed,
  encodeHead,
  hashOfText,
} from '../codecs/diffdelta/encode.ts';
export type { Schema, SchemaObject, TypeName } from '../codecs/diffdelta/schema.ts';
export { DIFF_SCHEMA } from '../codecs/diffdelta/schema.ts';
export { type SchemaIssue, validateFeed } from '../codecs/diffdelta/validate.ts';
export type {
  BucketName,
  Buckets,
  Cursor,
  DeltaCounts,
  DiffDeltaDiscovery,
  DiffDeltaFeed,
  DiffDeltaHead,
  DiffDeltaItem,
  DiffDeltaSources,
  ItemContent,
  ItemProvenance,
  ItemRisk,
  ItemSection,
  ListedSource,
  SourceEntry,
  SourceStatusWord,
} from '../codecs/diffdelta/wire.ts';
export type { JsonRecord } from '../codecs/primitives/json-record.ts';
export type { Issue, Result } from '../codecs/primitives/result.ts';
