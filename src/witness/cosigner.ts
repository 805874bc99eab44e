import type { HttpPoster } from '../fetch/http-client.ts';
import type { AskedWitness, NamedWitness, Submission } from './ask-witness.ts';
import { gatherCosignatures } from './gather-cosignatures.ts';

export interface CosignerParts {
  readonly witnesses: readonly NamedWitness[];
  readonly http: HttpPoster;
  /** Called when a witness starts to refuse, is unavailable, or is ahead of the log; and once more when it cosigns again. */
  onStanding?(witness: NamedWitness, answer: AskedWitness): void;
}

/** Has checkpoints cosigned, one after the other. Resolves to the note with the collected cosignatures: none if no witness answers. */
export type Cosign = (submission: Submission, signal?: AbortSignal) => Promise<string>;

/** Stores the size that each witness has, so that it is asked once for each checkpoint. */
export function createCosigner({ witnesses, http, onStanding }: CosignerParts): Cosign {
  const sizes = new Map<NamedWitness, number>();
  const standings = new Map<NamedWitness, AskedWitness['is']>();
  return async (submission, signal) => {
    const oldSizeOf = (witness: NamedWitness) => sizes.get(witness);
    const options = { http, oldSizeOf, ...(signal && { signal }) };
    const { note, answers } = await gatherCosignatures(witnesses, submission, options);
    for (const { witness, answer } of answers) {
      if (answer.is === 'cosigned') sizes.set(witness, submission.treeSize);
      else if (answer.is !== 'unreachable') sizes.delete(witness);
      if ((standings.get(witness) ?? 'cosigned') !== answer.is) onStanding?.(witness, answer);
      standings.set(witness, answer.is);
    }
    return note;
  };
}
