import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { encodeHex } from '../primitives/hex.ts';
import { accepted, clauseOf, LOG, sha256, WITNESS } from './tlog-fixtures.contract.ts';
import { decodeVerifierKey, encodeVerifierKey, isSameKey, makeVerifierKey } from './verifier-key.ts';

const LOG_VKEY = 'log.example/.well-known/tidings+4325540f+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4';
const WITNESS_VKEY = 'witness.example/w1+20324abe+BCmsuuFBvMrwsi4alNNNC8c2HlJtC/4SyJeUvJMilm3X';
const decoded = (text: string) => decodeVerifierKey(text, sha256);
const vkey = (type: number, keyBytes: number) =>
  `log.example+00000000+${Buffer.from([type, ...new Uint8Array(keyBytes)]).toString('base64')}`;

clause('TL-N13', 'a verifier key is printed and parsed, and its id is computed again', () => {
  expect(encodeVerifierKey(LOG.key)).toBe(LOG_VKEY);
  expect(accepted(decoded(LOG_VKEY))).toEqual(LOG.key);
  for (const wrong of [
    LOG_VKEY.replace('4325540f', '4325540F'),
    LOG_VKEY.replace('4325540f', '4325540'),
    LOG_VKEY.replace('4325540f', '4325540e'),
    LOG_VKEY.replace('log.example', 'log2.example'),
    LOG_VKEY.replace('+4325540f', ''),
    LOG_VKEY.replace('+AQ', ''),
    LOG_VKEY.replace('/zzhC', '_zzhC'),
    `${LOG_VKEY}\n`,
    `${LOG_VKEY}=`,
    'a+00000000+',
    '',
    `${'a'.repeat(1000)}${LOG_VKEY}`,
  ]) {
    expect(clauseOf(decoded(wrong)), wrong).toBe('TL-N13');
  }
});

clause('TL-N12', 'the key id of a log is made of name, 0x01 and public key', () => {
  expect(LOG.key.keyId).toBe('4325540f');
  expect(encodeHex(LOG.key.publicKey)).toBe('03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8');
  expect(makeVerifierKey({ ...LOG.key, use: 'witness' }, sha256).keyId).toBe('7ff05e2a');
});

clause('TL-S1', 'the key of a witness has type 0x04, and an id of its own', () => {
  expect(encodeVerifierKey(WITNESS.key)).toBe(WITNESS_VKEY);
  expect(accepted(decoded(WITNESS_VKEY))).toEqual(WITNESS.key);
  expect(WITNESS_VKEY.split('+')[2]).toMatch(/^B/);
});

clause('TL-N14', 'other types and other lengths are refused by their name', () => {
  for (const type of [0x00, 0x02, 0x06, 0xff]) {
    expect(decoded(vkey(type, 32))).toMatchObject({
      issues: [{ clause: 'TL-N14', message: expect.stringContaining(`0x${type.toString(16).padStart(2, '0')}`) }],
    });
  }
  for (const length of [0, 31, 33]) {
    expect(decoded(vkey(1, length))).toMatchObject({
      issues: [{ clause: 'TL-N14', message: expect.stringContaining(`${length}`) }],
    });
  }
});

clause('TL-N5', 'a key cannot be named with a space, a plus sign or nothing', () => {
  for (const name of ['', 'a b', 'a\u00a0b', 'a\u0085b', 'a\ufeffb', 'a+b', 'a\nb', 'a\0b', '\ud800']) {
    expect(() => makeVerifierKey({ ...LOG.key, name }, sha256), JSON.stringify(name)).toThrow(RangeError);
    if (!name.includes('+')) expect(clauseOf(decoded(`${name}+00000000+AQ==`)), JSON.stringify(name)).toBe('TL-N5');
  }
});

test('keys are the same by name, use and bytes, not by their id', () => {
  expect(isSameKey(LOG.key, { ...LOG.key })).toBe(true);
  expect(isSameKey(LOG.key, { ...LOG.key, publicKey: WITNESS.key.publicKey })).toBe(false);
});
