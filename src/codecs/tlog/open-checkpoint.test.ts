import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { encodeBase64 } from '../primitives/base64.ts';
import { concatBytes } from '../primitives/bytes.ts';
import { cosign } from './cosignature.ts';
import { openCheckpoint } from './open-checkpoint.ts';
import { signCheckpoint } from './sign-checkpoint.ts';
import { decodeSignedNote, encodeSignatureLine } from './signed-note.ts';
import {
  accepted,
  bytesOf,
  clauseOf,
  definedRoot,
  LOG,
  ORIGIN,
  sha256,
  signedCheckpoint,
  testKey,
  verifySignature,
  WITNESS,
} from './tlog-fixtures.contract.ts';
import { makeVerifierKey } from './verifier-key.ts';

const OPTIONS = { origin: ORIGIN, logKeys: [LOG.key], witnessKeys: [WITNESS.key], verifySignature };
const NOTE = signedCheckpoint(7);

function cosigned(note: string): string {
  const { textBytes } = accepted(decodeSignedNote(bytesOf(note)));
  return note + encodeSignatureLine(cosign(WITNESS.key, { textBytes, time: 1_700_000_000n }, WITNESS.sign));
}

clause('TL-C3', 'an origin is compared as it stands, whatever it looks like', () => {
  const origin = 'sum.golang.org';
  const strange = makeVerifierKey({ ...LOG.key, name: origin }, sha256);
  const note = bytesOf(signedCheckpoint(7, origin));
  const options = { ...OPTIONS, logKeys: [strange] };
  expect(openCheckpoint(note, { ...options, origin }).ok).toBe(true);
  expect(clauseOf(openCheckpoint(note, { ...options, origin: 'Sum.golang.org' }))).toBe('TL-C3');
});

clause('TL-C9', 'the key of a log has the name of the log', () => {
  expect(accepted(decodeSignedNote(bytesOf(NOTE))).signatures[0]?.name).toBe(ORIGIN);
  const checkpoint = { origin: 'other.example', treeSize: 7, rootHash: definedRoot(0, 7) };
  expect(() => signCheckpoint(checkpoint, LOG.key, LOG.sign)).toThrow('other.example');
});

test('what is signed by a key with another name is taken where the user trusts that key', () => {
  const text = accepted(decodeSignedNote(bytesOf(NOTE))).text;
  const { key, sign } = testKey(0x40, 'log', 'a-name');
  const note = `${text}\n${encodeSignatureLine({ ...key, signature: sign(bytesOf(text)) })}`;
  expect(openCheckpoint(bytesOf(note), { ...OPTIONS, logKeys: [key] }).ok).toBe(true);
  expect(clauseOf(openCheckpoint(bytesOf(note), OPTIONS))).toBe('TL-N10');
});

clause('TL-C10', 'one Ed25519 signature of the log is enough, and others may follow', () => {
  expect(accepted(openCheckpoint(bytesOf(NOTE), OPTIONS)).signers).toEqual([{ key: LOG.key }]);
  const unknown = `\u2014 ${ORIGIN} ${encodeBase64(concatBytes(new Uint8Array(2432).fill(6)))}\n`;
  const opened = accepted(openCheckpoint(bytesOf(cosigned(NOTE) + unknown), OPTIONS));
  expect(opened.signers).toEqual([{ key: LOG.key }, { key: WITNESS.key, time: 1_700_000_000n }]);
  expect(opened.checkpoint.treeSize).toBe(7);
});

test('a checkpoint that only a witness signed is of nobody', () => {
  const note = cosigned(NOTE).replace(/\n\u2014 log.*\n/, '\n');
  expect(decodeSignedNote(bytesOf(note)).ok).toBe(true);
  expect(clauseOf(openCheckpoint(bytesOf(note), OPTIONS))).toBe('TL-N10');
});

test('keys are given for what they are for', () => {
  expect(clauseOf(openCheckpoint(bytesOf(NOTE), { ...OPTIONS, logKeys: [WITNESS.key] }))).toBe('TL-N14');
  expect(clauseOf(openCheckpoint(bytesOf(NOTE), { ...OPTIONS, witnessKeys: [LOG.key] }))).toBe('TL-N14');
  expect(() =>
    signCheckpoint({ origin: 'w', treeSize: 0, rootHash: definedRoot(0, 0) }, WITNESS.key, WITNESS.sign),
  ).toThrow('witness');
});

test('a page in place of a checkpoint and a text that is no checkpoint are refused', () => {
  expect(clauseOf(openCheckpoint(bytesOf('<!doctype html>\n<p>Not found</p>\n'), OPTIONS))).toBe('TL-N1');
  const signature = LOG.sign(bytesOf('hello\n'));
  const note = `hello\n\n${encodeSignatureLine({ ...LOG.key, signature })}`;
  expect(clauseOf(openCheckpoint(bytesOf(note), OPTIONS))).toBe('TL-C1');
});
