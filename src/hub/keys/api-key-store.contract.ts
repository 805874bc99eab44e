import { expect, test } from 'vitest';
import { hashApiKey } from './api-key.ts';
import type { ApiKeyRecord, ApiKeyStore } from './api-key-store.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

function record(name: string, more: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  return { hash: hashApiKey(name), prefix: `dd_live_${name}`, tier: 'pro', createdMs: NOON, ...more };
}

/** What every {@link ApiKeyStore} does. `open` gives a new, empty one. */
export function describeApiKeyStore(name: string, open: () => Promise<ApiKeyStore>): void {
  test(`${name}: one key for one session and one hash`, async () => {
    const keys = await open();
    const race = await Promise.all(['a', 'b', 'c'].map((name) => keys.addApiKey(record(name, { session: 'cs_1' }))));
    expect(race.toSorted()).toEqual(['done', 'too-late', 'too-late']);
    expect(await keys.addApiKey(record('a', { session: 'cs_2' }))).toBe('too-late');
    expect(await keys.apiKeys()).toHaveLength(1);
  });

  test(`${name}: what is not paid can count again, with all that is known of it; what is revoked for good cannot`, async () => {
    const keys = await open();
    const kept = record('a', { label: 'ACME\u0000"é', session: 'cs_1', subscription: 'sub_1' });
    const { hash } = kept;
    await keys.addApiKey(kept);
    const unpaid = { revokedMs: NOON + 1, revokedFor: 'unpaid', heardMs: NOON };
    expect(await keys.settleApiKey(hash, unpaid)).toBe('done');
    expect(await keys.apiKeys()).toEqual([{ ...kept, ...unpaid }]);
    expect(await keys.settleApiKey(hash, { heardMs: NOON + 2 })).toBe('done');
    expect(await keys.apiKeys()).toEqual([{ ...kept, heardMs: NOON + 2 }]);
    expect(await keys.rotateApiKey(hash, record('b'))).toBe('done');
    expect((await keys.apiKeys())[1]).toMatchObject({ subscription: 'sub_1', heardMs: NOON + 2 });
    expect(await keys.settleApiKey(hash, { heardMs: NOON + 3 })).toBe('too-late');
    expect(await keys.settleApiKey('nobody', { heardMs: NOON })).toBe('too-late');
    await keys.settleApiKey(record('b').hash, { ...unpaid, revokedFor: 'ended' });
    expect(await keys.settleApiKey(record('b').hash, { heardMs: NOON + 3 })).toBe('too-late');
  });

  test(`${name}: a key is revoked once; its session stays taken`, async () => {
    const keys = await open();
    const { hash } = record('a');
    await keys.addApiKey(record('a', { session: 'cs_1' }));
    expect(await keys.revokeApiKey(hash, { atMs: NOON + 1, for: 'ended' })).toBe('done');
    expect(await keys.revokeApiKey(hash, { atMs: NOON + 2, for: 'revoked' })).toBe('too-late');
    expect(await keys.revokeApiKey('nobody', { atMs: NOON, for: 'revoked' })).toBe('too-late');
    expect(await keys.apiKeys()).toMatchObject([{ hash, revokedMs: NOON + 1, revokedFor: 'ended' }]);
    expect(await keys.addApiKey(record('b', { session: 'cs_1' }))).toBe('too-late');
    expect(await keys.rotateApiKey(hash, record('c'))).toBe('too-late');
  });

  test(`${name}: of two rotations one is done, and the new key has what the old one had`, async () => {
    const keys = await open();
    const old = record('a', { session: 'cs_1', subscription: 'sub_1' });
    await keys.addApiKey(old);
    const race = await Promise.all(
      ['b', 'c'].map((name) => keys.rotateApiKey(old.hash, record(name, { createdMs: NOON + 5, replaces: old.hash }))),
    );
    expect(race).toEqual(['done', 'too-late']);
    const [first, second, ...more] = await keys.apiKeys();
    expect(first).toEqual({ ...record('a'), revokedMs: NOON + 5, revokedFor: 'rotated' });
    expect(second).toEqual(
      record('b', { createdMs: NOON + 5, replaces: old.hash, session: 'cs_1', subscription: 'sub_1' }),
    );
    expect(more).toEqual([]);
    expect(await keys.addApiKey(record('d', { session: 'cs_1' }))).toBe('too-late');
  });

  test(`${name}: an event is recorded once, and not for ever`, async () => {
    const keys = await open();
    expect(await keys.recordWebhook('evt_1', NOON)).toBe('done');
    expect(await keys.recordWebhook('evt_1', NOON + 1)).toBe('too-late');
    expect(await keys.recordWebhook('evt_2', NOON + 91 * 86_400_000)).toBe('done');
    expect(await keys.recordWebhook('evt_1', NOON + 91 * 86_400_000)).toBe('done');
  });
}
