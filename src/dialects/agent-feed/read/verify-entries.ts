import { hash, verify } from 'node:crypto';
import { decodeSignature } from '../../../codecs/agent-feed/signature-text.ts';
import type { DecodedEntry } from '../../../codecs/agent-feed/wire.ts';
import { othersFirst } from '../../../log/others-first.ts';
import type { FoundKey, SignerKey } from './keyring.ts';
import type { SeenEntry } from './reader-state.ts';

export interface VerifyOptions {
  readonly keyOf: (signer: string | undefined) => FoundKey;
  readonly seenAmong: (ids: readonly string[]) => Promise<ReadonlyMap<string, SeenEntry>>;
  readonly cores?: number | undefined;
}

/** The judgement of an entry. There is nothing between the two (AF-V7). */
export type Verdict = VerifiedEntry | UnverifiedEntry;

export interface VerifiedEntry {
  readonly isVerified: true;
  readonly entry: DecodedEntry;
  /** The signed text. */
  readonly content: string;
  readonly seen: SeenEntry;
  /** What was seen under this id before. */
  readonly known: SeenEntry | undefined;
  /** The id of the verification method. */
  readonly signer: string;
}

export interface UnverifiedEntry {
  readonly isVerified: false;
  readonly entry: DecodedEntry;
  readonly reason: string;
  /** Whether the reason is a missing key. */
  readonly isKeyMissing: boolean;
  readonly known: SeenEntry | undefined;
}

const CHUNK = 512;
/** Below this number the threads of crypto cost more time than they save. */
const MIN_PARALLEL = 64;

/**
 * agent-feed §3, in document order and in chunks. While the caller handles one chunk, other cores verify the next. An entry that
 * was verified with the same key before is not verified again.
 */
export async function* verifyEntries(
  entries: readonly DecodedEntry[],
  options: VerifyOptions,
): AsyncGenerator<readonly Verdict[]> {
  let next = judge(entries.slice(0, CHUNK), options);
  for (let at = CHUNK; at < entries.length; at += CHUNK) {
    const current = next;
    next = judge(entries.slice(at, at + CHUNK), options);
    // A caller that stops in between does not wait for these.
    next.catch(() => {});
    yield await current;
    await othersFirst();
  }
  yield await next;
}

async function judge(entries: readonly DecodedEntry[], options: VerifyOptions): Promise<Verdict[]> {
  const { keyOf, seenAmong, cores = 2 } = options;
  const known = await seenAmong(entries.flatMap(({ id }) => id ?? []));
  const claims = entries.map((entry) => claimOf(entry, keyOf));
  const unproven = claims.filter((claim) => 'key' in claim && !isProven(claim, known)).length;
  const isTrue = cores === 1 || unproven < MIN_PARALLEL ? isSigned : isSignedElsewhere;
  return await Promise.all(
    claims.map(async (claim) => {
      const before = known.get(claim.entry.id ?? '');
      if (!('key' in claim)) return { ...claim, known: before };
      if (isProven(claim, known) || (await isTrue(claim))) return verified(claim, before);
      const reason = 'The signature is not one of its content under its key.';
      return { isVerified: false, entry: claim.entry, reason, isKeyMissing: false, known: before };
    }),
  );
}

/** What an entry claims, before its signature is verified. */
interface Claim {
  readonly entry: DecodedEntry;
  readonly content: string;
  readonly bytes: Buffer;
  readonly signature: Uint8Array;
  readonly key: SignerKey;
  readonly seen: SeenEntry;
}

function claimOf(entry: DecodedEntry, keyOf: VerifyOptions['keyOf']): Claim | Omit<UnverifiedEntry, 'known'> {
  const { id = '', content, signature: text, signatureType, flaw } = entry;
  if (flaw !== undefined) return refused(entry, flaw);
  if (id === '') return refused(entry, `The entry in line ${entry.line} has no id.`);
  if (content === undefined) return refused(entry, 'It has no content.');
  if (text === undefined) return refused(entry, 'It has no signature.');
  if (signatureType !== undefined && signatureType !== 'ed25519') {
    return refused(entry, `Its signature is of type "${signatureType}", not ed25519.`);
  }
  const signature = decodeSignature(text);
  if (signature === undefined) return refused(entry, 'Its signature is not 64 bytes of base64url.');
  const key = keyOf(entry.signer);
  if (!key.ok) return { ...refused(entry, key.reason), isKeyMissing: true };
  const bytes = Buffer.from(content, 'utf8');
  const payloadHash = hash('sha256', bytes, 'hex');
  // Only one spelling of a signature is accepted, so without white space equal bytes have equal text.
  const bare = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  const seen = { entryId: id, payloadHash, signature: bare, publicKey: key.publicKey };
  return { entry, content, bytes, signature, key, seen };
}

function refused(entry: DecodedEntry, reason: string): Omit<UnverifiedEntry, 'known'> {
  return { isVerified: false, entry, reason, isKeyMissing: false };
}

function verified({ entry, content, seen, key }: Claim, known: SeenEntry | undefined): VerifiedEntry {
  return { isVerified: true, entry, content, seen, known, signer: key.methodId };
}

function isProven({ seen }: Claim, known: ReadonlyMap<string, SeenEntry>): boolean {
  const before = known.get(seen.entryId);
  return before !== undefined && isSame(before, seen) && before.publicKey === seen.publicKey;
}

/** The same payload under the same signature. */
export function isSame(left: SeenEntry, right: SeenEntry): boolean {
  return left.payloadHash === right.payloadHash && left.signature === right.signature;
}

function isSigned({ bytes, key, signature }: Claim): boolean {
  return verify(null, bytes, key.key, signature);
}

/** The same on a separate thread. */
function isSignedElsewhere({ bytes, key, signature }: Claim): Promise<boolean> {
  return new Promise((resolve, reject) => {
    verify(null, bytes, key.key, signature, (error, isTrue) => (error === null ? resolve(isTrue) : reject(error)));
  });
}
