import { expect, test } from 'vitest';
import { keyLab, NOON } from '../../../test/support/key-lab.ts';
import { randomApiKey } from '../../io/node/random-api-key.ts';
import { apiKeyRecord, hashApiKey } from './api-key.ts';
import { createKeyRing } from './key-ring.ts';
import type { Standing, StandingEvent } from './payments.ts';

const REVOKED = { atMs: NOON, for: 'revoked' };

function event(kind: Standing, sentMs: number, subscription = 'sub_1'): StandingEvent {
  return { kind, id: `evt_${kind}`, subscription, sentMs };
}

/** A key that is paid by `sub_1`. */
function paid(key: string, session: string) {
  return apiKeyRecord(key, { tier: 'pro', createdMs: NOON, session, subscription: 'sub_1' });
}

test('a key is found as long as it counts, also by a ring that is made later', async () => {
  const { keys, store, issue } = await keyLab();
  const { key } = await issue('enterprise');
  expect(keys.find(key)).toMatchObject({ hash: hashApiKey(key), tier: 'enterprise' });
  expect((await createKeyRing(store.keys)).find(key)).toEqual(keys.find(key));
  for (const other of [undefined, '', 'x', randomApiKey(), `${key}, ${key}`]) expect(keys.find(other)).toBeUndefined();
  expect(await keys.revoke(hashApiKey(key), REVOKED)).toBe('done');
  expect(keys.find(key)).toBeUndefined();
  expect((await createKeyRing(store.keys)).find(key)).toBeUndefined();
  expect(await keys.revoke(hashApiKey(key), REVOKED)).toBe('too-late');
  expect(keys.all()).toMatchObject([{ revokedFor: 'revoked' }]);
});

test('a rotated key gives all that it had to the next', async () => {
  const { keys, store } = await keyLab();
  const [old, next, late] = [randomApiKey(), randomApiKey(), randomApiKey()];
  await keys.add(apiKeyRecord(old, { tier: 'pro', createdMs: NOON, session: 'cs_1', subscription: 'sub_1' }));
  const race = [next, late].map((key) =>
    keys.rotate(hashApiKey(old), apiKeyRecord(key, { tier: 'pro', createdMs: NOON })),
  );
  expect(await Promise.all(race)).toEqual(['done', 'too-late']);
  expect([old, next, late].map((key) => keys.find(key)?.subscription)).toEqual([undefined, 'sub_1', undefined]);
  expect(keys.isClaimed('cs_1')).toBe(true);
  expect((await createKeyRing(store.keys)).all()).toEqual(keys.all());
});

test('the end of a subscription ends its keys, whichever has taken over, and those that would come too late', async () => {
  const { keys } = await keyLab();
  const [old, next, late] = [randomApiKey(), randomApiKey(), randomApiKey()];
  await keys.add(paid(old, 'cs_1'));
  const rotated = keys.rotate(hashApiKey(old), apiKeyRecord(next, { tier: 'pro', createdMs: NOON }));
  const ended = [event('ended', NOON), event('ended', NOON, 'sub_2')].map((one) => keys.settle(one, NOON + 1));
  await Promise.all([rotated, ...ended]);
  expect(keys.find(next)).toBeUndefined();
  expect(keys.all().map(({ revokedFor }) => revokedFor)).toEqual(['rotated', 'ended']);
  expect(await keys.add(paid(late, 'cs_2'))).toBe('too-late');
  await keys.settle(event('ended', NOON), NOON + 2);
  expect(keys.all()).toMatchObject([{}, { revokedMs: NOON + 1 }]);
});

test('what is not paid counts again when it is, also for a ring that is made later, and whoever had it before does not', async () => {
  const { keys, store } = await keyLab();
  const [old, key] = [randomApiKey(), randomApiKey()];
  await keys.add(paid(old, 'cs_1'));
  await keys.rotate(hashApiKey(old), apiKeyRecord(key, { tier: 'pro', createdMs: NOON }));
  await keys.settle(event('unpaid', NOON + 10), NOON + 11);
  expect([keys.find(key), (await createKeyRing(store.keys)).find(key)]).toEqual([undefined, undefined]);
  expect(keys.all()).toMatchObject([{ revokedFor: 'rotated' }, { revokedFor: 'unpaid', revokedMs: NOON + 11 }]);
  expect(await keys.rotate(hashApiKey(key), apiKeyRecord(randomApiKey(), { tier: 'pro', createdMs: NOON }))).toBe(
    'too-late',
  );
  const later = await createKeyRing(store.keys);
  await later.settle(event('resumed', NOON + 20), NOON + 21);
  expect(later.find(key)).toMatchObject({ subscription: 'sub_1', session: 'cs_1' });
  expect(later.all()).toEqual((await createKeyRing(store.keys)).all());
  expect(later.find(old)).toBeUndefined();
});

