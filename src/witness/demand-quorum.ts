import { accept, type Result, refuse } from '../codecs/primitives/result.ts';
import { type CountedWitnesses, countWitnesses } from '../codecs/tlog/count-witnesses.ts';
import type { OpenedCheckpoint } from '../codecs/tlog/open-checkpoint.ts';
import type { VerifierKey } from '../codecs/tlog/verifier-key.ts';

/** The witnesses that a follower knows, and how many of them must have cosigned. */
export interface Quorum {
  readonly witnesses: readonly VerifierKey[];
  readonly least: number;
}

/** Default: all of the witnesses. */
export function quorumOf(witnesses: readonly VerifierKey[], least = witnesses.length): Result<Quorum> {
  const distinct = new Set(witnesses.map(({ publicKey }) => String(publicKey))).size;
  if (least > distinct) {
    return refuse('TL-S7', `A quorum of ${least} cannot be had: ${distinct} different witness keys are given.`);
  }
  if (witnesses.length > 0 && least < 1) return refuse('TL-S7', 'A quorum is at least 1.');
  return accept({ witnesses, least });
}

/**
 * Whether enough witnesses have cosigned a checkpoint that was opened with their keys. Only distinct, configured public keys count.
 *
 * A quorum shows that the witnesses saw one history. It does not show that the checkpoint is new.
 */
export function demandQuorum(
  opened: OpenedCheckpoint,
  { witnesses, least }: Quorum,
  nowMs: number,
): Result<CountedWitnesses> {
  const counted = countWitnesses(opened.signers, witnesses, nowMs / 1000);
  if (counted.count >= least) return accept(counted);
  const reasons = counted.uncounted.map(({ name, reason }) => ` ${name}: ${reason}`).join('');
  const missing = `${counted.count} of ${witnesses.length} witnesses cosigned the checkpoint of ${opened.checkpoint.treeSize} entries, and ${least} must have.`;
  return refuse('TL-S7', missing + reasons);
}
