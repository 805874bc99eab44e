import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { cosign } from '../codecs/tlog/cosignature.ts';
import { openCheckpoint } from '../codecs/tlog/open-checkpoint.ts';
import { decodeSignedNote } from '../codecs/tlog/signed-note.ts';
import {
  accepted,
  bytesOf,
  LOG,
  ORIGIN,
  sha256,
  signedCheckpoint,
  testKey,
  verifySignature,
  WITNESS,
} from '../codecs/tlog/tlog-fixtures.contract.ts';
import { makeVerifierKey } from '../codecs/tlog/verifier-key.ts';
import { demandQuorum, quorumOf } from './demand-quorum.ts';
import { withCosignatures } from './gather-cosignatures.ts';
import { forkedCheckpoint, openWitnessLab, requestOf, T0_SECONDS } from './witness-lab.contract.ts';

const SECOND = testKey(0x40, 'witness', 'second.example/w');
const THIRD = testKey(0x60, 'witness', 'third.example/w');
const NOW_MS = T0_SECONDS * 1000;

function cosigned(note: string, witnesses: readonly (typeof WITNESS)[], seconds = T0_SECONDS): string {
  const { textBytes } = accepted(decodeSignedNote(bytesOf(note)));
  const lineOf = ({ key, sign }: typeof WITNESS) => cosign(key, { textBytes, time: BigInt(seconds) }, sign);
  return withCosignatures(note, witnesses.map(lineOf));
}

function isEnough(note: string, witnesses: readonly (typeof WITNESS)['key'][], least?: number): boolean {
  const quorum = accepted(quorumOf(witnesses, least));
  const options = { origin: ORIGIN, logKeys: [LOG.key], witnessKeys: witnesses, verifySignature };
  const opened = openCheckpoint(bytesOf(note), options);
  return opened.ok && demandQuorum(opened.value, quorum, NOW_MS).ok;
}

clause('TL-S7', 'a quorum counts distinct configured keys, and nobody else', () => {
  const note = signedCheckpoint(7);
  const both = [WITNESS.key, SECOND.key];
  expect(isEnough(note, both, 1)).toBe(false);
  expect(isEnough(cosigned(note, [WITNESS]), both, 1)).toBe(true);
  expect(isEnough(cosigned(note, [WITNESS]), both)).toBe(false);
  expect(isEnough(cosigned(note, [WITNESS, THIRD]), both)).toBe(false);
  expect(isEnough(cosigned(note, [WITNESS, SECOND, THIRD]), both)).toBe(true);
  const twice = `${cosigned(note, [WITNESS])}${cosigned(note, [WITNESS], T0_SECONDS - 9)
    .split('\n')
    .at(-2)}\n`;
  expect(isEnough(twice, both)).toBe(false);
});

clause('TL-S5', 'two names of one key are one witness', () => {
  const alias = makeVerifierKey({ ...WITNESS.key, name: 'alias.example/w' }, sha256);
  expect(quorumOf([WITNESS.key, alias]).ok).toBe(false);
  const note = cosigned(signedCheckpoint(7), [WITNESS, { key: alias, sign: WITNESS.sign }]);
  expect(isEnough(note, [WITNESS.key, alias], 1)).toBe(true);
  expect(quorumOf([WITNESS.key, alias, SECOND.key], 2).ok).toBe(true);
  expect(isEnough(note, [WITNESS.key, alias, SECOND.key], 2)).toBe(false);
});

clause('TL-S4', 'a cosignature from the future does not count', () => {
  const note = signedCheckpoint(7);
  expect(isEnough(cosigned(note, [WITNESS], T0_SECONDS + 3600), [WITNESS.key])).toBe(false);
  expect(isEnough(cosigned(note, [WITNESS], T0_SECONDS + 200), [WITNESS.key])).toBe(true);
});

test('a split view that no follower sees alone is found with one witness', async () => {
  const { witness } = await openWitnessLab();
  const [told, toldToOthers] = [signedCheckpoint(7), forkedCheckpoint(7)];
  // Each follower sees a log that is signed and goes on from nothing: alone, neither can find anything.
  expect([isEnough(told, []), isEnough(toldToOthers, [])]).toEqual([true, true]);

  const ask = async (note: string) => {
    const answer = await witness.add(requestOf(0, 7, note));
    return answer.status === 200 ? note + answer.line : note;
  };
  const [first, second] = [await ask(told), await ask(toldToOthers)];
  expect(isEnough(first, [WITNESS.key])).toBe(true);
  expect(isEnough(second, [WITNESS.key])).toBe(false);
  // Nor does it help to send the cosignature of one history with the other.
  expect(isEnough(toldToOthers + first.slice(told.length), [WITNESS.key])).toBe(false);
});
