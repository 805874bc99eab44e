import { expect, test } from 'vitest';
import { testSeed } from '../../../../test/support/agent-feed-origin.ts';
import { publicKeyOfSeed } from '../../../surface/ed25519.ts';
import { createKeyring } from './keyring.ts';

test('a key is made once, and names that nobody has do not fill the memory', () => {
  const id = 'did:web:api.example';
  const method = {
    id: `${id}#key-1`,
    type: 'Ed25519VerificationKey2020',
    publicKey: publicKeyOfSeed(testSeed('key-1')),
  };
  const keyOf = createKeyring({ id, methods: [method] });
  expect(keyOf('#key-1')).toMatchObject({ ok: true, methodId: method.id });
  expect(keyOf('#key-1')).toBe(keyOf('#key-1'));
  for (let n = 0; n < 3000; n += 1) expect(keyOf(`#nobody-${n}`).ok).toBe(false);
  expect(keyOf('#nobody-1')).toBe(keyOf('#nobody-1'));
  expect(keyOf('#nobody-2999')).not.toBe(keyOf('#nobody-2999'));
  expect(keyOf('#key-1')).toBe(keyOf('#key-1'));
});
