/**
 * AI Changefeed (AICF) v0.1: a discovery document that points at an append-only NDJSON feed of change events.
 *
 * `GET /.well-known/ai-changefeed`, application/json:
 *
 *     {
 *       "aicf_version": "0.1",
 *       "self": "https://docs.example/ai-changes.ndjson",
 *       "license": "CC BY 4.0",
 *       "about": "https://docs.example/ai-changefeed",
 *       "ttl_seconds": 60
 *     }
 *
 * `GET <self>`, application/x-ndjson, oldest first:
 *
 *     {"id":"01J3Z6A6M7A0CAX","action":"create","url":"https://docs.example/guide/start","time":"2025-08-21T09:00:00Z"}
 *     {"id":"01J3Z6B1KQX6XYT","action":"update","url":"https://docs.example/pricing","time":"2025-08-21T10:15:00Z","anchor":"tiers"}
 *
 * Spec: specs/aicf/aicf-v0.1.md, its clauses in clauses.tsv, our readings in traps.md.
 */

export const AICF_VERSION = '0.1';
export const AICF_DISCOVERY_PATH = '/.well-known/ai-changefeed';
export const DISCOVERY_MEDIA_TYPE = 'application/json';
export const FEED_MEDIA_TYPE = 'application/x-ndjson';

export interface AicfDiscovery {
  readonly aicf_version: string;
  /** Absolute URL of the current feed file. */
  readonly self: string;
  readonly license?: string;
  readonly about?: string;
  /** How long the feed may be treated as fresh. */
  readonly ttl_seconds?: number;
  /** Absolute URLs of earlier feed files, oldest first (T-AICF-8). */
  readonly archives?: readonly string[];
  /** Names of the active extensions (T-AICF-18). */
  readonly capabilities?: readonly string[];
}

export type AicfAction = 'create' | 'update' | 'delete';

export interface AicfEvent {
  readonly id: string;
  readonly action: AicfAction;
  /** Absolute, with or without a fragment. The fragment is ignored: `anchor` names the section (T-AICF-3). */
  readonly url: string;
  /** RFC 3339 in UTC. */
  readonly time: string;
  /** The section that the event is about, without a leading `#`. Absent: the whole resource. */
  readonly anchor?: string;
  /** Ours: `key` if no element of the page has the anchor as its id. */
  readonly anchorIs?: 'key';
  /** Opaque; can only be compared with that of another event on the same boundary (T-AICF-5). */
  readonly checksum?: string;
  readonly note?: string;
  /** Ours: the hubs that the change came through, with blanks between them. */
  readonly via?: string;
  /** Fields of the §11 extensions. On the wire they are on the same level as the other fields. */
  readonly hints?: AicfHints;
}

/** Chunk hints and billing hints, under the names that §11 gives them. */
export interface AicfHints {
  /** Stays the same while the boundary exists. */
  readonly chunk_id?: string;
  /** Fingerprint of the section, on events that are about one. */
  readonly section_checksum?: string;
  /** The location of the vector of the chunk. */
  readonly embed_ref?: string;
  readonly plan?: string;
  /** The unit of `size`. */
  readonly unit?: string;
  readonly size?: number;
  /** Different on every event. */
  readonly nonce?: string;
}

/** The names under which discovery announces extensions (AICF-X6). */
export const AICF_CAPABILITIES = { chunkHints: 'chunk-hints', billingHints: 'billing-hints' } as const;
