import { expect, test } from 'vitest';
import { verifySignature } from '../../surface/ed25519.ts';
import { encodeSigningKeys, withNewKey } from '../agent-feed/surface/signing-keys.ts';
import { decodeLogKey, encodeLogKey, type LogKey, newLogKey, signerOf } from './log-key.ts';

/** Of a test: it protects nothing. */
const TEST_SEED = new Uint8Array(32).fill(7);
const CREATED = '2026-11-18T00:00:00Z';

test('a key comes back from its file and signs', () => {
  const key = decodeLogKey(encodeLogKey(newLogKey(TEST_SEED, CREATED))) as LogKey;
  const { sign, publicKey } = signerOf(key);
  expect(key.created).toBe(CREATED);
  expect(verifySignature(publicKey, Buffer.from('text'), sign(Buffer.from('text')))).toBe(true);
});

test('a file of keys for an API is no key of a log', () => {
  const text = encodeSigningKeys(withNewKey({ keys: [] }, TEST_SEED, CREATED));
  expect(decodeLogKey(text)).toMatch(/facts about an API/);
});

test('what is broken is said without quoting it', () => {
  const file = JSON.parse(encodeLogKey(newLogKey(TEST_SEED, CREATED)));
  const other = JSON.parse(encodeLogKey(newLogKey(new Uint8Array(32).fill(8), CREATED)));
  expect(decodeLogKey('{}')).toBe('It is no file with the key of a log.');
  expect(decodeLogKey('not json')).toBe('It is no file with the key of a log.');
  expect(decodeLogKey(JSON.stringify({ ...file, seed: 'abc' }))).toBe('The key in it is broken.');
  const mixed = JSON.stringify({ ...file, seed: other.seed });
  expect(decodeLogKey(mixed)).toMatch(/does not belong/);
  expect(decodeLogKey(mixed)).not.toContain(other.seed);
});
