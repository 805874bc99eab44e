import { decodeWitnessAnswer, encodeAddCheckpoint, type WitnessAnswer } from '../codecs/tlog/add-checkpoint.ts';
import { decodeSignedNote, type NoteSignature } from '../codecs/tlog/signed-note.ts';
import type { VerifierKey } from '../codecs/tlog/verifier-key.ts';
import { verifySignedNote } from '../codecs/tlog/verify-note.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { HttpPoster } from '../fetch/http-client.ts';
import { readBytes } from '../fetch/read-text.ts';
import { NOTE_CRYPTO } from '../surface/note-crypto.ts';

/** A witness that cosigns the checkpoints of a log. */
export interface NamedWitness {
  readonly key: VerifierKey;
  /** The URL prefix of `add-checkpoint`. */
  readonly url: URL;
}

/** A checkpoint to submit to witnesses. */
export interface Submission {
  /** As the log signed it. */
  readonly note: string;
  readonly treeSize: number;
  /** The proof that the log of that size is a prefix of this one. */
  proofFrom(oldSize: number): Promise<readonly Uint8Array[]>;
}

export type AskedWitness =
  | { readonly is: 'cosigned'; readonly signature: NoteSignature }
  /** It has cosigned more than the log has: a part of the log was lost, or another history is signed under the same name. */
  | { readonly is: 'ahead'; readonly reason: string }
  | { readonly is: 'refused' | 'unreachable'; readonly reason: string };

export interface AskOptions {
  readonly http: HttpPoster;
  /** The size that the witness probably cosigned last. Absent: found out by sending 0. */
  readonly oldSize?: number | undefined;
  readonly signal?: AbortSignal;
}

const DEADLINE_MS = 5000;
const MOST_ANSWER_BYTES = 100_000;

/**
 * Asks a witness to cosign. Asks a second time at most, if it says which size it cosigned last.
 *
 * Spec: https://c2sp.org/tlog-witness#add-checkpoint
 */
export async function askWitness(
  witness: NamedWitness,
  submission: Submission,
  options: AskOptions,
): Promise<AskedWitness> {
  const { oldSize = 0 } = options;
  try {
    const first = await send(witness, submission, { ...options, oldSize: Math.min(oldSize, submission.treeSize) });
    if (first.is !== 'at-size') return first;
    if (first.size > submission.treeSize) return ahead(first.size, submission.treeSize);
    const second = await send(witness, submission, { ...options, oldSize: first.size });
    return second.is === 'at-size' ? { is: 'refused', reason: 'It names another size each time it is asked.' } : second;
  } catch (error) {
    if (!(error instanceof TidingsError)) throw error;
    return { is: 'unreachable', reason: error.message };
  }
}

async function send(
  witness: NamedWitness,
  { note, proofFrom }: Submission,
  { http, oldSize, signal }: AskOptions & { readonly oldSize: number },
): Promise<AskedWitness | Extract<WitnessAnswer, { readonly is: 'at-size' }>> {
  const response = await http.post({
    url: new URL(`${witness.url.href.replace(/\/*$/, '')}/add-checkpoint`),
    body: encodeAddCheckpoint(oldSize, await proofFrom(oldSize), note),
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    maxBodyBytes: MOST_ANSWER_BYTES,
    deadlineMs: DEADLINE_MS,
    ...(signal && { signal }),
  });
  const { status, headers } = response;
  const body = await readBytes(response, { maxBytes: MOST_ANSWER_BYTES });
  const contentType = headers['content-type'];
  const answer = decodeWitnessAnswer({ status, body, ...(contentType !== undefined && { contentType }) });
  return answer.is === 'cosigned' ? goodOne(answer.signatures, note, witness.key) : answer;
}

/** Only a valid signature of the trusted key counts. */
function goodOne(signatures: readonly NoteSignature[], note: string, key: VerifierKey): AskedWitness {
  const refused = (reason: string): AskedWitness => ({ is: 'refused', reason });
  const [signature, ...more] = signatures.filter(({ name, keyId }) => name === key.name && keyId === key.keyId);
  if (signature === undefined || more.length > 0) return refused(`Its answer is not signed by the key ${key.name}.`);
  const submitted = decodeSignedNote(new TextEncoder().encode(note));
  if (!submitted.ok) return refused(submitted.issues[0].message);
  const signed = { ...submitted.value, signatures: [signature] };
  const verified = verifySignedNote(signed, [key], NOTE_CRYPTO.verifySignature);
  return verified.ok ? { is: 'cosigned', signature } : refused(verified.issues[0].message);
}

function ahead(size: number, own: number): AskedWitness {
  const reason = `It has cosigned ${size} entries of this log, which has ${own}. Somebody lost a part of the log, or signs another one with its key.`;
  return { is: 'ahead', reason };
}
