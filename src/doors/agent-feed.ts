/** `tidings/agent-feed`: agent-feed draft-00. Signed facts about an API surface, and a reader for them. */

import { encodeSignature } from '../codecs/agent-feed/signature-text.ts';
import { canonicalJson } from '../codecs/primitives/canonical-json.ts';
import { signBytes } from '../surface/ed25519.ts';

export { decodeAgentFeed as decodeFeed } from '../codecs/agent-feed/decode-feed.ts';
export { decodePayload } from '../codecs/agent-feed/decode-payload.ts';
export { decodeDidDocument, methodFor } from '../codecs/agent-feed/did-document.ts';
export { didOf } from '../codecs/agent-feed/did-web.ts';
export { decodeSignature, encodeSignature } from '../codecs/agent-feed/signature-text.ts';
export type {
  AnnouncementFact,
  DecodedAgentFeed as DecodedFeed,
  DecodedEntry,
  DeprecationFact,
  DidDocument,
  EntryType,
  Fact,
  FeedStatus,
  MigrationDelta,
  Retype,
  SchemaChangeFact,
  VerificationMethod,
} from '../codecs/agent-feed/wire.ts';
export type { DescriptionFormat } from '../codecs/api-description/description.ts';
export type { Issue, Result } from '../codecs/primitives/result.ts';
export type { IngestOptions, ObserveOptions } from '../dialects/agent-feed/read/reader.ts';
export type {
  EntryPlace,
  ReaderEvent,
  ReaderEventName,
  ReaderEventOf,
} from '../dialects/agent-feed/read/reader-event.ts';
export type { RequestDelta, Suggestion, SurfaceMigration, TraitChange } from '../diff/surface/surface-diff.ts';
export type { Disagreement, Discrepancy, RetypeMismatch } from '../surface/disagreement.ts';
export { publicKeyOfSeed, verifySignature } from '../surface/ed25519.ts';
export { readShape, type Shape, shapeOf } from '../surface/shape.ts';
export type { TypeToken } from '../surface/type-token.ts';
export {
  type AgentFeedReader as Reader,
  createAgentFeedReader as createReader,
  type Question,
} from './agent-feed-reader.ts';
export type { Moment } from './moment.ts';
export type { ReadEndpoint, ReadReport } from './read-report.ts';
export type { ReaderOptions } from './reader-options.ts';
export {
  type Announcement,
  announceEndpoint,
  archiveEntries,
  changeSchema,
  type Deprecation as EndpointDeprecation,
  deprecateEndpoint,
  initSurface,
  type KeyReport,
  listSigningKeys,
  migrateFeed,
  newSigningKey,
  rotateSigningKey,
  type SchemaChange,
  type SurfaceReport,
  type SurfaceTarget,
  terminateFeed,
} from './surface.ts';
export { diffSurfaces, migrationOf, type OperationDiff, type SurfaceDiff } from './surface-diff.ts';
export { canonicalJson };

/**
 * Signs the payload of an entry: `content` is its canonical JSON, and `signature` is the text of `af:sig` over exactly these bytes.
 *
 * `seed` is the private key of RFC 8032: 32 bytes. Throws a TypeError for a payload without a canonical form.
 *
 * @example
 * const { content, signature } = signPayload({ 'endpoint-id': 'orders-api', version: '1.0' }, seed);
 * verifySignature(publicKeyOfSeed(seed), Buffer.from(content), Buffer.from(signature, 'base64url')); // true
 */
export function signPayload(
  payload: Readonly<Record<string, unknown>>,
  seed: Uint8Array,
): { readonly content: string; readonly signature: string } {
  const content = canonicalJson(payload);
  return { content, signature: encodeSignature(signBytes(seed, new TextEncoder().encode(content))) };
}
export type { DidOptions, FoundMethod } from '../codecs/agent-feed/did-document.ts';
export type { DecodedAgentFeed } from '../codecs/agent-feed/wire.ts';
export type { Deprecation } from '../dialects/agent-feed/surface/check-fact.ts';
export type { AgentFeedReader } from './agent-feed-reader.ts';
export type { HttpOptions } from './open-http.ts';
export type { EndTarget } from './surface.ts';
export type { SurfaceDiffOptions } from './surface-diff.ts';