test.each<[string, readonly StandingEvent[], boolean]>([
  ['comes twice', [event('unpaid', 10), event('resumed', 20), event('unpaid', 10)], true],
  ['comes behind a newer one', [event('resumed', 20), event('unpaid', 10)], true],
  ['says that it is paid and is older', [event('unpaid', 20), event('resumed', 10)], false],
  ['comes behind the end', [event('ended', 20), event('resumed', 10)], false],
  ['was sent behind the end', [event('ended', 20), event('resumed', 30)], false],
  ['ends what is not paid', [event('unpaid', 10), event('ended', 20), event('resumed', 30)], false],
  ['is an end that comes late', [event('resumed', 20), event('ended', 10)], false],
])('an event that %s', async (_, events, counts) => {
  const { keys, store } = await keyLab();
  const [old, key] = [randomApiKey(), randomApiKey()];
  await keys.add(paid(old, 'cs_1'));
  const [first, ...others] = events;
  if (first?.kind === 'resumed') await keys.settle(first, NOON);
  // What was heard is known of the next key as well.
  await keys.rotate(hashApiKey(old), apiKeyRecord(key, { tier: 'pro', createdMs: NOON }));
  if (first !== undefined) await keys.settle(first, NOON);
  for (const one of others) await (await createKeyRing(store.keys)).settle(one, NOON);
  expect((await createKeyRing(store.keys)).find(key) !== undefined).toBe(counts);
});

test('what the admin revoked stays revoked, also while nobody pays for it', async () => {
  const { keys, store } = await keyLab();
  const [one, two] = [randomApiKey(), randomApiKey()];
  await keys.add(paid(one, 'cs_1'));
  await keys.add(paid(two, 'cs_2'));
  await keys.revoke(hashApiKey(one), REVOKED);
  await keys.settle(event('unpaid', NOON), NOON);
  expect([keys.named(one), keys.named(two)]).toMatchObject([[], [{ revokedFor: 'unpaid' }]]);
  expect(await keys.revoke(hashApiKey(two), REVOKED)).toBe('done');
  await keys.settle(event('resumed', NOON + 1), NOON);
  expect(keys.all().map(({ revokedFor }) => revokedFor)).toEqual(['revoked', 'revoked']);
  expect((await createKeyRing(store.keys)).all()).toEqual(keys.all());
});

test('two events of one moment that contradict each other are in doubt', async () => {
  const { keys } = await keyLab();
  const key = randomApiKey();
  await keys.add(paid(key, 'cs_1'));
  expect(keys.isInDoubt(event('unpaid', NOON))).toBe(false);
  await keys.settle(event('unpaid', NOON), NOON);
  const doubtful = [event('resumed', NOON), event('unpaid', NOON), event('ended', NOON), event('resumed', NOON + 1)];
  expect(doubtful.map((one) => keys.isInDoubt(one))).toEqual([true, false, false, false]);
  await keys.settle(event('resumed', NOON), NOON);
  expect(keys.find(key)).toBeDefined();
});

test('a write that fails changes nothing, and the next one is done', async () => {
  const { store, keys } = await keyLab();
  const ring = await createKeyRing({
    ...store.keys,
    apiKeys: () => store.keys.apiKeys(),
    addApiKey: () => Promise.reject(new Error('The disk is full.')),
    revokeApiKey: (hash, revoked) => store.keys.revokeApiKey(hash, revoked),
  });
  const key = randomApiKey();
  await expect(ring.add(apiKeyRecord(key, { tier: 'pro', createdMs: NOON, session: 'cs_1' }))).rejects.toThrow('full');
  expect([ring.find(key), ring.isClaimed('cs_1'), ring.all()]).toEqual([undefined, false, []]);
  expect(await ring.revoke('nobody', REVOKED)).toBe('too-late');
  expect(keys.all()).toEqual([]);
});

test('people name a key by how it begins, by its hash or a good part of it, or by itself', async () => {
  const { keys, issue } = await keyLab();
  const { key } = await issue();
  await issue();
  const hash = hashApiKey(key);
  for (const name of [key, hash, hash.slice(0, 12), key.slice(0, 12)]) {
    expect(keys.named(name), name).toMatchObject([{ hash }]);
  }
  for (const name of ['', 'dd_live_', hash.slice(0, 11), key.slice(0, 11), key.slice(0, 13)]) {
    expect(keys.named(name), name).toEqual([]);
  }
});
