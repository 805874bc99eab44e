/**
 * agent-feed draft-00: an origin's signed facts about its machine-readable surface, as entries of an Atom feed.
 *
 *     <entry>
 *       <id>urn:af:api.example:1745755200000</id>
 *       <updated>2026-04-27T12:00:00Z</updated>
 *       <title>endpoint-announcement</title>
 *       <af:type>endpoint-announcement</af:type>
 *       <content type="application/json">{"asserted-at":"2026-04-27T12:00:00Z","endpoint":"/orders",…}</content>
 *       <af:sig type="ed25519">…86 characters of base64url…</af:sig>
 *       <af:signer>did:web:api.example#key-1</af:signer>
 *     </entry>
 *
 * Spec: specs/agent-feed/agent-feed-00.txt
 */

export const AF_NAMESPACE = 'https://agent-feed.dev/ns/v0';

/** Paths below the root of an origin. */
export const DID_PATH = '/.well-known/did.json';
export const FEED_PATH = '/.well-known/agent-feed.xml';
export const CARD_PATH = '/.well-known/agent-card.json';

export const SPEC_VERSION = 0;
export const FEED_STATUSES = ['active', 'terminated', 'migrated'] as const;
export type FeedStatus = (typeof FEED_STATUSES)[number];

export const ENTRY_TYPES = ['endpoint-announcement', 'schema-change', 'deprecation'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

export function isEntryType(type: string | undefined): type is EntryType {
  return ENTRY_TYPES.some((known) => known === type);
}

/** What an entry says. The keys of its payload are these in kebab-case. */
export type Fact = AnnouncementFact | SchemaChangeFact | DeprecationFact;

/** The canonical URL that serves a protocol, and the version of its schema (§25). */
export interface AnnouncementFact {
  readonly type: 'endpoint-announcement';
  /** The `endpoint` as written, if the payload has no id. */
  readonly endpointId: string;
  /** As written: an absolute URL, or a path that begins with `/`. */
  readonly endpoint: string;
  readonly protocol: string;
  readonly version: string;
  /** RFC 3339. */
  readonly assertedAt: string;
}

/** An endpoint now serves a new version of its schema (§26). */
export interface SchemaChangeFact {
  readonly type: 'schema-change';
  readonly endpointId: string;
  readonly fromVersion: string;
  readonly toVersion: string;
  readonly effectiveAt: string;
  readonly migration: MigrationDelta;
}

/** An endpoint will end at an announced time (§27). */
export interface DeprecationFact {
  readonly type: 'deprecation';
  readonly endpointId: string;
  readonly announcedAt: string;
  readonly sunset: string;
  /** The endpoint-id of the successor, never a URL. */
  readonly replacement: string | null;
  readonly reason: string | null;
}

/** What changed in a schema, by JSON Pointers. Keys of later versions are kept unchanged and not used. */
export interface MigrationDelta {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  /** From the old pointer to the new one. */
  readonly rename?: Readonly<Record<string, string>>;
  readonly retype?: Readonly<Record<string, Retype>>;
  readonly [operator: string]: unknown;
}

/** Type tokens: `string`, `number`, `boolean`, `null`, `object`, `array`, `nullable<T>`. */
export interface Retype {
  readonly from: string;
  readonly to: string;
}

/** A feed as written in its document: nothing is verified or sorted. */
export interface DecodedAgentFeed {
  /** The texts of direct children of the feed, without surrounding white space. Absent if missing. */
  readonly id?: string;
  readonly title?: string;
  readonly updated?: string;
  readonly author?: string;
  readonly selfLink?: string;
  readonly specVersion?: string;
  readonly feedStatus?: string;
  readonly migratedTo?: string;
  /** Local names of feed-level elements that may occur once but occur several times with different texts. */
  readonly contradictions: readonly string[];
  /** Local names of feed-level elements in the af namespace that v0 does not know. */
  readonly unknownElements: readonly string[];
  /** In document order, which is the order in which they count. */
  readonly entries: readonly DecodedEntry[];
}

export interface DecodedEntry {
  /** The line where it begins in the document, from 1. */
  readonly line: number;
  readonly id?: string;
  readonly updated?: string;
  readonly title?: string;
  readonly type?: string;
  /** The text of `content` exactly as the parser returns it: the signed bytes are its UTF-8. */
  readonly content?: string;
  readonly contentType?: string;
  /** The text of `af:sig`, white space included. */
  readonly signature?: string;
  readonly signatureType?: string;
  readonly signer?: string;
  readonly hasSummary: boolean;
  readonly unknownElements: readonly string[];
  /** Why nothing in it may be believed, such as a comment inside its signed text, or two contents. */
  readonly flaw?: string;
}

/** The only type that v0 knows (§15). */
export const METHOD_TYPE = 'Ed25519VerificationKey2020';

export interface DidDocument {
  readonly id: string;
  /** All members of the array, in order, without those that are not objects. */
  readonly methods: readonly VerificationMethod[];
}

export interface VerificationMethod {
  /** As written. */
  readonly id: string;
  readonly type: string;
  readonly controller?: string;
  /** The raw 32 bytes. Absent if the key cannot be used; `problem` then says why. */
  readonly publicKey?: Uint8Array;
  readonly problem?: string;
}
