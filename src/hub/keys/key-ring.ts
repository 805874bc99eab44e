import { hashApiKey, isApiKey } from './api-key.ts';
import type { ApiKeyRecord, ApiKeyStore, WriteOutcome } from './api-key-store.ts';
import { isInDoubt, isRevokedForGood, standingAfter } from './key-standing.ts';
import type { StandingEvent } from './payments.ts';

/**
 * The API keys of a hub, in memory over their store: a request finds its key without waiting.
 *
 * What is written here counts at once and is durable when the promise resolves. Writes run one after another.
 */
export interface KeyRing {
  /** What is known of the key that came with a request; undefined for none, a foreign one, and one that does not count. */
  find(key: string | undefined): ApiKeyRecord | undefined;
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
  /** The keys of a subscription stop or begin to count. An event that comes twice or behind a newer one does no harm. */
  settle(event: StandingEvent, atMs: number): Promise<void>;
  /** Whether an event contradicts another one that was sent at the same moment, so that their order is not known. */
  isInDoubt(event: StandingEvent): boolean;
  /** `too-late` when the event was recorded before. */
  recordWebhook(eventId: string, atMs: number): Promise<WriteOutcome>;
}

/** Claims that are under way when a subscription ends take less time than so many more endings. */
const REMEMBERED_ENDINGS = 1000;
const HASH_BEGIN = /^[0-9a-f]{12,64}$/;

export async function createKeyRing(store: ApiKeyStore): Promise<KeyRing> {
  const records = new Map((await store.apiKeys()).map((record) => [record.hash, record]));
  const sessions = new Set([...records.values()].flatMap(({ session }) => session ?? []));
  const ended = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const open = () => [...records.values()].filter((record) => !isRevokedForGood(record));
  const paidBy = (subscription: string) => open().filter((record) => record.subscription === subscription);
  const keep = (record: ApiKeyRecord) => {
    records.set(record.hash, record);
    if (record.session !== undefined) sessions.add(record.session);
  };

  const revoke: KeyRing['revoke'] = async (hash, revoked) => {
    const outcome = await store.revokeApiKey(hash, revoked);
    const record = records.get(hash);
    if (outcome === 'done' && record !== undefined) {
      keep({ ...record, revokedMs: revoked.atMs, revokedFor: revoked.for });
    }
    return outcome;
  };

  return {
    find(key) {
      if (key === undefined || records.size === 0 || !isApiKey(key)) return undefined;
      const record = records.get(hashApiKey(key));
      return record?.revokedMs === undefined ? record : undefined;
    },

    all: () => [...records.values()],

    named(text) {
      if (isApiKey(text)) return open().filter(({ hash }) => hash === hashApiKey(text));
      return open().filter(({ hash, prefix }) => (HASH_BEGIN.test(text) ? hash.startsWith(text) : prefix === text));
    },

    isClaimed: (session) => sessions.has(session),

    add: (record) =>
      inTurn(async () => {
        if (record.subscription !== undefined && ended.has(record.subscription)) return 'too-late';
        const outcome = await store.addApiKey(record);
        if (outcome === 'done') keep(record);
        return outcome;
      }),

    revoke: (hash, revoked) => inTurn(() => revoke(hash, revoked)),

    rotate: (oldHash, next) =>
      inTurn(async () => {
        const old = records.get(oldHash);
        const outcome = old === undefined ? 'too-late' : await store.rotateApiKey(oldHash, next);
        if (old === undefined || outcome === 'too-late') return outcome;
        const { session, subscription, ...left } = old;
        const { heardMs } = old;
        records.set(oldHash, { ...left, revokedMs: next.createdMs, revokedFor: 'rotated' });
        keep({
          ...next,
          ...(session !== undefined && { session }),
          ...(subscription !== undefined && { subscription }),
          ...(heardMs !== undefined && { heardMs }),
        });
        return outcome;
      }),

    settle: (event, atMs) =>
      inTurn(async () => {
        if (event.kind === 'ended') ended.add(event.subscription);
        for (const oldest of ended) if (ended.size > REMEMBERED_ENDINGS) ended.delete(oldest);
        for (const record of paidBy(event.subscription)) {
          const standing = standingAfter(record, event, atMs);
          if (standing === undefined || (await store.settleApiKey(record.hash, standing)) === 'too-late') continue;
          const { revokedMs: _revokedMs, revokedFor: _revokedFor, ...rest } = record;
          keep({ ...rest, ...standing });
        }
      }),

    isInDoubt: (event) => paidBy(event.subscription).some((record) => isInDoubt(record, event)),

    recordWebhook: (eventId, atMs) => inTurn(() => store.recordWebhook(eventId, atMs)),
  };
}
