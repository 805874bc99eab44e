import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { encodeBase64 } from '../primitives/base64.ts';
import {
  decodeAddCheckpoint,
  decodeWitnessAnswer,
  encodeAddCheckpoint,
  MAX_ADD_CHECKPOINT_BYTES,
  TREE_SIZE_TYPE,
} from './add-checkpoint.ts';
import { cosign } from './cosignature.ts';
import { isSameHead, judgeCheckpoint, type WitnessedLog } from './judge-checkpoint.ts';
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
  sha256Hex,
  signedCheckpoint,
  TEST_TILES,
  testKey,
  verifySignature,
  WITNESS,
} from './tlog-fixtures.contract.ts';
import { decodeTlogProof, encodeTlogProof } from './tlog-proof.ts';
import { proveConsistency, proveInclusion } from './tree-proofs.ts';

const NOTE = signedCheckpoint(7);
const FROM_3 = encodeAddCheckpoint(3, proveConsistency(3, 7, TEST_TILES), NOTE);
const decoded = (text: string) => decodeAddCheckpoint(bytesOf(text));
const head = (treeSize: number) => ({ treeSize, rootHash: definedRoot(0, treeSize) });

function judged(body: string, log: Partial<WitnessedLog> = {}) {
  const known: WitnessedLog = { origin: ORIGIN, keys: [LOG.key], ...log };
  const logAt = (origin: string) => (origin === known.origin ? known : undefined);
  return judgeCheckpoint(bytesOf(body), { logAt, sha256, verifySignature });
}

clause('TL-W1', 'a request is old size, proof, an empty line and the checkpoint', () => {
  expect(bytesOf(FROM_3)).toHaveLength(396);
  expect(sha256Hex(FROM_3)).toBe('4fad3a322cf005ba17763bba9efb69e363dbeb44760ea73489434e66e720e465');
  const fromNothing = encodeAddCheckpoint(0, [], NOTE);
  expect(sha256Hex(fromNothing)).toBe('70699e490eac5648a39b4e3bc6f126479de90410263343206dfb3b4d128ddda1');
  expect(fromNothing.startsWith('old 0\n\nlog.example')).toBe(true);
  const request = accepted(decoded(FROM_3));
  expect(request).toMatchObject({ oldSize: 3, proof: { length: 4 } });
  expect(new TextDecoder().decode(request.note)).toBe(NOTE);
  expect(new TextDecoder().decode(accepted(decoded(fromNothing)).note)).toBe(NOTE);
});

test('a request of another form is refused', () => {
  for (const wrong of ['07', '-1', '+3', '3 ', '', 'x', '1e1'])
    expect(clauseOf(decoded(FROM_3.replace('old 3', `old ${wrong}`)))).toBe('TL-W2');
  for (const wrong of ['Old 3', 'old3', ' old 3', '\ufeffold 3', 'old 3\r'])
    expect(decoded(FROM_3.replace('old 3', wrong)).ok, wrong).toBe(false);
  const hash = `${encodeBase64(definedRoot(0, 1))}\n`;
  expect(accepted(decoded(`old 1\n${hash.repeat(63)}\n${NOTE}`)).proof).toHaveLength(63);
  expect(clauseOf(decoded(`old 1\n${hash.repeat(64)}\n${NOTE}`))).toBe('TL-W2');
  expect(clauseOf(decoded(`old 1\n${encodeBase64(new Uint8Array(31))}\n\n${NOTE}`))).toBe('TL-W2');
  expect(clauseOf(decoded('old 1\n'))).toBe('TL-W1');
  expect(clauseOf(decoded(''))).toBe('TL-W1');
  expect(clauseOf(decoded(FROM_3.replace('old 3', 'old 9007199254740993')))).toBe('TL-P13');
  expect(clauseOf(decodeAddCheckpoint(new Uint8Array(MAX_ADD_CHECKPOINT_BYTES + 1)))).toBe('TL-W2');
});

test('a witness judges form, origin, signature, sizes and proof, in this order', () => {
  expect(judged('nonsense').status).toBe(400);
  expect(judged(FROM_3.replace(ORIGIN, 'other.example')).status).toBe(404);
  expect(judged(FROM_3, { keys: [testKey(0x40, 'log', ORIGIN).key] }).status).toBe(403);
  expect(judged(encodeAddCheckpoint(8, [], NOTE), { head: head(8) }).status).toBe(400);
  expect(judged(FROM_3, { head: head(3) })).toMatchObject({ status: 200, checkpoint: { treeSize: 7 } });
});

clause('TL-W3', 'a log that the witness does not know is not found', () => {
  expect(judged(FROM_3, { origin: 'other.example', head: head(3) }).status).toBe(404);
});

clause('TL-W4', 'without a good signature of the log, or with a bad one, a request is forbidden', () => {
  const other = testKey(0x40, 'log', ORIGIN);
  const { text } = accepted(decodeSignedNote(bytesOf(NOTE)));
  const foreign = encodeSignatureLine({ ...other.key, signature: other.sign(bytesOf(text)) });
  const bad = encodeSignatureLine({ ...other.key, signature: new Uint8Array(64) });
  const both = [LOG.key, other.key];
  expect(judged(encodeAddCheckpoint(0, [], `${text}\n${foreign}`)).status).toBe(403);
  expect(judged(encodeAddCheckpoint(0, [], NOTE + bad), { keys: both }).status).toBe(403);
  expect(judged(encodeAddCheckpoint(0, [], NOTE + bad)).status).toBe(200);
  expect(judged(encodeAddCheckpoint(0, [], NOTE + foreign), { keys: both }).status).toBe(200);
});

