import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { cosign } from './cosignature.ts';
import { decodeSignedNote, encodeSignedNote, type NoteSignature } from './signed-note.ts';
import { accepted, bytesOf, clauseOf, LOG, testKey, verifySignature, WITNESS } from './tlog-fixtures.contract.ts';
import type { VerifierKey } from './verifier-key.ts';
import { knownSignatures, verifySignedNote } from './verify-note.ts';

const TEXT = 'log.example\nanything\n';
const OTHER = testKey(0x40, 'log', 'other.example');

function lineOf({ key, sign }: typeof LOG): NoteSignature {
  if (key.use === 'witness') return cosign(key, { textBytes: bytesOf(TEXT), time: 1_700_000_000n }, sign);
  return { name: key.name, keyId: key.keyId, signature: sign(bytesOf(TEXT)) };
}

function flipped({ signature, ...line }: NoteSignature): NoteSignature {
  const bytes = Uint8Array.from(signature);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return { ...line, signature: bytes };
}

function verified(signatures: readonly NoteSignature[], keys: readonly VerifierKey[]) {
  const note = accepted(decodeSignedNote(bytesOf(encodeSignedNote(TEXT, signatures))));
  return verifySignedNote(note, keys, verifySignature);
}

clause('TL-N7', 'lines of unknown keys are ignored, also where one of name and id is known', () => {
  const good = lineOf(LOG);
  const strangers = [lineOf(OTHER), { ...good, keyId: '00000001' }, { ...good, name: 'another.example' }];
  expect(accepted(verified([...strangers, good], [LOG.key]))).toEqual([{ key: LOG.key }]);
  for (const stranger of strangers) expect(clauseOf(verified([stranger], [LOG.key]))).toBe('TL-N10');
});

clause('TL-N8', 'a line of a known key is verified, and one flipped bit is seen', () => {
  expect(clauseOf(verified([flipped(lineOf(LOG))], [LOG.key]))).toBe('TL-N9');
  expect(clauseOf(verified([{ ...lineOf(LOG), signature: new Uint8Array(63) }], [LOG.key]))).toBe('TL-N9');
});

clause('TL-N9', 'one bad line of a known key refuses the note and names the key', () => {
  const refused = verified([lineOf(LOG), flipped(lineOf(WITNESS))], [LOG.key, WITNESS.key]);
  expect(refused).toMatchObject({ issues: [{ clause: 'TL-N9', message: expect.stringContaining(WITNESS.key.name) }] });
  expect(clauseOf(verified([lineOf(LOG), flipped(lineOf(LOG))], [LOG.key]))).toBe('TL-N9');
  expect(verified([lineOf(LOG), flipped(lineOf(WITNESS))], [LOG.key]).ok).toBe(true);
});

clause('TL-N10', 'a note without a good line of a known key is refused', () => {
  expect(verified([lineOf(OTHER)], [LOG.key])).toMatchObject({
    issues: [{ clause: 'TL-N10', message: expect.stringContaining('other.example') }],
  });
  expect(clauseOf(verified([lineOf(LOG)], []))).toBe('TL-N10');
});

clause('TL-N11', 'one known line among 17 is enough', () => {
  const strangers = Array.from({ length: 16 }, (_, at) => ({ ...lineOf(OTHER), name: `k${at}` }));
  expect(verified([...strangers, lineOf(LOG)], [LOG.key]).ok).toBe(true);
});

test('two good lines of one key are one signer, with the later time', () => {
  const later = cosign(WITNESS.key, { textBytes: bytesOf(TEXT), time: 1_700_000_009n }, WITNESS.sign);
  for (const lines of [
    [lineOf(WITNESS), later],
    [later, lineOf(WITNESS)],
  ]) {
    expect(accepted(verified(lines, [WITNESS.key]))).toEqual([{ key: WITNESS.key, time: 1_700_000_009n }]);
  }
  expect(accepted(verified([lineOf(LOG), lineOf(LOG)], [LOG.key, LOG.key]))).toHaveLength(1);
});

test('where verifying is asynchronous the answers can be had before', async () => {
  const note = accepted(decodeSignedNote(bytesOf(encodeSignedNote(TEXT, [lineOf(OTHER), lineOf(LOG)]))));
  const checks = knownSignatures(note, [LOG.key]).flatMap(({ check }) => check ?? []);
  expect(checks).toHaveLength(1);
  const answers = await Promise.all(checks.map(async (check) => [check.signature, verifySignature(check)] as const));
  expect(verifySignedNote(note, [LOG.key], ({ signature }) => new Map(answers).get(signature) ?? false).ok).toBe(true);
});
