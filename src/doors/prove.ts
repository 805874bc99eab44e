import { parseTime } from '../codecs/primitives/time.ts';
import { isUlid } from '../codecs/primitives/ulid.ts';
import type { ChangeLogEntry } from '../codecs/tlog/entry.ts';
import { encodeReceipt, type Receipt } from '../codecs/tlog/receipt.ts';
import { encodeTlogProof } from '../codecs/tlog/tlog-proof.ts';
import { verifyReceipt } from '../codecs/tlog/verify-receipt.ts';
import { noReceiptError } from '../errors/receipt-error.ts';
import { changeUnknownError } from '../errors/refusals.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { type WantedChange, wantedChange } from '../hub/why/wanted-change.ts';
import { NOTE_CRYPTO } from '../surface/note-crypto.ts';
import { type FoundChange, ProvableLog } from '../tlog/provable-log.ts';
import type { HttpOptions } from './open-http.ts';
import { openProvablePlace, type ProvablePlace } from './provable-place.ts';

export interface ProveOptions extends HttpOptions {
  /** Prove what a section said at this RFC 3339 time: its newest change up to then. */
  readonly at?: string | undefined;
  /** The folder of log.ndjson of a published site, if it is not on the site itself. */
  readonly state?: string;
}

export interface Proof {
  readonly receipt: Receipt;
  /** The text of the receipt file. */
  readonly text: string;
  /** The same receipt in the format of C2SP, without the texts. */
  readonly tlogProof: string;
  /** What the receipt shows, and what it does not. */
  readonly notes: readonly string[];
}

/**
 * A receipt for a change, or for the newest change of a page or section up to a moment.
 *
 * `place` is a published folder, the data folder of a hub (which may be running), or the address of either. A receipt that does not verify is never returned.
 */
export async function prove(target: string, place: string, options: ProveOptions = {}): Promise<Proof> {
  const atMs = momentOf(options.at);
  await using opened = await openProvablePlace(place, options);
  for (const tiles of opened.logs) {
    const log = await ProvableLog.open(tiles, NOTE_CRYPTO.verifySignature);
    const found = log && (await find(log, target, atMs));
    if (log !== undefined && found !== undefined) return await proofOf(log, found, { opened, target, atMs });
  }
  if (opened.logs.length === 0) throw noReceiptError(place, 'its provable log has not begun yet.');
  throw changeUnknownError(target, place, options.at);
}

async function find(log: ProvableLog, target: string, atMs: number): Promise<FoundChange | undefined> {
  const isInTime = ({ time }: ChangeLogEntry) => (parseTime(time) ?? Number.POSITIVE_INFINITY) <= atMs;
  if (isUlid(target)) return await log.findChange(target);
  const { fits, concerns } = wantedChange(target);
  const among = (isWanted: WantedChange['fits']) => (entry: ChangeLogEntry) => {
    const { id, url, anchor, provenance } = entry;
    // An anchor that is too long is replaced by its hash, and nobody asks for it by that.
    if (typeof url !== 'string' || typeof anchor === 'object' || !isInTime(entry)) return false;
    return isWanted({ id, url, provenance, ...(anchor !== undefined && { anchor }) });
  };
  return (await log.newestChange(among(fits))) ?? (await log.newestChange(among(concerns)));
}

interface Asked {
  readonly opened: ProvablePlace;
  readonly target: string;
  readonly atMs: number;
}

async function proofOf(log: ProvableLog, found: FoundChange, { opened, target, atMs }: Asked): Promise<Proof> {
  const receipt = await log.receiptOf(found, await opened.textsOf(found));
  const proven = verifyReceipt(receipt, NOTE_CRYPTO);
  if (!proven.ok) throw noReceiptError(target, proven.issues[0].message);
  const { index, proof, checkpoint } = receipt;
  return {
    receipt,
    text: encodeReceipt(receipt),
    tlogProof: encodeTlogProof({ index, proof }, checkpoint),
    notes: notesOf(found, receipt, { isAsked: !isUlid(target), atMs }),
  };
}

/** Remarks beside the receipt about what it does not show. */
function notesOf(
  { entry }: FoundChange,
  { texts }: Receipt,
  { isAsked, atMs }: { isAsked: boolean; atMs: number },
): string[] {
  const notes: string[] = [];
  const gone = Object.keys(entry.hashed).filter((field) => texts[field] === undefined);
  if (gone.length > 0) notes.push(`The log commits to ${gone.join(', ')}, of which the text is not there any more.`);
  if (!isAsked) return notes;
  const moment = Number.isFinite(atMs) ? `at ${new Date(atMs).toISOString()}` : 'now';
  notes.push(
    `The newest change up to then, of ${entry.time}, says what stood there ${moment}: nothing else of it was logged between.`,
  );
  if (texts.excerpt !== undefined)
    notes.push('The excerpt is the beginning of what it said, and is proven by its salted hash.');
  if (entry.checksum !== undefined)
    notes.push('The checksum is over the whole section as it was extracted: who has that text can compare it.');
  return notes;
}

function momentOf(at: string | undefined): number {
  if (at === undefined) return Number.POSITIVE_INFINITY;
  const moment = parseTime(at);
  if (moment === undefined) throw new SettingRefusedError('--at', at, 'Give a time like 2026-11-18T12:00:00Z.');
  return moment;
}
