import { accept, type Issue, type Result, refuse } from '../primitives/result.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Sha256, VerifySignature } from './crypto-functions.ts';
import { decodeEntry } from './decode-entry.ts';
import type { LogEntry } from './entry.ts';
import { judgeTexts, type TextState } from './hashed-text.ts';
import { openCheckpoint } from './open-checkpoint.ts';
import type { Receipt } from './receipt.ts';
import { leafHash } from './tree-hash.ts';
import { decodeVerifierKey, type VerifierKey } from './verifier-key.ts';
import type { NoteSigner } from './verify-note.ts';
import { verifyInclusion } from './verify-proof.ts';

export interface VerifyReceiptOptions {
  readonly sha256: Sha256;
  readonly verifySignature: VerifySignature;
  /** The key of the log, from a source other than the receipt. */
  readonly trusted?: VerifierKey;
  /** The log that the receipt must come from. Default: the log that the key is named after. */
  readonly origin?: string;
  readonly witnessKeys?: readonly VerifierKey[];
}

/** What a receipt has proven. */
export interface ProvenReceipt {
  /** `from-receipt`: the receipt is consistent, but its signer was not checked against anything. */
  readonly signer: 'trusted' | 'from-receipt';
  readonly key: VerifierKey;
  readonly checkpoint: Checkpoint;
  /** The log and known witnesses: see {@link countWitnesses}. */
  readonly signers: readonly NoteSigner[];
  readonly index: number;
  /** Undefined if the entry is not in our format: its bytes are proven, and `issue` says what is unusual. */
  readonly entry?: LogEntry;
  readonly issue?: Issue;
  /** For each text that the entry names: `proven` or `redacted`. */
  readonly texts: ReadonlyMap<string, TextState>;
}

/**
 * Verifies that a receipt proves that its entry, with the texts in the receipt, is in the log.
 *
 * @example
 * const receipt = decodeReceipt(await readFile('receipt.json', 'utf8'));
 * if (!receipt.ok) throw new Error(receipt.issues[0].message);
 * const proven = verifyReceipt(receipt.value, { sha256, verifySignature, trusted: key });
 * if (proven.ok) proven.value.signer; // 'trusted'
 */
export function verifyReceipt(receipt: Receipt, options: VerifyReceiptOptions): Result<ProvenReceipt> {
  const { sha256, verifySignature, trusted, witnessKeys = [] } = options;
  const bytes = new TextEncoder().encode(receipt.entry);
  const hash = leafHash(bytes, sha256);
  const key = trusted === undefined ? decodeVerifierKey(receipt.vkey, sha256) : accept(trusted);
  if (!key.ok) return key;
  const note = new TextEncoder().encode(receipt.checkpoint);
  const origin = options.origin ?? key.value.name;
  const opened = openCheckpoint(note, { origin, logKeys: [key.value], witnessKeys, verifySignature });
  if (!opened.ok) return opened;
  const { checkpoint, signers } = opened.value;
  const { index, proof } = receipt;
  const included = verifyInclusion({ index, hash, proof }, checkpoint, sha256);
  if (!included.ok) return included;

  const decoded = decodeEntry(bytes);
  const hashed = decoded.ok && decoded.value.entry.type === 'change' ? decoded.value.entry.hashed : {};
  const texts = judgeTexts(hashed, receipt.texts, sha256);
  const wrong = [...texts].find(([, state]) => state === 'altered' || state === 'unknown');
  if (wrong !== undefined)
    return refuse('TL-P12', `The text "${wrong[0].slice(0, 100)}" is not the one that the entry commits to.`);
  const base = {
    signer: trusted === undefined ? 'from-receipt' : 'trusted',
    key: key.value,
    checkpoint,
    signers,
    index,
    texts,
  } as const;
  if (!decoded.ok) return accept({ ...base, issue: decoded.issues[0] });
  const { entry, isCanonical } = decoded.value;
  return accept(isCanonical ? { ...base, entry } : { ...base, entry, issue: NOT_CANONICAL });
}

const NOT_CANONICAL: Issue = { clause: 'TL-O1', message: 'The entry is in the log, and not in canonical form.' };
