import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { testReceipt } from '../../test/support/test-receipt.ts';
import { cosign } from '../codecs/tlog/cosignature.ts';
import { encodeReceipt, type Receipt } from '../codecs/tlog/receipt.ts';
import { decodeSignedNote } from '../codecs/tlog/signed-note.ts';
import { accepted, bytesOf, LOG, testKey, WITNESS } from '../codecs/tlog/tlog-fixtures.contract.ts';
import { encodeVerifierKey } from '../codecs/tlog/verifier-key.ts';
import { withCosignatures } from '../witness/gather-cosignatures.ts';
import { verifyReceiptText } from './verify-receipt.ts';

const RECEIPT = testReceipt();
const VKEY = encodeVerifierKey(LOG.key);
const OTHER = testKey(0x60, 'log', LOG.key.name);
const verify = (receipt: Receipt, vkey: string | undefined = VKEY) =>
  verifyReceiptText(encodeReceipt(receipt), 'receipt.json', { vkey });

test('what was proven is said in one sentence, and no more is claimed than was shown', () => {
  expect(verify(RECEIPT)).toEqual({
    ok: true,
    signer: 'trusted',
    origin: LOG.key.name,
    index: 3,
    size: 7,
    words:
      'Proven, under the key log.example/.well-known/tidings+4325540f that you trust: entry 3 of the log log.example/.well-known/tidings, which had 7 entries then, says that https://docs.example/prices#tiers had the change "update", learned at 2026-11-18T01:02:03Z, with its excerpt and title as given in this receipt.',
  });
  const redacted = { ...RECEIPT, texts: { title: RECEIPT.texts.title ?? { salt: '', text: '' } } };
  expect(verify(redacted).words).toContain('with its title as given in this receipt, without its excerpt');
});

clause(
  ['TL-P10', 'TL-P12'],
  'without a trusted key the signer is said to be unchecked; a forger makes receipt and key',
  () => {
    const forged = testReceipt({ action: 'delete' }, { log: OTHER });
    const alone = verifyReceiptText(encodeReceipt(forged), 'receipt.json');
    expect(alone).toMatchObject({ ok: true, signer: 'from-receipt' });
    expect(alone.words).toContain('The signer was taken from the receipt and checked against nothing');
    expect(verify(forged)).toMatchObject({ ok: false });
    expect(verify({ ...RECEIPT, vkey: encodeVerifierKey(OTHER.key) })).toMatchObject({ ok: true });
  },
);

test.each([
  ['entry', { entry: RECEIPT.entry.replace('update', 'delete') }],
  ['index', { index: 2 }],
  ['proof', { proof: RECEIPT.proof.toReversed() }],
  ['checkpoint', { checkpoint: RECEIPT.checkpoint.replace('\n7\n', '\n8\n') }],
  ['text', { texts: { ...RECEIPT.texts, excerpt: { salt: RECEIPT.texts.excerpt?.salt ?? '', text: 'It is free.' } } }],
])('another %s proves nothing', (_, altered) => {
  expect(verify({ ...RECEIPT, ...altered })).toMatchObject({
    ok: false,
    words: expect.stringMatching(/^Not proven: /),
  });
});

test('what is no receipt, and keys of another use, are refused as such', () => {
  for (const text of ['', '{}', '[]', 'null', encodeReceipt(RECEIPT).slice(0, -5)]) {
    expect(() => verifyReceiptText(text, 'receipt.json')).toThrow(/receipt\.json is refused\. It is none/);
  }
  expect(() => verify(RECEIPT, encodeVerifierKey(WITNESS.key))).toThrow(/of a log \(type 0x01\) is needed/);
});

test('a quorum of witnesses can be demanded of a receipt', () => {
  const { textBytes } = accepted(decodeSignedNote(bytesOf(RECEIPT.checkpoint)));
  const line = cosign(WITNESS.key, { textBytes, time: 1_700_000_000n }, WITNESS.sign);
  const cosigned = { ...RECEIPT, checkpoint: withCosignatures(RECEIPT.checkpoint, [line]) };
  const options = { vkey: VKEY, witnesses: [encodeVerifierKey(WITNESS.key)] };
  expect(verifyReceiptText(encodeReceipt(cosigned), 'r', options)).toMatchObject({ ok: true, witnesses: 1 });
  expect(verifyReceiptText(encodeReceipt(RECEIPT), 'r', options)).toMatchObject({ ok: false, witnesses: 0 });
  expect(() => verifyReceiptText(encodeReceipt(cosigned), 'r', { ...options, quorum: 2 })).toThrow(/quorum of 2/);
});
