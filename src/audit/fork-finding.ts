import { encodeBase64 } from '../codecs/primitives/base64.ts';
import type { Checkpoint } from '../codecs/tlog/checkpoint.ts';
import type { AuditFinding, EvidenceFile } from './audit-report.ts';
import type { ServedCheckpoint } from './open-served.ts';

export interface Fork {
  readonly held: ServedCheckpoint;
  readonly served: ServedCheckpoint;
  readonly where: string;
  readonly proof: readonly Uint8Array[] | undefined;
}

/** The log signed two histories. Anybody with its key and both notes can verify that. */
export function forkFinding({ held, served, where, proof }: Fork): AuditFinding {
  return {
    what: `The log was rewritten: the ${entries(held)} that were seen before are not among the ${entries(served)} of now, and its key has signed both.`,
    where,
    evidence: {
      held: held.text,
      served: served.text,
      ...(proof !== undefined && { proof: proof.map(encodeBase64) }),
    },
  };
}

/** Both signed notes unchanged, and the hashes that show that one is not a prefix of the other. */
export function forkEvidence({ held, served, proof }: Omit<Fork, 'where'>): readonly EvidenceFile[] {
  return [
    { name: `held-${held.checkpoint.treeSize}.checkpoint`, text: held.text },
    { name: `served-${served.checkpoint.treeSize}.checkpoint`, text: served.text },
    ...(proof === undefined
      ? []
      : [{ name: 'consistency-proof.txt', text: proof.map((hash) => `${encodeBase64(hash)}\n`).join('') }]),
  ];
}

function entries({ checkpoint: { treeSize } }: { readonly checkpoint: Checkpoint }): string {
  return treeSize === 1 ? '1 entry' : `${treeSize} entries`;
}
