import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { cosign } from './cosignature.ts';
import { encodeEntry } from './encode-entry.ts';
import type { ChangeLogEntry } from './entry.ts';
import { GrowingTree } from './growing-tree.ts';
import { hashTexts } from './hashed-text.ts';
import { decodeReceipt, encodeReceipt, type Receipt } from './receipt.ts';
import { signCheckpoint } from './sign-checkpoint.ts';
import { decodeSignedNote, encodeSignatureLine } from './signed-note.ts';
import {
  accepted,
  bytesOf,
  clauseOf,
  LOG,
  leafAt,
  ORIGIN,
  sha256,
  testKey,
  verifySignature,
  WITNESS,
} from './tlog-fixtures.contract.ts';
import { leafHash } from './tree-hash.ts';
import { proveInclusion } from './tree-proofs.ts';
import { encodeVerifierKey, makeVerifierKey } from './verifier-key.ts';
import { verifyReceipt } from './verify-receipt.ts';

const TEXTS = { title: { salt: '01'.repeat(32), text: 'Prices' }, before: { salt: '02'.repeat(32), text: '10 €' } };
const CHANGE: ChangeLogEntry = {
  ...{ v: 1, type: 'change', id: '01JD0000000000000000000000', seq: 3, source: 'docs', kind: 'page', action: 'update' },
  ...{
    url: 'https://docs.example/',
    time: '2026-11-18T01:02:03Z',
    provenance: { by: 'compare' },
    hashed: hashTexts(TEXTS, sha256),
  },
};

/** A log of seven entries, of which the fourth is the given one. */
function receiptOf(entry: string, log = LOG): Receipt {
  const leaves = Array.from({ length: 7 }, (_, at) => (at === 3 ? leafHash(bytesOf(entry), sha256) : leafAt(at)));
  const tree = new GrowingTree(sha256);
  for (const leaf of leaves) tree.append(leaf);
  const hashAt = (_: number, at: number) => leaves[at] ?? new Uint8Array(0);
  const checkpoint = { origin: log.key.name, treeSize: 7, rootHash: tree.root() };
  return {
    ...{ entry, texts: TEXTS, index: 3, proof: proveInclusion(3, 7, { hashAt, sha256 }) },
    checkpoint: signCheckpoint(checkpoint, log.key, log.sign),
    vkey: encodeVerifierKey(log.key),
  };
}

const ENTRY = new TextDecoder().decode(encodeEntry(CHANGE, sha256));
const RECEIPT = receiptOf(ENTRY);
const PORTS = { sha256, verifySignature };
const trusted = (receipt: Receipt) => verifyReceipt(receipt, { ...PORTS, trusted: LOG.key });

test('a receipt is read as it was written', () => {
  const again = accepted(decodeReceipt(encodeReceipt(RECEIPT)));
  expect({ ...again, proof: again.proof.map((hash) => Buffer.from(hash)) }).toEqual({
    ...RECEIPT,
    proof: RECEIPT.proof.map((hash) => Buffer.from(hash)),
  });
});

clause('TL-O4', 'a receipt with its own key alone is consistent with itself, and no more', () => {
  const proven = accepted(verifyReceipt(RECEIPT, PORTS));
  expect(proven).toMatchObject({
    signer: 'from-receipt',
    entry: CHANGE,
    index: 3,
    checkpoint: { origin: ORIGIN, treeSize: 7 },
  });
  expect(accepted(trusted(RECEIPT)).signer).toBe('trusted');

  const forger = testKey(0x40, 'log', ORIGIN);
  const forged = receiptOf(ENTRY, forger);
  expect(accepted(verifyReceipt(forged, PORTS)).signer).toBe('from-receipt');
  expect(clauseOf(trusted(forged))).toBe('TL-N10');
});

clause('TL-P10', 'entry, signature, origin and proof must all fit', () => {
  expect(clauseOf(trusted({ ...RECEIPT, entry: `${ENTRY} ` }))).toBe('TL-P5');
  expect(clauseOf(trusted({ ...RECEIPT, index: 2 }))).toBe('TL-P5');
  expect(clauseOf(trusted({ ...RECEIPT, proof: RECEIPT.proof.slice(1) }))).toBe('TL-P5');
  expect(clauseOf(trusted({ ...RECEIPT, checkpoint: receiptOf('another').checkpoint }))).toBe('TL-P5');
  expect(clauseOf(trusted({ ...RECEIPT, checkpoint: RECEIPT.checkpoint.replace('\n7\n', '\n8\n') }))).toBe('TL-N9');
  expect(clauseOf(trusted({ ...RECEIPT, checkpoint: '' }))).toBe('TL-N1');
  expect(clauseOf(verifyReceipt(RECEIPT, { ...PORTS, trusted: LOG.key, origin: 'other.example' }))).toBe('TL-C3');
  expect(clauseOf(verifyReceipt(RECEIPT, { ...PORTS, trusted: WITNESS.key }))).toBe('TL-N14');
});

