import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { decodeDigest, encodeDigest, expectedDigest } from './http-digest.ts';

const hashOf = (text: string, name = 'sha256') => new Uint8Array(createHash(name).update(text).digest());
const fieldOf = (text: string) => encodeDigest({ algorithm: 'sha-256', hash: hashOf(text) });

test.each([
  ['{"hello": "world"}\n', 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:'],
  ['{"hello": "world"}', 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'],
  ['', 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:'],
])('the vector of %j is written and read', (text, field) => {
  expect(fieldOf(text)).toBe(field);
  expect(decodeDigest(field)).toEqual({ algorithm: 'sha-256', hash: hashOf(text) });
});

clause('DG-1', 'of several algorithms one that counts is taken, and others are ignored', () => {
  const own = { algorithm: 'sha-256', hash: hashOf('x') };
  const strong = `sha-512=:${Buffer.from(hashOf('x', 'sha512')).toString('base64')}:`;
  expect(decodeDigest(`${strong}, ${fieldOf('x')}`)).toEqual(own);
  expect(decodeDigest(`new-hash=:AAAA:, md5=:1B2M2Y8AsgTpgAmY7PhCfg==:, ${fieldOf('x')};param=1`)).toEqual(own);
  expect(decodeDigest(strong)).toEqual({ algorithm: 'sha-512', hash: hashOf('x', 'sha512') });
  expect(decodeDigest(`sha-256="text", ${strong}`)?.algorithm).toBe('sha-512');
});

test.each([
  ['no field', undefined],
  ['none of the algorithms that count', 'md5=:1B2M2Y8AsgTpgAmY7PhCfg==:, sha=:AAAA:'],
  ['a string', 'sha-256="RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg="'],
  ['a hash that is too short', 'sha-256=:AAAA:'],
  ['what is no base64', 'sha-256=:====:'],
  ['the field of RFC 3230', 'SHA-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE='],
  ['what is no dictionary', 'sha-256=:'],
])('%s says nothing', (_, field) => {
  expect(decodeDigest(field)).toBeUndefined();
});

clause('DG-6', 'only the bodies of 200 and 206 are held against a digest, and a part against its own', () => {
  const headers = { 'repr-digest': fieldOf('whole'), 'content-digest': fieldOf('part') };
  expect(expectedDigest(206, headers)?.hash).toEqual(hashOf('part'));
  expect(expectedDigest(206, { 'repr-digest': fieldOf('whole') })).toBeUndefined();
  expect(expectedDigest(200, { 'repr-digest': fieldOf('whole') })?.hash).toEqual(hashOf('whole'));
  for (const status of [204, 304, 404, 410, 500]) expect(expectedDigest(status, headers)).toBeUndefined();
});
