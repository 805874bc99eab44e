import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { encodeBase64 } from '../primitives/base64.ts';
import { decodeSignedNote, encodeSignatureLine, encodeSignedNote, type NoteSignature } from './signed-note.ts';
import { accepted, bytesOf, clauseOf, LOG, sha256Hex, signedCheckpoint } from './tlog-fixtures.contract.ts';

const LINE = '\u2014 k AAAAAAE=\n';
const SIGNATURE: NoteSignature = { name: 'k', keyId: '00000000', signature: Uint8Array.of(1) };
const decoded = (text: string) => decodeSignedNote(bytesOf(text));

clause('TL-N1', 'a note is a text, an empty line and ended signature lines', () => {
  expect(accepted(decoded(`a\n\n${LINE}`))).toMatchObject({ text: 'a\n', signatures: [SIGNATURE] });
  for (const wrong of ['', 'a\n', `a\n${LINE}`, 'a\n\n', `a\n\n${LINE.trimEnd()}`, LINE, `\n${LINE}`]) {
    expect(clauseOf(decoded(wrong)), JSON.stringify(wrong)).toBe('TL-N1');
  }
  expect(clauseOf(decoded(`a\n\n${LINE}\n`))).toBe('TL-N1');
});

clause('TL-N2', 'the last empty line separates, and the text keeps its line end', () => {
  const note = accepted(decoded(`a\n\nb\n\n${LINE}`));
  expect(note.text).toBe('a\n\nb\n');
  expect(note.textBytes).toEqual(bytesOf('a\n\nb\n'));
  expect(note.signatures).toHaveLength(1);
  expect(accepted(decoded(`a\n\n\n${LINE}`)).text).toBe('a\n\n');
});

clause('TL-N3', 'a signature line begins with an em dash and has single spaces', () => {
  for (const wrong of [
    '- k AAAAAAE=',
    '-- k AAAAAAE=',
    '\u2013 k AAAAAAE=',
    '\u2014  k AAAAAAE=',
    '\u2014 k  AAAAAAE=',
    '\u2014k AAAAAAE=',
    '\u2014 k AAAAAAE= ',
    '\u2014 k',
    'text',
  ]) {
    expect(clauseOf(decoded(`a\n\n${wrong}\n`)), wrong).toBe('TL-N3');
  }
  expect(clauseOf(decoded(`a\n\n${LINE.replace('\n', '\r\n')}`))).toBe('TL-N4');
});

clause('TL-N4', 'bytes that are no UTF-8 and control characters are refused wherever they stand', () => {
  const note = bytesOf(`abc\n\n${LINE}`);
  for (const byte of [0xff, 0x09, 0x0d, 0x00, 0x1f]) {
    for (let at = 0; at <= note.length; at += 1) {
      const broken = Uint8Array.of(...note.subarray(0, at), byte, ...note.subarray(at));
      expect(clauseOf(decodeSignedNote(broken))).toBe('TL-N4');
    }
  }
});

test('a byte order mark stays in the text, which is what was signed', () => {
  const note = accepted(decoded(`\ufeffa\n\n${LINE}`));
  expect(note.text).toBe('\ufeffa\n');
  expect(note.textBytes).toHaveLength(5);
});

clause('TL-N5', 'names with spaces or plus signs are refused on parsing and on signing', () => {
  for (const name of ['a\u00a0b', 'a+b', 'a\u0085b', 'a\ufeffb', '\u3000']) {
    expect(clauseOf(decoded(`a\n\n\u2014 ${name} AAAAAAE=\n`)), JSON.stringify(name)).toBe('TL-N5');
    expect(() => encodeSignatureLine({ ...SIGNATURE, name })).toThrow(RangeError);
  }
  for (const name of ['', 'a b']) {
    expect(clauseOf(decoded(`a\n\n\u2014 ${name} AAAAAAE=\n`))).toMatch(/^TL-N[35]$/);
    expect(() => encodeSignatureLine({ ...SIGNATURE, name })).toThrow(RangeError);
  }
});

clause('TL-N6', 'the base64 is strict and holds a key id and a signature', () => {
  const [signature] = accepted(decoded(signedCheckpoint(7))).signatures;
  expect(signature).toMatchObject({ name: LOG.key.name, keyId: '4325540f' });
  expect(signature?.signature).toHaveLength(64);
  for (const wrong of ['AAAAAAE', 'AAAAAAF=', 'AAAA-AE=', 'AAAAAA==', 'AAAA', '=', 'AAAAAAE=='])
    expect(clauseOf(decoded(`a\n\n\u2014 k ${wrong}\n`)), wrong).toBe('TL-N6');
});

clause('TL-N11', '17 signatures are taken, more than 100 and more than a megabyte are not', () => {
  for (const count of [16, 17, 100]) {
    expect(accepted(decoded(`a\n\n${LINE.repeat(count)}`)).signatures).toHaveLength(count);
  }
  expect(clauseOf(decoded(`a\n\n${LINE.repeat(101)}`))).toBe('TL-N11');
  expect(clauseOf(decoded(`a\n\n${LINE.repeat(10_000)}`))).toBe('TL-N11');
  expect(clauseOf(decoded(`${'a'.repeat(1_000_000)}\n\n${LINE}`))).toBe('TL-N11');
  const long = `\u2014 k ${encodeBase64(new Uint8Array(2432))}\n`;
  expect(accepted(decoded(`a\n\n${long}`)).signatures[0]?.signature).toHaveLength(2428);
});

clause('TL-N12', 'the signed checkpoints of the vectors come out bit by bit', () => {
  const seven = signedCheckpoint(7);
  expect(bytesOf(seven)).toHaveLength(209);
  expect(sha256Hex(seven)).toBe('6f7cddde63f08dd54b85b04a5472eec79378f0ff75947836a42f51cfed4ba494');
  expect(sha256Hex(signedCheckpoint(0))).toBe('b57c21c454c647360dba6d2354d5ccbe20e0bc755970180296d0549370f256ba');
});

test('what is encoded is decoded, and each note has one spelling', () => {
  const name = fc.stringMatching(/^[a-z./]{1,20}$/);
  const signature = fc.record({
    name,
    keyId: fc.stringMatching(/^[0-9a-f]{8}$/),
    signature: fc.uint8Array({ minLength: 1, maxLength: 80 }),
  });
  const text = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }).map((lines) => `${lines.join('\n')}\n`);
  fc.assert(
    fc.property(text, fc.array(signature, { minLength: 1, maxLength: 5 }), (own, signatures) => {
      const note = encodeSignedNote(own, signatures);
      const again = accepted(decoded(note));
      expect({ text: again.text, signatures: again.signatures }).toEqual({ text: own, signatures });
      expect(encodeSignedNote(again.text, again.signatures)).toBe(note);
    }),
  );
});

test.each(['a', 'a\t\n', '\ud800\n', ''])('%j cannot be the text of a note', (text) => {
  expect(() => encodeSignedNote(text, [SIGNATURE])).toThrow(RangeError);
});

test('any bytes are read or refused, and never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      decodeSignedNote(bytes);
    }),
  );
});
