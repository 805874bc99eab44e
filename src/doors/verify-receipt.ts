import { countWitnesses } from '../codecs/tlog/count-witnesses.ts';
import { decodeReceipt } from '../codecs/tlog/receipt.ts';
import { receiptWords } from '../codecs/tlog/receipt-words.ts';
import type { VerifierKey } from '../codecs/tlog/verifier-key.ts';
import { verifyReceipt as verify } from '../codecs/tlog/verify-receipt.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { readVerifierKey } from '../io/files/verifier-key-file.ts';
import { NOTE_CRYPTO } from '../surface/note-crypto.ts';
import { quorumOf } from '../witness/demand-quorum.ts';

export interface VerifyReceiptDoorOptions {
  /** The key of the trusted log, or a file that contains it. Without it, the signer is taken from the receipt. */
  readonly vkey?: string | undefined;
  /** Keys of witnesses that must have cosigned, or files with one key each. */
  readonly witnesses?: readonly string[];
  /** How many of the witnesses must have cosigned. Default: all. */
  readonly quorum?: number | undefined;
}

/** What a receipt has proven. */
export interface VerifiedReceipt {
  readonly ok: boolean;
  /** Whether the key came from the caller or from the receipt. */
  readonly signer?: 'trusted' | 'from-receipt';
  /** In one sentence. */
  readonly words: string;
  readonly origin?: string;
  readonly index?: number;
  readonly size?: number;
  /** How many of the witnesses cosigned. Absent if none were named. */
  readonly witnesses?: number;
}

/** Whether a receipt proves that its entry is in the log. Makes no requests. Throws a {@link SettingRefusedError} if the text is not a receipt. */
export function verifyReceiptText(text: string, name: string, options: VerifyReceiptDoorOptions = {}): VerifiedReceipt {
  const { vkey, witnesses = [], quorum } = options;
  const trusted = vkey === undefined ? undefined : readVerifierKey(vkey, 'log', '--vkey');
  const witnessKeys = witnesses.map((witness) => readVerifierKey(witness, 'witness', '--witness'));
  const least = leastOf(witnessKeys, quorum);
  const receipt = decodeReceipt(text);
  if (!receipt.ok) throw new SettingRefusedError('the receipt', name, `It is none: ${receipt.issues[0].message}`);
  const proven = verify(receipt.value, { ...NOTE_CRYPTO, witnessKeys, ...(trusted && { trusted }) });
  if (!proven.ok) return { ok: false, words: `Not proven: ${proven.issues[0].message}` };
  const { signer, checkpoint, index, signers } = proven.value;
  const facts = { signer, origin: checkpoint.origin, index, size: checkpoint.treeSize };
  const { sentence } = receiptWords(proven.value);
  if (witnessKeys.length === 0) return { ok: true, words: sentence, ...facts };
  // Cosignatures are as old as the receipt, possibly years. None may be from the future.
  const { count } = countWitnesses(signers, witnessKeys, Date.now() / 1000);
  const cosigned = `${count} of ${witnessKeys.length} witnesses cosigned the checkpoint`;
  if (count < least) return { ok: false, words: `Not proven: ${cosigned}, and ${least} must have.`, witnesses: count };
  return { ok: true, words: `${sentence} ${cosigned}.`, ...facts, witnesses: count };
}

function leastOf(witnessKeys: readonly VerifierKey[], quorum: number | undefined): number {
  const wanted = quorumOf(witnessKeys, quorum);
  if (!wanted.ok) throw new SettingRefusedError('--quorum', quorum ?? '', wanted.issues[0].message);
  return wanted.value.least;
}