test('who does not go on from what is stored is told where it stands', () => {
  expect(judged(FROM_3, { head: head(7) })).toMatchObject({ status: 409, size: 7 });
  expect(judged(FROM_3)).toMatchObject({ status: 409, size: 0 });
});

test('what contradicts the log is not processed, and is kept as evidence', () => {
  const proof = proveConsistency(3, 7, TEST_TILES);
  const damaged = judged(encodeAddCheckpoint(3, proof.toReversed(), NOTE), { head: head(3) });
  expect(damaged).toMatchObject({ status: 422, checkpoint: { treeSize: 7 }, note: { signatures: [{}] } });
  expect(judged(encodeAddCheckpoint(0, proof, NOTE)).status).toBe(422);
  const fork = { treeSize: 7, rootHash: definedRoot(0, 6) };
  expect(judged(encodeAddCheckpoint(7, [], NOTE), { head: fork }).status).toBe(422);
  const text = `${ORIGIN}\n0\n${encodeBase64(new Uint8Array(32))}\n`;
  const zero = `${text}\n${encodeSignatureLine({ ...LOG.key, signature: LOG.sign(bytesOf(text)) })}`;
  expect(judged(encodeAddCheckpoint(0, [], zero)).status).toBe(422);
});

clause('TL-W9', 'the same checkpoint again is a success', () => {
  expect(judged(encodeAddCheckpoint(7, [], NOTE), { head: head(7) }).status).toBe(200);
  expect(judged(encodeAddCheckpoint(0, [], signedCheckpoint(0))).status).toBe(200);
});

clause('TL-S6', 'a smaller checkpoint than the last is not cosigned', () => {
  for (const oldSize of [0, 3, 7]) {
    expect(judged(encodeAddCheckpoint(oldSize, [], signedCheckpoint(3)), { head: head(7) }).status).not.toBe(200);
  }
});

test('heads are the same by size and root', () => {
  expect(isSameHead(undefined, undefined)).toBe(true);
  expect(isSameHead(head(3), undefined)).toBe(false);
  expect(isSameHead(head(3), head(3))).toBe(true);
  expect(isSameHead(head(3), { treeSize: 3, rootHash: definedRoot(0, 4) })).toBe(false);
});

test('an answer is a cosignature, a size to go on from, or a refusal', () => {
  const { textBytes } = accepted(decodeSignedNote(bytesOf(NOTE)));
  const line = cosign(WITNESS.key, { textBytes, time: 1_700_000_000n }, WITNESS.sign);
  const answer = (status: number, body: string, contentType?: string) =>
    decodeWitnessAnswer({ status, body: bytesOf(body), ...(contentType !== undefined && { contentType }) });
  expect(answer(200, encodeSignatureLine(line))).toEqual({ is: 'cosigned', signatures: [line] });
  for (const body of ['', '\n', NOTE, 'ok']) expect(answer(200, body)).toMatchObject({ is: 'refused', status: 200 });
  expect(answer(409, '7\n', TREE_SIZE_TYPE)).toEqual({ is: 'at-size', size: 7 });
  for (const body of ['07\n', '7', '', '9007199254740993\n', '7\n\n'])
    expect(answer(409, body, 'text/x.tlog.size').is).toBe('refused');
  expect(answer(409, '7\n', 'text/plain').is).toBe('refused');
  expect(answer(409, '7\n').is).toBe('refused');
  for (const status of [400, 403, 404, 422, 500]) expect(answer(status, '')).toMatchObject({ is: 'refused', status });
});

clause('TL-P11', 'the text form of a proof is that of the vectors, and strict', () => {
  const { textBytes } = accepted(decodeSignedNote(bytesOf(NOTE)));
  const cosigned = NOTE + encodeSignatureLine(cosign(WITNESS.key, { textBytes, time: 1_700_000_000n }, WITNESS.sign));
  const proof = proveInclusion(3, 7, TEST_TILES);
  const text = encodeTlogProof({ index: 3, proof }, cosigned);
  expect(bytesOf(text)).toHaveLength(504);
  expect(sha256Hex(text)).toBe('071bf40c044c331b4bd588efdfecfbd4e39154346ae93170c123aa46d512fd7b');
  const decodedProof = accepted(decodeTlogProof(bytesOf(text)));
  expect(decodedProof).toMatchObject({ index: 3, note: bytesOf(cosigned) });
  expect(decodedProof.proof.map(encodeBase64)).toEqual(proof.map(encodeBase64));
  for (const [from, to] of [
    ['index 3', 'index 03'],
    ['index 3', 'index'],
    ['@v1', '@v2'],
    ['index 3\n', ''],
    ['index 3', 'extra x\nindex 3'],
    ['index 3', 'index 3\nAA=='],
  ] as const) {
    expect(clauseOf(decodeTlogProof(bytesOf(text.replace(from, to)))), to).toBe('TL-P11');
  }
  expect(clauseOf(decodeTlogProof(bytesOf('')))).toBe('TL-P11');
  const one = encodeTlogProof({ extra: bytesOf('hi'), index: 0, proof: [] }, signedCheckpoint(1));
  expect(one.split('\n').slice(0, 4)).toEqual(['c2sp.org/tlog-proof@v1', 'extra aGk=', 'index 0', '']);
  expect(accepted(decodeTlogProof(bytesOf(one)))).toMatchObject({ index: 0, proof: [], extra: bytesOf('hi') });
});

test('a checkpoint that the witness may cosign is one that the log signed', () => {
  const forged = signCheckpoint({ origin: ORIGIN, ...head(7) }, LOG.key, () => new Uint8Array(64));
  expect(judged(encodeAddCheckpoint(0, [], forged)).status).toBe(403);
});
