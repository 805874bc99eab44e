import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Result } from '../primitives/result.ts';
import { decodeAddCheckpoint } from './add-checkpoint.ts';
import { openCheckpoint } from './open-checkpoint.ts';
import { decodeReceipt } from './receipt.ts';
import { decodeSignedNote } from './signed-note.ts';
import { clauseOf, LOG, ORIGIN, sha256, vectorBytes, verifySignature, WITNESS } from './tlog-fixtures.contract.ts';
import { decodeTlogProof } from './tlog-proof.ts';
import { decodeVerifierKey } from './verifier-key.ts';
import { verifyReceipt } from './verify-receipt.ts';

interface Vector {
  readonly file: string;
  readonly form: keyof typeof FORMS;
  readonly about: string;
}

const FORMS = {
  note: decodeSignedNote,
  vkey: (bytes: Uint8Array) => decodeVerifierKey(new TextDecoder().decode(bytes), sha256),
  checkpoint: (bytes: Uint8Array) =>
    openCheckpoint(bytes, { origin: ORIGIN, logKeys: [LOG.key], witnessKeys: [WITNESS.key], verifySignature }),
  'add-checkpoint': decodeAddCheckpoint,
  'tlog-proof': decodeTlogProof,
  receipt: (bytes: Uint8Array): Result<unknown> => {
    const receipt = decodeReceipt(new TextDecoder().decode(bytes));
    return receipt.ok ? verifyReceipt(receipt.value, { sha256, verifySignature, trusted: LOG.key }) : receipt;
  },
};

const VALID: readonly Vector[] = JSON.parse(vectorBytes('valid/index.json').toString('utf8'));
const INVALID: readonly (Vector & { clause: string })[] = JSON.parse(
  vectorBytes('invalid/index.json').toString('utf8'),
);

/** Read by the tests of trees and tiles. */
const TABLES = [
  'TL-P1-roots',
  'TL-P4-inclusion',
  'TL-P6-consistency',
  'TL-T5-tile-numbers',
  'TL-T7-files',
  'TL-T8-tiles-of-sizes',
];

test.each(['valid', 'invalid'])('the index of %s lists every vector and no other', (folder) => {
  const listed = (folder === 'valid' ? VALID : INVALID).map(({ file }) => file);
  const tables = folder === 'valid' ? TABLES.map((name) => `${name}.json`) : [];
  const present = readdirSync(`specs/tlog/vectors/${folder}`);
  expect(listed.length).toBeGreaterThan(10);
  expect([...listed, ...tables, 'index.json'].sort()).toEqual(present.sort());
});

test.each(VALID)('valid: $file: $about', ({ file, form }) => {
  expect(clauseOf(FORMS[form](vectorBytes(`valid/${file}`)))).toBeUndefined();
});

test.each(INVALID)('invalid: $file breaks $clause: $about', ({ file, form, clause }) => {
  expect(clauseOf(FORMS[form](vectorBytes(`invalid/${file}`)))).toBe(clause);
});