clause('TL-P12', 'texts, salts and key of a receipt prove nothing by themselves', () => {
  const title = TEXTS.title;
  for (const wrong of [
    { ...title, text: 'Price' },
    { ...title, salt: '03'.repeat(32) },
    { ...title, salt: '' },
  ]) {
    expect(clauseOf(trusted({ ...RECEIPT, texts: { ...TEXTS, title: wrong } }))).toBe('TL-P12');
  }
  expect(clauseOf(trusted({ ...RECEIPT, texts: { ...TEXTS, note: title } }))).toBe('TL-P12');
  const vkey = encodeVerifierKey(makeVerifierKey({ ...LOG.key, name: 'else.example' }, sha256));
  expect(accepted(trusted({ ...RECEIPT, vkey })).key).toEqual(LOG.key);
  expect(clauseOf(verifyReceipt({ ...RECEIPT, vkey }, PORTS))).toBe('TL-N10');
  expect(clauseOf(verifyReceipt({ ...RECEIPT, vkey: 'x' }, PORTS))).toBe('TL-N13');
});

clause('TL-O5', 'a redacted text leaves the proof as it is, and is told', () => {
  const { texts } = accepted(trusted({ ...RECEIPT, texts: { title: TEXTS.title } }));
  expect(Object.fromEntries(texts)).toEqual({ title: 'proven', before: 'redacted' });
  expect(Object.fromEntries(accepted(trusted({ ...RECEIPT, texts: {} })).texts)).toEqual({
    title: 'redacted',
    before: 'redacted',
  });
});

test('an entry of another form is proven all the same, and said to be strange', () => {
  const spaced = accepted(trusted(receiptOf(` ${ENTRY}`)));
  expect(spaced).toMatchObject({ entry: CHANGE, issue: { clause: 'TL-O1' } });
  const foreign = accepted(trusted({ ...receiptOf('entry-3'), texts: {} }));
  expect(foreign).toMatchObject({ issue: { clause: 'TL-O1' }, index: 3 });
  expect(foreign.entry).toBeUndefined();
});

test('known witnesses are among the signers', () => {
  const { textBytes } = accepted(decodeSignedNote(bytesOf(RECEIPT.checkpoint)));
  const line = encodeSignatureLine(cosign(WITNESS.key, { textBytes, time: 1_700_000_000n }, WITNESS.sign));
  const cosigned = { ...RECEIPT, checkpoint: RECEIPT.checkpoint + line };
  const proven = accepted(verifyReceipt(cosigned, { ...PORTS, trusted: LOG.key, witnessKeys: [WITNESS.key] }));
  expect(proven.signers).toContainEqual({ key: WITNESS.key, time: 1_700_000_000n });
});

const REFUSED: readonly (readonly [string, string])[] = [
  ['no JSON', '{'],
  ['no object', '[]'],
  ['a text', '"x"'],
  ['nothing', '{}'],
  ['two entries', '{"entry":"a","entry":"b"}'],
  ['a deep value', `{"a":${'['.repeat(30)}${']'.repeat(30)}}`],
  ...Object.entries({ entry: 1, checkpoint: null, vkey: 1, index: -1, proof: ['AA=='] }).map(
    ([name, value]) =>
      [`a wrong ${name}`, JSON.stringify({ ...JSON.parse(encodeReceipt(RECEIPT)), [name]: value })] as const,
  ),
  ['half of a pair', encodeReceipt({ ...RECEIPT, entry: '\ud800' })],
  ['64 hashes', encodeReceipt({ ...RECEIPT, proof: new Array(64).fill(new Uint8Array(32)) })],
  ['an index that is rounded', encodeReceipt(RECEIPT).replace('"index":3', '"index":9007199254740993')],
];

test.each(REFUSED)('a receipt with %s is refused', (_, json) => {
  expect(clauseOf(decodeReceipt(json))).toBe('TL-P10');
});

test('texts of another form are refused', () => {
  expect(clauseOf(decodeReceipt(encodeReceipt(RECEIPT).replace('"salt":', '"pepper":')))).toBe('TL-P12');
});
