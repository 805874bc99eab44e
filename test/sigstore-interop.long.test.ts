import { createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cosign } from '../src/codecs/tlog/cosignature.ts';
import type { Receipt } from '../src/codecs/tlog/receipt.ts';
import { decodeSignedNote } from '../src/codecs/tlog/signed-note.ts';
import { accepted, bytesOf, LOG, WITNESS } from '../src/codecs/tlog/tlog-fixtures.contract.ts';
import { withCosignatures } from '../src/witness/gather-cosignatures.ts';
import { testReceipt } from './support/test-receipt.ts';

/** The verifier of Sigstore, which npm brings along: nobody here wrote it. */
const SIGSTORE = join(
  dirname(dirname(process.execPath)),
  'lib/node_modules/npm/node_modules/@sigstore/verify/dist/tlog',
);

interface Sigstore {
  verifyCheckpoint(entry: object, tlogs: readonly object[]): object;
  verifyMerkleInclusion(entry: object, checkpoint: object): void;
}

function hasSigstore(): boolean {
  if (existsSync(join(SIGSTORE, 'checkpoint.js'))) return true;
  process.stderr.write('SKIPPED: receipts are not held against another verifier, for this npm brings none along.\n');
  return false;
}

function isProven({ entry, index, proof, checkpoint }: Receipt): boolean {
  const require = createRequire(import.meta.url);
  const { verifyCheckpoint } = require(join(SIGSTORE, 'checkpoint.js')) as Sigstore;
  const { verifyMerkleInclusion } = require(join(SIGSTORE, 'merkle.js')) as Sigstore;
  const told = {
    canonicalizedBody: Buffer.from(entry),
    inclusionProof: {
      logIndex: String(index),
      hashes: proof.map((hash) => Buffer.from(hash)),
      checkpoint: { envelope: checkpoint },
    },
  };
  const log = { logID: Buffer.from(LOG.key.keyId, 'hex'), baseURL: `https://${LOG.key.name}`, publicKey: publicKey() };
  try {
    verifyMerkleInclusion(told, verifyCheckpoint(told, [log]));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'TLOG_INCLUSION_PROOF_ERROR') return false;
    throw error;
  }
}

function publicKey(): KeyObject {
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), LOG.key.publicKey]);
  return createPublicKey({ key: spki, format: 'der', type: 'spki' });
}

describe.runIf(hasSigstore())('the verifier of Sigstore', () => {
  test('believes our checkpoints and proofs, with and without cosignatures, and none that was altered', () => {
    expect(readFileSync(join(SIGSTORE, 'merkle.js'), 'utf8')).toContain('The Sigstore Authors');
    const receipt = testReceipt();
    expect(isProven(receipt)).toBe(true);
    const { textBytes } = accepted(decodeSignedNote(bytesOf(receipt.checkpoint)));
    const line = cosign(WITNESS.key, { textBytes, time: 1_700_000_000n }, WITNESS.sign);
    expect(isProven({ ...receipt, checkpoint: withCosignatures(receipt.checkpoint, [line]) })).toBe(true);
    expect(isProven({ ...receipt, entry: receipt.entry.replace('update', 'delete') })).toBe(false);
    expect(isProven({ ...receipt, index: 2 })).toBe(false);
    expect(isProven({ ...receipt, proof: receipt.proof.slice(1) })).toBe(false);
    expect(isProven({ ...receipt, checkpoint: receipt.checkpoint.replace('\n7\n', '\n8\n') })).toBe(false);
  });
});
