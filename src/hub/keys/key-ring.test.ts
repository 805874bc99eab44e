import { expect, test } from 'vitest';
import { keyLab, NOON } from '../../../test/support/key-lab.ts';
import { randomApiKey } from '../../io/random-api-key.ts';
import { hashApiKey, recordOf } from './api-key.ts';
import { createKeyRing } from './key-ring.ts';

const REVOKED = { atMs: NOON, for: 'revoked' };

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
  await keys.add(recordOf(old, { tier: 'pro', createdMs: NOON, session: 'cs_1', subscription: 'sub_1' }));
  const race = [next, late].map((key) => keys.rotate(hashApiKey(old), recordOf(key, { tier: 'pro', createdMs: NOON })));
  expect(await Promise.all(race)).toEqual(['done', 'too-late']);
  expect([old, next, late].map((key) => keys.find(key)?.subscription)).toEqual([undefined, 'sub_1', undefined]);
  expect(keys.isClaimed('cs_1')).toBe(true);
  expect((await createKeyRing(store.keys)).all()).toEqual(keys.all());
});

test('the end of a subscription ends its keys, whichever has taken over, and those that would come too late', async () => {
  const { keys } = await keyLab();
  const paid = (key: string, session: string) =>
    recordOf(key, { tier: 'pro', createdMs: NOON, session, subscription: 'sub_1' });
  const [old, next, late] = [randomApiKey(), randomApiKey(), randomApiKey()];
  await keys.add(paid(old, 'cs_1'));
  const rotated = keys.rotate(hashApiKey(old), recordOf(next, { tier: 'pro', createdMs: NOON }));
  await Promise.all([rotated, keys.end('sub_1', NOON + 1), keys.end('sub_2', NOON)]);
  expect(keys.find(next)).toBeUndefined();
  expect(keys.all().map(({ revokedFor }) => revokedFor)).toEqual(['rotated', 'unpaid']);
  expect(await keys.add(paid(late, 'cs_2'))).toBe('too-late');
  await keys.end('sub_1', NOON + 2);
  expect(keys.all()).toMatchObject([{}, { revokedMs: NOON + 1 }]);
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
  await expect(ring.add(recordOf(key, { tier: 'pro', createdMs: NOON, session: 'cs_1' }))).rejects.toThrow('full');
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
