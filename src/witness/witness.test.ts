import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { clause } from '../../test/clause.ts';
import { encodeAddCheckpoint } from '../codecs/tlog/add-checkpoint.ts';
import { signCheckpoint } from '../codecs/tlog/sign-checkpoint.ts';
import { decodeSignedNote, encodeSignedNote } from '../codecs/tlog/signed-note.ts';
import {
  accepted,
  bytesOf,
  definedRoot,
  LOG,
  ORIGIN,
  sha256Hex,
  signedCheckpoint,
  testKey,
  verifySignature,
  WITNESS,
} from '../codecs/tlog/tlog-fixtures.contract.ts';
import { verifySignedNote } from '../codecs/tlog/verify-note.ts';
import { openSqliteWitnessStore } from '../io/sqlite/witness-store.ts';
import {
  forkedCheckpoint,
  openWitnessLab,
  otherRoot,
  proofBetween,
  requestOf,
  T0_SECONDS,
} from './witness-lab.contract.ts';

const OTHER = testKey(0x60, 'log', ORIGIN);
const STRANGER = testKey(0x80, 'log', 'other.example/log');
const lines = (note: string) => note.slice(note.lastIndexOf('\n\n') + 2);
const withLines = (note: string, more: string) => note + more;

clause('TL-W7', 'a checkpoint that goes on is answered with one good cosignature line', async () => {
  const { witness } = await openWitnessLab();
  const answer = await witness.add(requestOf(0, 7));
  if (answer.status !== 200) throw new Error(answer.reason);
  expect(answer.line).toMatch(/^— witness\.example\/w1 \S+\n$/);
  const note = accepted(decodeSignedNote(bytesOf(signedCheckpoint(7) + answer.line)));
  const signers = accepted(verifySignedNote(note, [LOG.key, WITNESS.key], verifySignature));
  expect(signers.map(({ key, time }) => [key.name, time])).toEqual([
    [ORIGIN, undefined],
    [WITNESS.key.name, BigInt(T0_SECONDS)],
  ]);
});

clause('TL-W2', 'what is malformed is told as such: sizes, proofs, notes', async () => {
  const { witness } = await openWitnessLab();
  const whole = requestOf(3, 7);
  const text = new TextDecoder().decode(whole);
  const hash = text.split('\n')[1] ?? '';
  const bodies: readonly (string | Uint8Array)[] = [
    '',
    text.replace('old 3', 'old 03'),
    text.replace('old 3', 'old -3'),
    text.replace('old 3', 'old'),
    text.replace('old 3\n', `old 3\n${`${hash}\n`.repeat(64)}`),
    text.replace(hash, hash.slice(4)),
    text.replaceAll('\n', '\r\n'),
    text.slice(0, -1),
    requestOf(0, 7).subarray(0, 100),
    encodeAddCheckpoint(8, [], signedCheckpoint(7)),
  ];
  for (const body of bodies) {
    const answer = await witness.add(typeof body === 'string' ? bytesOf(body) : body);
    expect(answer.status, String(body).slice(0, 80)).toBe(400);
  }
});

clause('TL-W3', 'a log that is not configured is unknown, and nothing is stored of it', async () => {
  const { witness, store } = await openWitnessLab();
  const note = signCheckpoint(
    { origin: STRANGER.key.name, treeSize: 0, rootHash: sha256Empty },
    STRANGER.key,
    STRANGER.sign,
  );
  const body = bytesOf(encodeAddCheckpoint(0, [], note));
  expect((await witness.add(body)).status).toBe(404);
  expect(store.headOf(STRANGER.key.name)).toBeUndefined();
});
const sha256Empty = Buffer.from(sha256Hex(''), 'hex');

clause('TL-W4', 'without a good signature of the log, and with one bad one of it, nothing is cosigned', async () => {
  const { witness, store } = await openWitnessLab([LOG.key, OTHER.key]);
  const good = signedCheckpoint(7);
  const { text } = accepted(decodeSignedNote(bytesOf(good)));
  const foreign = encodeSignedNote(text, [{ name: 'x.example', keyId: '00000001', signature: new Uint8Array(64) }]);
  const bad = encodeSignedNote(text, [{ name: ORIGIN, keyId: OTHER.key.keyId, signature: new Uint8Array(64) }]);
  for (const note of [foreign, bad, withLines(good, lines(bad))]) {
    expect((await witness.add(requestOf(0, 7, note))).status).toBe(403);
  }
  expect(store.headOf(ORIGIN)).toBeUndefined();
  expect((await witness.add(requestOf(0, 7, withLines(good, lines(foreign))))).status).toBe(200);
});

