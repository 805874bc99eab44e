import { canonicalJson } from '../primitives/canonical-json.ts';
import { compareCodePoints } from '../primitives/code-points.ts';
import { encodeHex } from '../primitives/hex.ts';
import type { Sha256 } from './crypto-functions.ts';
import type { EntryText, LogEntry, RedactedLogEntry } from './entry.ts';
import { MAX_ENTRY_BYTES } from './entry-bundle.ts';

/** Fields that may be replaced by their hash. */
const SHORTENED = ['url', 'anchor', 'source', 'path'] as const;

/**
 * The bytes of an entry. If it would be too long, its URL, anchor, source or path is replaced by a hash, the longest first. Throws
 * a RangeError if that is not enough.
 *
 * @example
 * const bytes = encodeEntry({ v: 1, type: 'artifact', path: 'changes.atom', sha256: hex, bytes: 812, after: 7 }, sha256);
 */
export function encodeEntry(entry: LogEntry, sha256: Sha256): Uint8Array {
  let fields: Readonly<Record<string, unknown>> = withoutUndefined(entry);
  for (;;) {
    const bytes = new TextEncoder().encode(canonicalJson(fields));
    if (bytes.length <= MAX_ENTRY_BYTES) return bytes;
    const longest = longestText(fields);
    if (longest === undefined) throw new RangeError(`An entry of type ${entry.type} would have ${bytes.length} bytes.`);
    fields = { ...fields, [longest.name]: textHash(longest.text, sha256) };
  }
}

/** Splits an entry into as many as needed, because a change may be in more files than one entry can name. */
export function* redactedEntries(entry: RedactedLogEntry): Generator<RedactedLogEntry> {
  const alone = canonicalJson({ ...entry, artifacts: [] });
  const room = MAX_ENTRY_BYTES - byteLength(alone);
  let [artifacts, used] = [entry.artifacts.slice(0, 0), 0];
  for (const artifact of entry.artifacts) {
    const length = byteLength(canonicalJson(withoutUndefined(artifact))) + 1;
    if (used + length > room && artifacts.length > 0) {
      yield { ...entry, artifacts };
      [artifacts, used] = [[], 0];
    }
    artifacts = [...artifacts, artifact];
    used += length;
  }
  yield { ...entry, artifacts };
}

/** One source in a list of checks. */
export interface ListedCheck {
  readonly source: string;
  /** When it was checked, RFC 3339. */
  readonly time: string;
}

/** The canonical list of checked sources: sorted by source and time. The `list` of a `checked` entry is its hash. */
export function encodeCheckedList(list: readonly ListedCheck[]): string {
  const sorted = list
    .map(({ source, time }) => ({ source, time }))
    .sort((one, other) => compareCodePoints(one.source, other.source) || compareCodePoints(one.time, other.time));
  return canonicalJson(sorted);
}

export function hashCheckedList(list: readonly ListedCheck[], sha256: Sha256): string {
  return `sha256:${hexHash(encodeCheckedList(list), sha256)}`;
}

/**
 * A change record from before the log, in the form that `begin` commits to: canonical, with LF. The commitment is the SHA-256 of
 * all these lines in order.
 */
export function earlierLine(record: unknown): string {
  return `${canonicalJson(record)}\n`;
}

/** Whether a known text is the one in an entry, which has the text itself or its hash. */
export function isEntryText(text: string, stated: EntryText, sha256: Sha256): boolean {
  return typeof stated === 'string' ? stated === text : stated.sha256 === hexHash(text, sha256);
}

function textHash(text: string, sha256: Sha256): EntryText {
  return { sha256: hexHash(text, sha256) };
}

function hexHash(text: string, sha256: Sha256): string {
  return encodeHex(sha256(new TextEncoder().encode(text)));
}

function longestText(fields: Readonly<Record<string, unknown>>): { name: string; text: string } | undefined {
  const texts = SHORTENED.flatMap((name) => {
    const text = fields[name];
    // Hashing a text that is shorter than its hash would save nothing.
    return typeof text === 'string' && text.length > 80 ? [{ name, text }] : [];
  });
  return texts.sort((one, other) => byteLength(other.text) - byteLength(one.text))[0];
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Canonical JSON refuses a member that is undefined; here it means the same as a missing one. */
function withoutUndefined(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
      member === undefined ? [] : [[name, plain(member)]],
    ),
  );
}

function plain(member: unknown): unknown {
  if (Array.isArray(member)) return member.map(plain);
  return typeof member === 'object' && member !== null ? withoutUndefined(member) : member;
}
