import type { Disagreement } from '../../../surface/disagreement.ts';

/**
 * What a reader has to tell beside its state. The names are those of the draft where it has one; the others are ours.
 *
 * An unverified entry's payload is never part of an event.
 */
export type ReaderEvent =
  /** The identity could not be had: no answer, a status other than 200, a certificate that is not valid. */
  | Told<'did-unreachable', { readonly reason: string }>
  | Told<'did-malformed', { readonly reason: string }>
  /** No key of the document can be used, or the one that `signer` names cannot. */
  | Told<'key-unresolvable', { readonly reason: string; readonly signer?: string }>
  | Told<'feed-unreachable', { readonly reason: string }>
  /** Not XML, not a feed, or without what every v0 feed has. */
  | Told<'feed-malformed', { readonly reason: string }>
  | Told<'unsupported-spec-version', { readonly specVersion: string }>
  | Told<'terminated', { readonly feedStatus: string }>
  /** `refused` says why it is not followed. */
  | Told<'migrated', { readonly to?: string; readonly refused?: string }>
  /** The feed is active again after it was terminated; only an operator can trust it again. */
  | Told<'active-but-untrusted', object>
  | Told<'retrusted', { readonly at: string }>
  /** The origin asked for a pause. */
  | Told<'rate-limited', { readonly retryAt: string }>
  | Told<'unverified-entry', EntryPlace & { readonly reason: string }>
  | Told<'unknown-entry-type', EntryPlace & { readonly type: string }>
  | Told<'unknown-element', { readonly entryId?: string; readonly element: string }>
  | Told<'replay-mismatch', EntryPlace & { readonly reason: string }>
  /** Verified, but not what its type says. */
  | Told<'malformed-payload', EntryPlace & { readonly reason: string }>
  /** A payload that was applied already with this very signature, under the other id. */
  | Told<'repeated-payload', EntryPlace & { readonly firstId: string }>
  | Told<'schema-change-of-unknown', EntryPlace & { readonly endpointId: string }>
  | Told<'deprecation-of-unknown', EntryPlace & { readonly endpointId: string }>
  /** Verified, but more than is kept of one feed or one endpoint. It counts for nothing. */
  | Told<'limit-exceeded', EntryPlace & { readonly endpointId: string }>
  | Told<'deprecated-and-sunset', { readonly endpointId: string; readonly url: string | null }>
  /** The feed counts; the snapshot is told to differ. */
  | Told<'snapshot-feed-disagreement', { readonly endpoints: readonly { endpointId: string; url: string }[] }>
  /** Entries that were there once; archived, by all that is known. */
  | Told<'entries-absent', { readonly count: number }>
  | Told<'mismatch', Disagreement & { readonly 'endpoint-id': string }>
  /** More of one name than are told one by one. */
  | Told<'events-suppressed', { readonly of: string; readonly count: number }>;

interface EntryPlace {
  readonly entryId: string;
  readonly feedUrl: string;
}

type Told<Name extends string, Facts> = { readonly event: Name; readonly origin: string } & Facts;

export type ReaderEventName = ReaderEvent['event'];
