/** The library: what the command line does, as functions. One dialect's codec is behind `tidings/<dialect>`. */
export type { AIDocument } from '../codecs/aidocument/wire.ts';
export type { ClauseLevel, Finding } from '../codecs/primitives/finding.ts';
export { type Recovery, TidingsError } from '../errors/tidings-error.ts';
export type { Log, ReadRange, Snapshots } from '../log/log.ts';
export type { Action, Change, ChangeDraft, Kind, Provenance } from '../model/change.ts';
export type { PublishReport, ReportedChange } from '../produce/publish-report.ts';
export { type AnnouncedTarget, type AnnounceOptions, type AnnounceReport, announce } from './announce.ts';
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
