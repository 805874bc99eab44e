import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { encodeAddCheckpoint } from '../codecs/tlog/add-checkpoint.ts';
import { signCheckpoint } from '../codecs/tlog/sign-checkpoint.ts';
import {
  bytesOf,
  definedRoot,
  LOG,
  leafAt,
  ORIGIN,
  sha256,
  signedCheckpoint,
  WITNESS,
} from '../codecs/tlog/tlog-fixtures.contract.ts';
import { proveConsistency } from '../codecs/tlog/tree-proofs.ts';
import type { VerifierKey } from '../codecs/tlog/verifier-key.ts';
import { openSqliteWitnessStore } from '../io/sqlite/witness-store.ts';
import type { Submission } from './ask-witness.ts';
import { Witness } from './witness.ts';

export const T0_SECONDS = 1_700_000_000;

/** Between two sizes of the tree of the fixtures, of fewer than 256 entries. */
export function proofBetween(oldSize: number, size: number): readonly Uint8Array[] {
  return proveConsistency(oldSize, size, { hashAt: (_level, index) => leafAt(index), sha256 });
}

/** A request to cosign the log of the fixtures. */
export function requestOf(oldSize: number, size: number, note = signedCheckpoint(size)): Uint8Array {
  return bytesOf(encodeAddCheckpoint(oldSize, proofBetween(oldSize, size), note));
}

/** The log of the fixtures on its way to a witness. */
export function submissionOf(treeSize: number): Submission {
  return {
    note: signedCheckpoint(treeSize),
    treeSize,
    proofFrom: async (oldSize) => proofBetween(oldSize, treeSize),
  };
}

/** A witness of the log of the fixtures, over a folder of its own that is removed behind the test. */
export async function openWitnessLab(logKeys: readonly VerifierKey[] = [LOG.key]) {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-witness-'));
  const store = await openSqliteWitnessStore(folder);
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  let nowMs = T0_SECONDS * 1000;
  const witness = new Witness({ key: WITNESS, logKeys, store, now: () => nowMs });
  return {
    witness,
    store,
    folder,
    pass: (seconds: number) => {
      nowMs += seconds * 1000;
    },
  };
}

/** The root of another tree of the same size. */
export function otherRoot(size: number): Uint8Array {
  return definedRoot(1, size + 1);
}

/** A checkpoint that the log signed and that is no continuation of its tree. */
export function forkedCheckpoint(size: number): string {
  return signCheckpoint({ origin: ORIGIN, treeSize: size, rootHash: otherRoot(size) }, LOG.key, LOG.sign);
}
