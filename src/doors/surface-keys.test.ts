import { chmod, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { testSurface } from '../../test/support/surface-site.ts';
import { deriveFiles } from '../dialects/agent-feed/surface/derive-files.ts';
import { surfaceRecord } from '../dialects/agent-feed/surface/surface-record.ts';
import { surfaceSite } from '../dialects/agent-feed/surface/surface-site.ts';
import {
  announceEndpoint,
  listSigningKeys,
  newSigningKey,
  revokeSigningKey,
  rotateSigningKey,
  terminateFeed,
} from './surface.ts';

const ORDERS = { endpointId: 'orders-api', endpoint: '/orders', protocol: 'rest', version: '1.0' } as const;

clause(
  ['AF-R1', 'AF-R2', 'AF-D1'],
  'after a rotation old entries still verify, and what is said again gets a new id and the new key',
  async () => {
    const site = await testSurface();
    const { dir, key, site: address } = site.target;
    await announceEndpoint(site.target, ORDERS);
    const before = (await site.did()).methods[0];
    const rotated = await rotateSigningKey({ key, dir, site: address });
    expect(rotated).toMatchObject({ id: 'key-2', retired: false });
    expect(rotated.written).toContain('.well-known/did.json');

    site.clock += 1000;
    await announceEndpoint(site.target, ORDERS);
    const { methods } = await site.did();
    expect(methods.map(({ id }) => id)).toEqual(['did:web:api.example#key-1', 'did:web:api.example#key-2']);
    expect(methods[0]).toEqual(before);
    const { entries } = await site.feed();
    expect(entries.map(({ signer }) => signer)).toEqual(['did:web:api.example#key-1', 'did:web:api.example#key-2']);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
    expect((await site.table()).records()).toHaveLength(1);
    expect(await listSigningKeys({ key })).toMatchObject([
      { id: 'key-1', retired: true },
      { id: 'key-2', retired: false },
    ]);
    expect(JSON.parse(await readFile(key, 'utf8')).keys[0]).not.toHaveProperty('seed');
  },
);

clause(
  'AF-SC2',
  'did.json is to be cached for a minute at most before a new key signs, and a rotation says why',
  async () => {
    const { target } = await testSurface();
    const { warnings } = await rotateSigningKey({ key: target.key, dir: target.dir, site: target.site });
    expect(warnings).toEqual([expect.stringContaining('short max-age')]);
    const site = surfaceSite(target.site, { force: false, isPublicAddress: () => true });
    const didOf = (count: number) => {
      const lines = Array.from({ length: count }, (_, at) => {
        const id = `${site.did}#key-${at + 1}`;
        return { kind: 'key' as const, id, publicKey: 'A'.repeat(43), time: '2026-04-27T12:00:00Z' };
      });
      const { artifacts } = deriveFiles(surfaceRecord(lines), site, { did: undefined, card: undefined });
      return artifacts.find(({ path }) => path === '.well-known/did.json')?.cacheControl;
    };
    expect(didOf(2)).toBe('public, max-age=60');
    expect(didOf(1)).toBe('public, max-age=300');
  },
);

test('a rotation without a site is made known by the next command', async () => {
  const site = await testSurface();
  await announceEndpoint(site.target, ORDERS);
  await rotateSigningKey({ key: site.target.key });
  await announceEndpoint(site.target, { ...ORDERS, version: '2.0' });
  expect((await site.did()).methods).toHaveLength(2);
  expect((await site.table()).records()).toMatchObject([{ version: '2.0' }]);
});

test('another key file, or one from before the rotation, is refused', async () => {
  const site = await testSurface();
  const { key } = site.target;
  await announceEndpoint(site.target, ORDERS);
  const old = await readFile(key, 'utf8');
  await newSigningKey({ key: `${key}.other` });
  const next = { ...ORDERS, version: '2.0' };
  const other = { ...site.target, key: `${key}.other` };
  await expect(announceEndpoint(other, next)).rejects.toThrow(/another key .*--force/);
  await expect(rotateSigningKey(other)).rejects.toThrow(
    /has another key as did:web:api\.example#key-1.*Use their key file/,
  );

  await rotateSigningKey({ key });
  await announceEndpoint(site.target, next);
  await writeFile(`${key}.old`, old, { mode: 0o600 });
  await expect(announceEndpoint({ ...site.target, key: `${key}.old` }, { ...ORDERS, version: '3.0' })).rejects.toThrow(
    'is retired',
  );
  expect((await site.feed()).entries).toHaveLength(2);
});

test('who lost the key file goes on with another one, beside the keys that were', async () => {
  const site = await testSurface();
  await announceEndpoint(site.target, ORDERS);
  const other = { ...site.target, key: `${site.target.key}.other` };
  await newSigningKey(other);
  await announceEndpoint({ ...other, force: true }, { ...ORDERS, version: '2.0' });
  await announceEndpoint(other, { ...ORDERS, version: '3.0' });
  expect((await site.feed()).entries.map(({ signer }) => signer?.replace(/.*#/, ''))).toEqual([
    'key-1',
    'tidings-key-1',
    'tidings-key-1',
  ]);
  expect((await site.table()).records()).toMatchObject([{ version: '3.0' }]);
});

test('a method of others with our id is not written over: our key gets another', async () => {
  const site = await testSurface();
  const theirs = {
    id: 'did:web:api.example#key-1',
    type: 'Ed25519VerificationKey2020',
    controller: 'did:web:api.example',
    publicKeyMultibase: `u${'A'.repeat(43)}`,
  };
  await site.write('did.json', JSON.stringify({ id: 'did:web:api.example', verificationMethod: [theirs] }));
  await announceEndpoint(site.target, ORDERS);
  expect(JSON.parse((await site.read('did.json')) ?? '')).toMatchObject({
    verificationMethod: [theirs, { id: 'did:web:api.example#tidings-key-1' }],
    assertionMethod: ['did:web:api.example#tidings-key-1'],
  });
  const { id } = await rotateSigningKey(site.target);
  expect(id).toBe('key-2');
  await announceEndpoint(site.target, { ...ORDERS, version: '2.0' });
  expect((await site.feed()).entries.map(({ signer }) => signer)).toEqual([
    'did:web:api.example#tidings-key-1',
    'did:web:api.example#key-2',
  ]);
  expect((await site.table()).records()).toMatchObject([{ version: '2.0' }]);
  expect(await revokeSigningKey(site.target, 'key-1')).toMatchObject({ saidAgain: 2 });
  expect(await listSigningKeys(site.target)).toMatchObject([{ id: 'key-1', revoked: true }, { id: 'key-2' }]);
  expect(JSON.parse((await site.read('did.json')) ?? '').verificationMethod).toMatchObject([
    theirs,
    { id: 'did:web:api.example#key-2' },
  ]);
  await terminateFeed(site.target);
  expect((await site.feed()).feedStatus).toBe('terminated');
});

test('methods of others with other ids stay', async () => {
  const site = await testSurface();
  const theirs = {
    id: 'did:web:api.example#mail',
    type: 'Ed25519VerificationKey2020',
    controller: 'did:web:api.example',
    publicKeyMultibase: `u${'A'.repeat(43)}`,
  };
  const existing = { id: 'did:web:api.example', verificationMethod: [theirs], service: [{ id: '#s' }] };
  await site.write('did.json', JSON.stringify(existing));
  await announceEndpoint(site.target, ORDERS);
  const merged = JSON.parse((await site.read('did.json')) ?? '');
  expect(merged).toMatchObject({
    service: [{ id: '#s' }],
    verificationMethod: [{ id: 'did:web:api.example#mail' }, { id: 'did:web:api.example#key-1' }],
    assertionMethod: ['did:web:api.example#key-1'],
  });
  expect((await site.table()).records()).toHaveLength(1);
});

test('a key file is made once, for its owner alone, and read only while it is so', async () => {
  const { target } = await testSurface();
  const { key } = target;
  const before = await readFile(key, 'utf8');
  const { seed } = JSON.parse(before).keys[0] as { seed: string };
  expect((await stat(key)).mode & 0o777).toBe(0o600);
  await expect(newSigningKey({ key })).rejects.toMatchObject({ name: 'KeyFileError', recovery: 'fix-config' });
  expect(await readFile(key, 'utf8')).toBe(before);
  await rotateSigningKey({ key });
  expect((await stat(key)).mode & 0o777).toBe(0o600);

  await chmod(key, 0o644);
  await expect(announceEndpoint(target, ORDERS)).rejects.toThrow('chmod 600');
  await chmod(key, 0o600);
  const broken = [
    before.slice(0, -20),
    '{}',
    '[]',
    before.replace(/"publicKey": "[^"]*/, `"publicKey": "${'A'.repeat(43)}`),
    before.replace('key-1', 'key 1'),
    `${seed}`,
    before.replace(/"created": "[^"]*/, '"created": "x'),
  ];
  for (const text of broken) {
    await writeFile(key, text);
    const error: unknown = await listSigningKeys({ key }).catch((reason: unknown) => reason);
    expect(error, text.slice(0, 30)).toMatchObject({ name: 'KeyFileError' });
    expect(inspect(error)).not.toContain(seed);
  }
  await expect(listSigningKeys({ key: `${key}.none` })).rejects.toThrow('tidings keys new');
});

test('of two rotations at the same time both are kept or one is turned away', async () => {
  const { target } = await testSurface();
  const all = await Promise.allSettled([1, 2].map(() => rotateSigningKey({ key: target.key })));
  const done = all.filter(({ status }) => status === 'fulfilled').length;
  expect(await listSigningKeys({ key: target.key })).toHaveLength(1 + done);
});

test('a key file in the folder that is served is told of', async () => {
  const site = await testSurface();
  const inside = join(site.dir, 'key.json');
  await announceEndpoint(site.target, ORDERS);
  await rename(site.target.key, inside);
  const { warnings } = await announceEndpoint({ ...site.target, key: inside }, { ...ORDERS, version: '2.0' });
  expect(warnings).toEqual([expect.stringContaining('gives the secret away')]);
});