clause('TL-W5', 'another old size than the one that was cosigned is answered with that one', async () => {
  const { witness } = await openWitnessLab();
  expect(await witness.add(requestOf(3, 7))).toMatchObject({ status: 409, size: 0 });
  await witness.add(requestOf(0, 7));
  expect(await witness.add(requestOf(3, 7))).toMatchObject({ status: 409, size: 7 });
});

clause('TL-W6', 'what does not go on is refused, and kept as evidence once', async () => {
  const { witness, store, folder } = await openWitnessLab();
  const emptyWithRoot = `${ORIGIN}\n0\n${Buffer.alloc(32).toString('base64')}\n`;
  const signature = LOG.sign(bytesOf(emptyWithRoot));
  const wrongEmpty = encodeSignedNote(emptyWithRoot, [{ name: ORIGIN, keyId: LOG.key.keyId, signature }]);
  const of = (oldSize: number, proof: readonly Uint8Array[], note: string) =>
    bytesOf(encodeAddCheckpoint(oldSize, proof, note));
  expect((await witness.add(of(0, [], wrongEmpty))).status).toBe(422);
  expect((await witness.add(of(0, [otherRoot(3)], signedCheckpoint(5)))).status).toBe(422);
  await witness.add(requestOf(0, 7));
  const head = store.headOf(ORIGIN);
  expect((await witness.add(of(7, [], forkedCheckpoint(7)))).status).toBe(422);
  expect((await witness.add(of(7, [], forkedCheckpoint(7)))).status).toBe(422);
  expect((await witness.add(of(7, proofBetween(7, 9), forkedCheckpoint(9)))).status).toBe(422);
  expect(store.headOf(ORIGIN)).toEqual(head);
  const kept = await readdir(join(folder, 'evidence'));
  expect(kept).toHaveLength(4);
  const held = await Promise.all(kept.map((name) => readFile(join(folder, 'evidence', name, 'held'), 'utf8')));
  expect(held.filter((note) => note === signedCheckpoint(7))).toHaveLength(2);
  const requests = await Promise.all(kept.map((name) => readFile(join(folder, 'evidence', name, 'request'), 'utf8')));
  expect(requests.filter((request) => request.endsWith(forkedCheckpoint(7)))).toHaveLength(1);
});

clause('TL-W9', 'the same checkpoint again gets a cosignature of its own time', async () => {
  const { witness, pass } = await openWitnessLab();
  await witness.add(requestOf(0, 7));
  const once = await witness.add(requestOf(7, 7));
  pass(60);
  const again = await witness.add(requestOf(7, 7));
  expect([once.status, again.status]).toEqual([200, 200]);
  expect(again).not.toEqual(once);
});

clause('TL-S6', 'a smaller tree is not cosigned behind a larger one', async () => {
  const { witness } = await openWitnessLab();
  await witness.add(requestOf(0, 7));
  for (const old of [0, 3]) expect((await witness.add(requestOf(old, 3))).status).toBe(409);
  expect((await witness.add(bytesOf(encodeAddCheckpoint(7, [], signedCheckpoint(3))))).status).toBe(400);
});

clause('TL-W12', 'monitors get the newest checkpoint with both signatures', async () => {
  const { witness } = await openWitnessLab();
  expect(sha256Hex(ORIGIN)).toBe('a69ad8d451e0782347018d6d492627895425bbfae18de2b07a6321b4e1327af1');
  expect(witness.checkpointOf(sha256Hex(ORIGIN))).toBeUndefined();
  const answer = await witness.add(requestOf(0, 7));
  const seen = witness.checkpointOf(sha256Hex(ORIGIN)) ?? '';
  expect(answer.status === 200 && seen === signedCheckpoint(7) + answer.line).toBe(true);
  // The vector of the fixtures: a witness that cosigned at 1700000000.
  expect(sha256Hex(seen)).toBe('f94a7ce572b99303d7a1c133109b6daf403645ff18ee6b104ab98c176605058c');
  expect(witness.checkpointOf(sha256Hex('other.example/log'))).toBeUndefined();
});

clause('TL-W8', 'a head is not replaced where another process has stored one meanwhile', async () => {
  const { witness, store, folder } = await openWitnessLab();
  await witness.add(requestOf(0, 3));
  const judgedBy = store.headOf(ORIGIN);
  await using other = await openSqliteWitnessStore(folder);
  const head = { treeSize: 5, rootHash: definedRoot(0, 5), note: signedCheckpoint(5), time: 1n };
  expect(other.replaceHead(ORIGIN, judgedBy, head)).toBe(true);
  const late = { treeSize: 7, rootHash: definedRoot(0, 7), note: signedCheckpoint(7), time: 1n };
  for (const before of [undefined, judgedBy]) expect(store.replaceHead(ORIGIN, before, late)).toBe(false);
  expect(store.headOf(ORIGIN)?.treeSize).toBe(5);
});
