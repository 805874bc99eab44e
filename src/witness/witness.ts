import { cosign } from '../codecs/tlog/cosignature.ts';
import { type CheckpointVerdict, judgeCheckpoint } from '../codecs/tlog/judge-checkpoint.ts';
import {
  decodeSignedNote,
  encodeSignatureLine,
  encodeSignedNote,
  type SignedNote,
} from '../codecs/tlog/signed-note.ts';
import type { VerifierKey } from '../codecs/tlog/verifier-key.ts';
import { NOTE_CRYPTO } from '../surface/note-crypto.ts';
import type { WitnessKey } from './witness-key.ts';
import type { WitnessedHead, WitnessStore } from './witness-store.ts';

export interface WitnessParts {
  /** Signs only cosignatures. */
  readonly key: WitnessKey;
  /** The keys of the witnessed logs. A log is identified by the name of its keys. */
  readonly logKeys: readonly VerifierKey[];
  readonly store: WitnessStore;
  /** Epoch milliseconds. */
  now(): number;
}

/** The answer, with its HTTP status. */
export type WitnessReply =
  | { readonly status: 200; readonly origin: string; readonly treeSize: number; readonly line: string }
  | { readonly status: 409; readonly size: number; readonly reason: string }
  | { readonly status: 400 | 403 | 404 | 422; readonly reason: string };

/**
 * Follows logs and vouches for one history of each: it cosigns a checkpoint only if it is proven to continue the last cosigned one.
 *
 * The head is stored before it is signed, in an atomic step that only accepts the successor of the stored head.
 */
export class Witness {
  readonly #parts: WitnessParts;

  constructor(parts: WitnessParts) {
    this.#parts = parts;
  }

  /** The answer to one `add-checkpoint`. */
  async add(body: Uint8Array): Promise<WitnessReply> {
    const { store } = this.#parts;
    let judgedBy: WitnessedHead | undefined;
    const logAt = (origin: string) => {
      const keys = this.#keysOf(origin);
      if (keys.length === 0) return undefined;
      judgedBy = store.headOf(origin);
      return { origin, keys, ...(judgedBy && { head: judgedBy }) };
    };
    const verdict = judgeCheckpoint(body, { ...NOTE_CRYPTO, logAt });
    if (verdict.status === 422) {
      const { origin } = verdict.checkpoint;
      const { status, reason } = verdict;
      await store.keepEvidence({ origin, reason, request: body, ...(judgedBy && { held: judgedBy.note }) });
      return { status, reason };
    }
    return verdict.status === 200 ? this.#cosign(verdict, judgedBy) : verdict;
  }

  /** The newest cosigned checkpoint of the log with this hash, for monitors. */
  checkpointOf(originHash: string): string | undefined {
    const head = this.#parts.store.headOfHash(originHash);
    return head === undefined ? undefined : head.note + this.#lineOf(head);
  }

  /** `judgedBy` is the head on which the verdict is based: if another one is stored by now, the verdict is void. */
  #cosign({ checkpoint, note }: GoodVerdict, judgedBy: WitnessedHead | undefined): WitnessReply {
    const { store, now } = this.#parts;
    const { origin, treeSize, rootHash } = checkpoint;
    const time = BigInt(Math.floor(now() / 1000));
    const head = { treeSize, rootHash, note: ofKeys(note, this.#keysOf(origin)), time };
    if (!store.replaceHead(origin, judgedBy, head)) {
      const size = store.headOf(origin)?.treeSize ?? 0;
      return { status: 409, size, reason: `This witness cosigned size ${size} last.` };
    }
    return { status: 200, origin, treeSize, line: this.#lineOf(head) };
  }

  /** The same head has the same line, since Ed25519 is deterministic. */
  #lineOf({ note, time }: WitnessedHead): string {
    const { key, sign } = this.#parts.key;
    const decoded = decodeSignedNote(new TextEncoder().encode(note));
    if (!decoded.ok) throw new Error(`What was stored is no note: ${decoded.issues[0].message}`);
    return encodeSignatureLine(cosign(key, { textBytes: decoded.value.textBytes, time }, sign));
  }

  #keysOf(origin: string): readonly VerifierKey[] {
    return this.#parts.logKeys.filter(({ name }) => name === origin);
  }
}

type GoodVerdict = Extract<CheckpointVerdict, { readonly status: 200 }>;

/** Without signature lines of other keys. */
function ofKeys({ text, signatures }: SignedNote, keys: readonly VerifierKey[]): string {
  const isKnown = (name: string, id: string) => keys.some((key) => key.name === name && key.keyId === id);
  return encodeSignedNote(
    text,
    signatures.filter(({ name, keyId }) => isKnown(name, keyId)),
  );
}
