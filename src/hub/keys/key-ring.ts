import { hashApiKey, isApiKey } from './api-key.ts';
import type { ApiKeyRecord, ApiKeyStore, WriteOutcome } from './api-key-store.ts';
import { isInDoubt, isRevokedForGood, standingAfter } from './key-standing.ts';
import type { StandingEvent } from './payments.ts';

/**
 * The API keys of a hub, in memory over their store: a request finds its key without waiting.
 *
 * Writes take effect at once and are durable when the promise resolves. They run one after another.
 */
export interface KeyRing {
  /** The record of the key of a request; undefined for no key, an unknown one, and an invalid one. */
  find(key: string | undefined): ApiKeyRecord | undefined;
  /** Whose a key is: the hash of the first of the keys that took over from each other. It stays through rotations. */
  ownerOf(record: Pick<ApiKeyRecord, 'hash'>): string;
  /** The newest key of an owner. */
  newestOf(owner: string): ApiKeyRecord | undefined;
  /** Called when a key was added, or its state changed. */
  onChange(listener: () => void): void;
  /** Calls back once, when the key is no longer valid. Returns a function that cancels this. */
  whenOver(record: Pick<ApiKeyRecord, 'hash'>, callback: () => void): () => void;
  /** In order of creation, those that do not count included. */
  all(): readonly ApiKeyRecord[];
  /** The keys that are not revoked for good, by what a person calls one: its beginning, its hash or the beginning of that, or the key itself. */
  named(text: string): readonly ApiKeyRecord[];
  /** Whether a key was claimed with this checkout session, ever. */
  isClaimed(session: string): boolean;
  /** `too-late` when its session was claimed before, or its subscription has ended. */
  add(record: ApiKeyRecord): Promise<WriteOutcome>;
  /** `too-late` when it was revoked for good. */
  revoke(hash: string, revoked: { readonly atMs: number; readonly for: string }): Promise<WriteOutcome>;
  /** The new one takes over what the old one has. `too-late` when that does not count. */
  rotate(oldHash: string, next: ApiKeyRecord): Promise<WriteOutcome>;
  /** Keys of a subscription become invalid or valid. Repeated events and events after a newer one do no harm. */
  settle(event: StandingEvent, atMs: number): Promise<void>;
  /** Whether an event contradicts another one that was sent at the same moment, so that their order is not known. */
  isInDoubt(event: StandingEvent): boolean;
  /** `too-late` when the event was recorded before. */
  recordWebhook(eventId: string, atMs: number): Promise<WriteOutcome>;
  /** Another process of the hub has written to the store. */
  reload(): Promise<void>;
}

/** Claims that are running when a subscription ends finish before this many more endings. */
const REMEMBERED_ENDINGS = 1000;
const HASH_BEGIN = /^[0-9a-f]{12,64}$/;

export async function createKeyRing(store: ApiKeyStore): Promise<KeyRing> {
  return new StoredKeyRing(store, await store.apiKeys());
}

