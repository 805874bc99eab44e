import { type OpenedCheckpoint, openCheckpoint } from '../codecs/tlog/open-checkpoint.ts';
import { MAX_NOTE_BYTES } from '../codecs/tlog/signed-note.ts';
import { encodeVerifierKey } from '../codecs/tlog/verifier-key.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { verifySignature } from '../surface/ed25519.ts';
import type { TileSource } from '../tlog/tile-source.ts';
import type { AuditFinding } from './audit-report.ts';
import type { TrustedKey } from './trusted-key.ts';

/** A served checkpoint, with its verified text. */
export interface ServedCheckpoint extends OpenedCheckpoint {
  /** The whole signed note. */
  readonly text: string;
}

export type Served =
  | { readonly is: 'good'; readonly checkpoint: ServedCheckpoint }
  /** It is signed, but not by the trusted key. */
  | { readonly is: 'wrong'; readonly finding: AuditFinding; readonly text: string }
  /** It has no signature: it proves nothing. */
  | { readonly is: 'unread'; readonly reason: string; readonly text: string };

/** The checkpoint of a place, verified by the trusted key. */
export async function openServed(tiles: TileSource, trusted: TrustedKey): Promise<Served> {
  const where = `${tiles.name}/checkpoint`;
  const bytes = await tiles.read('checkpoint', MAX_NOTE_BYTES);
  if (bytes === undefined) throw new UnreadableTargetError(where, 'it is not there any more', 'retry-later');
  return judgeNote(bytes, trusted, where);
}

/** The same for bytes from anywhere: a file of the user, a response. */
export function judgeNote(bytes: Uint8Array, { key, other, witnesses = [] }: TrustedKey, where: string): Served {
  const text = new TextDecoder().decode(bytes);
  const opened = openCheckpoint(bytes, { ...checkedBy(key), witnessKeys: witnesses });
  if (opened.ok) return { is: 'good', checkpoint: { ...opened.value, text } };
  const [{ clause, message }] = opened.issues;
  const evidence = { clause, vkey: encodeVerifierKey(key), checkpoint: text.slice(0, 4000) };
  const byOther = other !== undefined && openCheckpoint(bytes, checkedBy(other)).ok;
  if (byOther) {
    const what = `Two logs under one name: the checkpoint is signed by another key than that of ${key.name}, which is trusted here.`;
    return {
      is: 'wrong',
      text,
      finding: { what, where, evidence: { ...evidence, otherVkey: encodeVerifierKey(other) } },
    };
  }
  if (FORGED.has(clause)) {
    return { is: 'wrong', text, finding: { what: `The checkpoint is forged: ${message}`, where, evidence } };
  }
  const reason = text.trimStart().startsWith('<') ? 'it is a page, and no checkpoint.' : message;
  return { is: 'unread', text, reason: `${where}: ${reason}` };
}

/** A bad signature of the key, a missing one, or the name of another log under a valid one. */
const FORGED: ReadonlySet<string> = new Set(['TL-N9', 'TL-N10', 'TL-C3']);

function checkedBy(key: TrustedKey['key']) {
  return {
    origin: key.name,
    logKeys: [key],
    verifySignature: (check: Parameters<Parameters<typeof openCheckpoint>[1]['verifySignature']>[0]) =>
      verifySignature(check.publicKey, check.message, check.signature),
  };
}
