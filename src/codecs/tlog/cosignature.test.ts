import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { cosign, cosignedMessage, decodeCosignature } from './cosignature.ts';
import { countWitnesses } from './count-witnesses.ts';
import { decodeSignedNote, encodeSignatureLine } from './signed-note.ts';
import {
  accepted,
  bytesOf,
  clauseOf,
  LOG,
  sha256,
  sha256Hex,
  signedCheckpoint,
  testKey,
  verifySignature,
  WITNESS,
} from './tlog-fixtures.contract.ts';
import { makeVerifierKey } from './verifier-key.ts';
import { verifySignedNote } from './verify-note.ts';

const TIME = 1_700_000_000n;
const NOTE = signedCheckpoint(7);
const { text, textBytes } = accepted(decodeSignedNote(bytesOf(NOTE)));
const LINE = cosign(WITNESS.key, { textBytes, time: TIME }, WITNESS.sign);

function signersOf(lines: readonly string[], keys = [LOG.key, WITNESS.key]) {
  return verifySignedNote(accepted(decodeSignedNote(bytesOf(NOTE + lines.join('')))), keys, verifySignature);
}

clause('TL-S2', 'a cosignature is 8 bytes of time and 64 of Ed25519', () => {
  expect(LINE.signature).toHaveLength(72);
  expect(Buffer.from(LINE.signature.subarray(0, 8)).toString('hex')).toBe('000000006553f100');
  expect(sha256Hex(NOTE + encodeSignatureLine(LINE))).toBe(
    'f94a7ce572b99303d7a1c133109b6daf403645ff18ee6b104ab98c176605058c',
  );
  expect(decodeCosignature(LINE.signature)?.time).toBe(TIME);
  for (const length of [0, 64, 71, 73]) expect(decodeCosignature(new Uint8Array(length))).toBeUndefined();
});

clause('TL-S3', 'signed are a header, the time and the whole text of the checkpoint', () => {
  const message = cosignedMessage(textBytes, TIME);
  expect(message).toHaveLength(110);
  expect(sha256Hex(message)).toBe('79d278cf6a4eea3912f65c82595a917578f6c5925a4527c4dce3304038cd42fa');
  expect(new TextDecoder().decode(message)).toBe(`cosignature/v1\ntime 1700000000\n${text}`);

  const extended = `${text}an extension\n`;
  const cosigned = (signedText: string) => {
    const line = encodeSignatureLine(cosign(WITNESS.key, { textBytes: bytesOf(signedText), time: TIME }, WITNESS.sign));
    const note = accepted(decodeSignedNote(bytesOf(`${extended}\n${line}`)));
    return clauseOf(verifySignedNote(note, [WITNESS.key], verifySignature));
  };
  expect(cosigned(extended)).toBeUndefined();
  expect(cosigned(text)).toBe('TL-N9');
});

clause('TL-S4', 'a time beyond 2^63 − 1 is refused, one in the future is not counted', () => {
  const timed = (time: bigint) => {
    const bytes = new Uint8Array(72);
    new DataView(bytes.buffer).setBigUint64(0, time);
    return decodeCosignature(bytes)?.time;
  };
  expect(timed(2n ** 63n)).toBeUndefined();
  expect(timed(2n ** 63n - 1n)).toBe(2n ** 63n - 1n);
  expect(() => cosign(WITNESS.key, { textBytes, time: 2n ** 63n }, WITNESS.sign)).toThrow(RangeError);
  expect(() => cosign(WITNESS.key, { textBytes, time: 0n }, WITNESS.sign)).toThrow(RangeError);

  const signers = accepted(signersOf([encodeSignatureLine(LINE)]));
  expect(countWitnesses(signers, [WITNESS.key], Number(TIME) - 300).count).toBe(1);
  const early = countWitnesses(signers, [WITNESS.key], Number(TIME) - 3600);
  expect(early).toMatchObject({
    count: 0,
    uncounted: [{ name: WITNESS.key.name, reason: expect.stringContaining('3600 s') }],
  });
});

clause('TL-S5', 'two names of one key are one witness', () => {
  const alias = makeVerifierKey({ ...WITNESS.key, name: 'witness.example/w2' }, sha256);
  const lines = [LINE, cosign(alias, { textBytes, time: TIME }, WITNESS.sign)].map(encodeSignatureLine);
  const keys = [WITNESS.key, alias];
  const signers = accepted(signersOf(lines, keys));
  expect(signers).toHaveLength(2);
  expect(countWitnesses(signers, keys, Number(TIME))).toMatchObject({ count: 1, uncounted: [{ name: alias.name }] });
});

clause('TL-S7', 'a quorum counts configured keys, each once', () => {
  const other = testKey(0x60, 'witness', 'witness.example/b');
  const stranger = testKey(0x80, 'witness', 'witness.example/c');
  const sign = ({ key, sign: own }: typeof WITNESS, time: bigint) =>
    encodeSignatureLine(cosign(key, { textBytes, time }, own));
  const witnesses = [WITNESS.key, other.key];
  const count = (lines: readonly string[]) =>
    countWitnesses(accepted(signersOf(lines, [LOG.key, ...witnesses])), witnesses, Number(TIME)).count;
  expect(count([])).toBe(0);
  expect(count([sign(WITNESS, TIME), sign(WITNESS, TIME - 5n)])).toBe(1);
  expect(count([sign(WITNESS, TIME), sign(stranger, TIME)])).toBe(1);
  expect(count([sign(WITNESS, TIME), sign(other, TIME)])).toBe(2);
  expect(countWitnesses(accepted(signersOf([])), [LOG.key], Number(TIME)).count).toBe(0);
});

test('the key of a log cannot cosign', () => {
  expect(() => cosign(LOG.key, { textBytes, time: TIME }, LOG.sign)).toThrow('cannot cosign');
});
