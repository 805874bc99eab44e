import { decodeSignedNote, encodeSignedNote, type NoteSignature } from '../codecs/tlog/signed-note.ts';
import type { HttpPoster } from '../fetch/http-client.ts';
import { type AskedWitness, askWitness, type NamedWitness, type Submission } from './ask-witness.ts';

export interface GatheredCosignatures {
  /** The checkpoint with all collected cosignatures. */
  readonly note: string;
  readonly answers: readonly { readonly witness: NamedWitness; readonly answer: AskedWitness }[];
}

export interface GatherOptions {
  readonly http: HttpPoster;
  /** The size that a witness probably cosigned last. */
  oldSizeOf?(witness: NamedWitness): number | undefined;
  readonly signal?: AbortSignal;
}

/** Asks all witnesses at once. One that is down costs only its deadline: it is asked again with the next checkpoint. */
export async function gatherCosignatures(
  witnesses: readonly NamedWitness[],
  submission: Submission,
  { http, oldSizeOf, signal }: GatherOptions,
): Promise<GatheredCosignatures> {
  const answers = await Promise.all(
    witnesses.map(async (witness) => ({
      witness,
      answer: await askWitness(witness, submission, { http, oldSize: oldSizeOf?.(witness), ...(signal && { signal }) }),
    })),
  );
  const signatures = answers.flatMap(({ answer }) => (answer.is === 'cosigned' ? [answer.signature] : []));
  return { note: withCosignatures(submission.note, signatures), answers };
}

/** The note with these signatures after its own; a signature replaces one of the same key. */
export function withCosignatures(note: string, signatures: readonly NoteSignature[]): string {
  const decoded = decodeSignedNote(new TextEncoder().encode(note));
  if (!decoded.ok) throw new RangeError(`This is no note: ${decoded.issues[0].message}`);
  const isNew = ({ name, keyId }: NoteSignature) =>
    !signatures.some((signature) => signature.name === name && signature.keyId === keyId);
  return encodeSignedNote(decoded.value.text, [...decoded.value.signatures.filter(isNew), ...signatures]);
}
