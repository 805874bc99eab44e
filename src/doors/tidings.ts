/** The library: what the command line does, as functions. The codec of each dialect is in `tidings/<dialect>`. */

export type { AnnounceTarget, AnnounceTargets } from '../announce/announce-target.ts';
export type { AuditReport, Evidence, EvidenceFile } from '../audit/audit-report.ts';
export type { AicfAction, AicfEvent, AicfHints } from '../codecs/aicf/wire.ts';
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
export type { SignMessage } from '../codecs/tlog/crypto-functions.ts';
export type { UsageSignal, Use, Wishes } from '../codecs/usage-terms/usage.ts';
export type { AddressForm } from '../crawl/site-address.ts';
export type { Diagnostic } from '../dialects/diagnostic.ts';
export type { LogSigner, ProjectionSettings } from '../dialects/projection-settings.ts';
export { type Recovery, TidingsError } from '../errors/tidings-error.ts';
export type { RiskRule, RiskWeights } from '../extract/risk/risk-rules.ts';
export type { FollowedSection } from '../follow/changed-sections.ts';
export type { FollowedEvent } from '../follow/followed-event.ts';
export type { SiteOffer } from '../follow/site-offers.ts';
export type { Log, ReadRange, Snapshots } from '../log/log.ts';
export type { Action, AnchorKind, Change, ChangeDraft, Hints, Kind, Provenance } from '../model/change.ts';
export type { CollectionSetting } from '../model/collection.ts';
export type { Extensions } from '../model/extensions.ts';
export type { FileFailure } from '../model/folder.ts';
export type { GivenRules } from '../model/given-rules.ts';
export type { Uses } from '../model/uses.ts';
export type { ProduceOptions } from '../produce/produce-options.ts';
export type { PublishReport, ReportedChange } from '../produce/publish-report.ts';
export type { DnsFailure } from '../verify/dns-records.ts';
export type { IssuedToken } from '../verify/token-store.ts';
export { type AnnouncedTarget, type AnnounceOptions, type AnnounceReport, announce } from './announce.ts';
export { type AuditFinding, type AuditOptions, type AuditOutcome, audit } from './audit.ts';
export { type CheckOptions, check } from './check.ts';
export { type DiscoverOptions, type DiscoverReport, discover, type ReportedOffer } from './discover.ts';
export { type FollowOptions, follow } from './follow.ts';
export {
  applyToMirror,
  type Chunker,
  type FetchedPage,
  type Mirror,
  type MirrorEvent,
  type MirrorPage,
} from './mirror.ts';
export type { HttpOptions } from './open-http.ts';
export { type OpenLogOptions, openLog } from './open-log.ts';
export { type PublishOptions, publish } from './publish.ts';
export { type ReadDocumentOptions, readDocument } from './read-document.ts';
export {
  type CheckDomainOptions,
  checkDomain,
  type DnsReport,
  type DnsSighting,
  type DomainReport,
  type FileReport,
  type Issuance,
  type IssueTokenOptions,
  issueToken,
  type Publication,
} from './verify-domain.ts';
