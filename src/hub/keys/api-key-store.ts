import type { Tier } from '../config/tiers.ts';

/** The stored form of an API key: never the key itself (DD-U10). Times are epoch milliseconds. */
export interface ApiKeyRecord {
  /** SHA-256 of the key, hex. */
  readonly hash: string;
  /** The beginning of the key, by which people recognise it: `dd_live_` and four characters. */
  readonly prefix: string;
  readonly tier: Tier;
  readonly createdMs: number;
  /** Who has it, as the admin or the payment provider calls them. */
  readonly label?: string;
  /** The checkout session that it was claimed with; one key per session, for ever. */
  readonly session?: string;
  /** The payment provider's id of the subscription that pays for it. */
  readonly subscription?: string;
  /** The hash of the key that it took over from, by rotation. */
  readonly replaces?: string;
  readonly revokedMs?: number;
  /** Why it does not count: `revoked`, `rotated` or `ended`, which is for good, or `unpaid`, which may pass. */
  readonly revokedFor?: string;
  /** When the provider sent the newest event of its subscription that was heard. */
  readonly heardMs?: number;
}

/** The state of a key according to the payment provider. */
export type KeyStanding = Pick<ApiKeyRecord, 'revokedMs' | 'revokedFor' | 'heardMs'>;

/** Whether a write was done, or somebody else was first. */
export type WriteOutcome = 'done' | 'too-late';

/**
 * The API keys of a hub. Each method that writes is one transaction, durable when it resolves. Of two that race for one
 * session or one key, one is `done` and the other `too-late`.
 */
export interface ApiKeyStore {
  /** In order of creation, revoked ones included. */
  apiKeys(): Promise<readonly ApiKeyRecord[]>;
  /** Adds a key. `too-late` when its session was claimed before, or when the hash is there already. */
  addApiKey(record: ApiKeyRecord): Promise<WriteOutcome>;
  /** `too-late` when there is no such key or it was revoked for good. */
  revokeApiKey(hash: string, revoked: { readonly atMs: number; readonly for: string }): Promise<WriteOutcome>;
  /** Replaces the state of a key: it may become valid again. `too-late` if there is no such key or it was revoked for good. */
  settleApiKey(hash: string, standing: KeyStanding): Promise<WriteOutcome>;
  /** Revokes the old one as `rotated` and adds the new one, which takes over its session and subscription, in one step. `too-late` when the old one does not count. */
  rotateApiKey(oldHash: string, next: ApiKeyRecord): Promise<WriteOutcome>;
  /** Remembers a webhook event. `too-late` when it was there before. */
  recordWebhook(eventId: string, atMs: number): Promise<WriteOutcome>;
}
