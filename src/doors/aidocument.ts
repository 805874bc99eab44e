/** `tidings/aidocument`: AIDocument 2.0 of AIWebIndex as values. */

export { checkAIDocument } from '../codecs/aidocument/check.ts';
export { decodeAIDocument } from '../codecs/aidocument/decode.ts';
export type {
  AIDocument,
  CacheInfo,
  CacheStatus,
  ContentInfo,
  DocumentHeading,
  DocumentImage,
  DocumentLink,
  EconomicsInfo,
  FreshnessPolicy,
  IdentityInfo,
  JsonObject,
  JsonValue,
  PricingBasis,
  RenderMode,
  SchemaInfo,
  SignalsInfo,
  SourceInfo,
  StructureInfo,
  UsageInfo,
  UsageStatement,
} from '../codecs/aidocument/wire.ts';
export type { ClauseLevel, Finding } from '../codecs/primitives/finding.ts';
export type { Issue, Result } from '../codecs/primitives/result.ts';
export { refOf } from '../extract/document/document-ref.ts';
export { type ReadPageOptions, readPageDocument as readPage } from '../extract/document/read-page.ts';
export { readTextPage, type TextMediaType } from '../extract/document/read-text-page.ts';
export type { GivenRules } from '../model/given-rules.ts';
