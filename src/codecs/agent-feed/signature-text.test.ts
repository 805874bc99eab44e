import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { decodeSignature, encodeSignature } from './signature-text.ts';

/** All 64 characters of the alphabet occur in what these write. */
const BYTES = Uint8Array.from({ length: 64 }, (_, at) => (at * 67 + 251) & 255);
const TEXT = encodeSignature(BYTES);

clause(['AF-V2', 'AF-V3'], 'reads 86 characters of base64url as 64 bytes', () => {
  expect(TEXT).toMatch(/^[A-Za-z0-9_-]{86}$/);
  expect(decodeSignature(TEXT)).toEqual(BYTES);
  expect(decodeSignature(encodeSignature(new Uint8Array(64).fill(0xfb)))?.every((byte) => byte === 0xfb)).toBe(true);
});

clause(['AF-SG1', 'AF-D2'], 'ignores white space around and within the text', () => {
  expect(decodeSignature(`\n    ${TEXT}\t\r\n  `)).toEqual(BYTES);
  expect(decodeSignature(`${TEXT.slice(0, 43)}\n      ${TEXT.slice(43)}`)).toEqual(BYTES);
});

clause(['AF-V2', 'AF-V3', 'AF-D2'], 'refuses every other spelling', () => {
  const fb = encodeSignature(new Uint8Array(64).fill(0xfb));
  for (const [what, text] of [
    ['nothing', ''],
    ['the standard alphabet', fb.replaceAll('-', '+').replaceAll('_', '/')],
    ['padding', `${TEXT}==`],
    ['63 bytes', encodeSignature(BYTES.slice(0, 63))],
    ['65 bytes', encodeSignature(Uint8Array.from([...BYTES, 0]))],
    ['junk after it', `${TEXT}!`],
    ['more after it', `${TEXT}AAAA`],
    ['a character less', TEXT.slice(1)],
    ['blanks that are not XML', `\u00a0${TEXT}`],
    ['a blank in place of a character', `${TEXT.slice(0, 85)} `],
    ['left-over bits', `${TEXT.slice(0, 85)}${String.fromCharCode(TEXT.charCodeAt(85) + 1)}`],
    ['hexadecimal', Buffer.from(BYTES).toString('hex')],
  ] as const) {
    expect(decodeSignature(text), what).toBeUndefined();
  }
});

clause('AF-G2', 'a JWS, an HMAC and a COSE array are no signatures', () => {
  expect(decodeSignature(`eyJhbGciOiJFZERTQSJ9..${TEXT}`)).toBeUndefined();
  expect(decodeSignature(encodeSignature(BYTES.slice(0, 32)))).toBeUndefined();
  expect(decodeSignature(encodeSignature(Uint8Array.from([0x84, 0x43, 0xa1, ...BYTES])))).toBeUndefined();
});

test('has one text for each signature', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), fc.nat(85), fc.base64String(), (bytes, at, other) => {
      const text = encodeSignature(bytes);
      const changed = text.slice(0, at) + other.charAt(0) + text.slice(at + 1);
      const decoded = decodeSignature(changed);
      if (changed !== text && decoded !== undefined) expect(encodeSignature(decoded)).not.toBe(text);
    }),
  );
});