class StoredKeyRing implements KeyRing {
  readonly #store: ApiKeyStore;
  readonly #records = new Map<string, ApiKeyRecord>();
  readonly #sessions = new Set<string>();
  /** The owner by hash, and the hash of the newest key by owner. */
  readonly #owners = new Map<string, string>();
  readonly #newest = new Map<string, string>();
  readonly #listeners: (() => void)[] = [];
  /** By hash: callbacks for when the key is no longer valid. */
  readonly #waiting = new Map<string, Set<() => void>>();
  /** Subscriptions that have ended of late. */
  readonly #ended = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: ApiKeyStore, records: readonly ApiKeyRecord[]) {
    this.#store = store;
    for (const record of records) this.#keep(record);
  }

  find(key: string | undefined): ApiKeyRecord | undefined {
    if (key === undefined || this.#records.size === 0 || !isApiKey(key)) return undefined;
    const record = this.#records.get(hashApiKey(key));
    return record?.revokedMs === undefined ? record : undefined;
  }

  ownerOf({ hash }: Pick<ApiKeyRecord, 'hash'>): string {
    return this.#owners.get(hash) ?? hash;
  }

  newestOf(owner: string): ApiKeyRecord | undefined {
    return this.#records.get(this.#newest.get(owner) ?? '');
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  whenOver({ hash }: Pick<ApiKeyRecord, 'hash'>, callback: () => void): () => void {
    const callbacks = this.#waiting.get(hash) ?? new Set();
    this.#waiting.set(hash, callbacks.add(callback));
    return () => {
      callbacks.delete(callback);
      if (callbacks.size === 0 && this.#waiting.get(hash) === callbacks) this.#waiting.delete(hash);
    };
  }

  all(): readonly ApiKeyRecord[] {
    return [...this.#records.values()];
  }

  named(text: string): readonly ApiKeyRecord[] {
    const open = this.#open();
    if (isApiKey(text)) return open.filter(({ hash }) => hash === hashApiKey(text));
    return open.filter(({ hash, prefix }) => (HASH_BEGIN.test(text) ? hash.startsWith(text) : prefix === text));
  }

  isClaimed(session: string): boolean {
    return this.#sessions.has(session);
  }

  add(record: ApiKeyRecord): Promise<WriteOutcome> {
    return this.#inTurn(async () => {
      if (record.subscription !== undefined && this.#ended.has(record.subscription)) return 'too-late';
      const outcome = await this.#store.addApiKey(record);
      if (outcome === 'done') this.#keep(record);
      return outcome;
    });
  }

  revoke(hash: string, revoked: { readonly atMs: number; readonly for: string }): Promise<WriteOutcome> {
    return this.#inTurn(async () => {
      const outcome = await this.#store.revokeApiKey(hash, revoked);
      const record = this.#records.get(hash);
      if (outcome === 'done' && record !== undefined) {
        this.#keep({ ...record, revokedMs: revoked.atMs, revokedFor: revoked.for });
      }
      return outcome;
    });
  }

  rotate(oldHash: string, next: ApiKeyRecord): Promise<WriteOutcome> {
    return this.#inTurn(async () => {
      const old = this.#records.get(oldHash);
      const outcome = old === undefined ? 'too-late' : await this.#store.rotateApiKey(oldHash, next);
      if (old === undefined || outcome === 'too-late') return outcome;
      const { session, subscription, ...left } = old;
      const { heardMs } = old;
      this.#put({ ...left, revokedMs: next.createdMs, revokedFor: 'rotated' });
      this.#keep({
        ...next,
        ...(session !== undefined && { session }),
        ...(subscription !== undefined && { subscription }),
        ...(heardMs !== undefined && { heardMs }),
      });
      return outcome;
    });
  }

  settle(event: StandingEvent, atMs: number): Promise<void> {
    return this.#inTurn(async () => {
      if (event.kind === 'ended') this.#ended.add(event.subscription);
      for (const oldest of this.#ended) if (this.#ended.size > REMEMBERED_ENDINGS) this.#ended.delete(oldest);
      for (const record of this.#paidBy(event.subscription)) {
        const standing = standingAfter(record, event, atMs);
        if (standing === undefined) continue;
        if ((await this.#store.settleApiKey(record.hash, standing)) === 'too-late') continue;
        const { revokedMs: _revokedMs, revokedFor: _revokedFor, ...rest } = record;
        this.#keep({ ...rest, ...standing });
      }
    });
  }

  isInDoubt(event: StandingEvent): boolean {
    return this.#paidBy(event.subscription).some((record) => isInDoubt(record, event));
  }

  recordWebhook(eventId: string, atMs: number): Promise<WriteOutcome> {
    return this.#inTurn(() => this.#store.recordWebhook(eventId, atMs));
  }

  reload(): Promise<void> {
    return this.#inTurn(async () => {
      for (const record of await this.#store.apiKeys()) {
        const isKnown = JSON.stringify(this.#records.get(record.hash)) === JSON.stringify(record);
        if (!isKnown) this.#keep(record);
      }
    });
  }

  #open(): ApiKeyRecord[] {
    return [...this.#records.values()].filter((record) => !isRevokedForGood(record));
  }

  #paidBy(subscription: string): ApiKeyRecord[] {
    return this.#open().filter((record) => record.subscription === subscription);
  }

  #keep(record: ApiKeyRecord): void {
    const { hash, replaces } = record;
    const owner = replaces === undefined ? hash : (this.#owners.get(replaces) ?? replaces);
    if (!this.#owners.has(hash)) this.#newest.set(owner, hash);
    this.#owners.set(hash, owner);
    this.#put(record);
    if (record.session !== undefined) this.#sessions.add(record.session);
    for (const listener of this.#listeners) listener();
  }

  #put(record: ApiKeyRecord): void {
    const { hash, revokedMs } = record;
    this.#records.set(hash, record);
    if (revokedMs === undefined) return;
    const callbacks = this.#waiting.get(hash) ?? [];
    this.#waiting.delete(hash);
    for (const callback of callbacks) callback();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
