import type { Disagreement } from '../../../surface/disagreement.ts';

/**
 * What a reader reports besides its state. The names are those of the draft where it has one; the others are ours.
 *
 * The payload of an unverified entry is never part of an event.
 */
export type ReaderEvent =
  /** The identity could not be fetched: no answer, a status other than 200, or an invalid certificate. */
  | ReaderEventOf<'did-unreachable', { readonly reason: string }>
  | ReaderEventOf<'did-malformed', { readonly reason: string }>
  /** No key of the document can be used, or the one that `signer` names cannot. */
  | ReaderEventOf<'key-unresolvable', { readonly reason: string; readonly signer?: string }>
  | ReaderEventOf<'feed-unreachable', { readonly reason: string }>
  /** Not XML, not a feed, or without what every v0 feed has. */
  | ReaderEventOf<'feed-malformed', { readonly reason: string }>
  | ReaderEventOf<'unsupported-spec-version', { readonly specVersion: string }>
  | ReaderEventOf<'terminated', { readonly feedStatus: string }>
  /** `refused` says why the migration is not followed. */
  | ReaderEventOf<'migrated', { readonly to?: string; readonly refused?: string }>
  /** The feed is active again after it was terminated; only an operator can trust it again. */
  | ReaderEventOf<'active-but-untrusted', object>
  | ReaderEventOf<'retrusted', { readonly at: string }>
  /** The origin asked for a pause. */
  | ReaderEventOf<'rate-limited', { readonly retryAt: string }>
  | ReaderEventOf<'unverified-entry', EntryPlace & { readonly reason: string }>
  | ReaderEventOf<'unknown-entry-type', EntryPlace & { readonly type: string }>
  | ReaderEventOf<'unknown-element', { readonly entryId?: string; readonly element: string }>
  | ReaderEventOf<'replay-mismatch', EntryPlace & { readonly reason: string }>
  /** Verified, but the payload does not fit its type. */
  | ReaderEventOf<'malformed-payload', EntryPlace & { readonly reason: string }>
  /** This payload was already applied with the same signature, under another id. */
  | ReaderEventOf<'repeated-payload', EntryPlace & { readonly firstId: string }>
  | ReaderEventOf<'schema-change-of-unknown', EntryPlace & { readonly endpointId: string }>
  | ReaderEventOf<'deprecation-of-unknown', EntryPlace & { readonly endpointId: string }>
  /** Verified, but beyond the limit for one feed or one endpoint. It is ignored. */
  | ReaderEventOf<'limit-exceeded', EntryPlace & { readonly endpointId: string }>
  | ReaderEventOf<'deprecated-and-sunset', { readonly endpointId: string; readonly url: string | null }>
  /** The snapshot differs from the feed. The feed counts. */
  | ReaderEventOf<'snapshot-feed-disagreement', { readonly endpoints: readonly { endpointId: string; url: string }[] }>
  /** Entries that an earlier document had. They were archived, as far as is known. */
  | ReaderEventOf<'entries-absent', { readonly count: number }>
  | ReaderEventOf<'mismatch', Disagreement & { readonly 'endpoint-id': string }>
  /** The other events of one name, beyond those that are reported one by one. */
  | ReaderEventOf<'events-suppressed', { readonly of: string; readonly count: number }>;

/** The entry that an event is about. */
export interface EntryPlace {
  readonly entryId: string;
  readonly feedUrl: string;
}

/** An event of one name: the feed origin that it is about, plus its own facts. */
export type ReaderEventOf<Name extends string, Facts> = { readonly event: Name; readonly origin: string } & Facts;

export type ReaderEventName = ReaderEvent['event'];
