/**
 * Entry: one line of a provable log, as canonical JSON. It has only salted hashes of page texts, so that those can be deleted while every proof still holds.
 *
 *     {"action":"update","anchor":"prices","hashed":{"title":"sha256:5d41…"},"id":"01JD…","kind":"page","provenance":{"by":"compare"},"seq":7,"source":"docs",
 *      "time":"2026-11-18T01:02:03Z","type":"change","url":"https://docs.example/","v":1}
 *     {"after":7,"count":12,"list":"sha256:9f86…","since":"2026-11-18T01:02:03Z","time":"2026-11-18T01:02:08Z","type":"checked","v":1}
 *     {"after":7,"bytes":5120,"path":"changes.ndjson","sha256":"60303ae2…","type":"artifact","v":1}
 *     {"count":118,"earlier":"sha256:2c26…","format":"tidings-log@v1","origin":"docs.example/.well-known/tidings","time":"2026-11-18T01:00:00Z","type":"begin","v":1}
 *     {"artifacts":[{"after":"sha256:fcde…","before":"sha256:6030…","path":"changes.ndjson"}],"fields":["before"],"id":"01JD…","time":"2026-11-19T08:00:00Z","type":"redacted","v":1}
 *
 * Its index in the log is not a `seq`: entries of all types are counted.
 */

export type LogEntry = BeginLogEntry | ChangeLogEntry | CheckedLogEntry | ArtifactLogEntry | RedactedLogEntry;

/** A text that is too long for an entry is replaced by the SHA-256 of its UTF-8, in hex. */
export type EntryText = string | { readonly sha256: string };

/** `sha256:<hex>` */
export type PrefixedHash = string;

/** The first entry: commits to what was before the log began. */
export interface BeginLogEntry {
  readonly v: 1;
  readonly type: 'begin';
  readonly origin: string;
  readonly time: string;
  readonly format: typeof LOG_FORMAT;
  /** The number of change records before the log. */
  readonly count: number;
  /** The hash over all of them, each as {@link earlierLine}. */
  readonly earlier: PrefixedHash;
  /** The last signed checkpoint of the log that this one replaces, if known. */
  readonly previous?: string;
}

/** One change of the log of changes. */
export interface ChangeLogEntry {
  readonly v: 1;
  readonly type: 'change';
  readonly id: string;
  readonly seq: number;
  readonly source: EntryText;
  readonly kind: string;
  readonly action: string;
  readonly url: EntryText;
  readonly anchor?: EntryText;
  readonly time: string;
  /** Not salted: it can confirm a guessed text, even after a redaction. */
  readonly checksum?: string;
  readonly provenance: { readonly by?: string };
  /** By field name: see {@link hashText}. */
  readonly hashed: HashedTexts;
}

export type HashedTexts = Readonly<Record<string, PrefixedHash>>;

/** Sources were checked and had not changed. */
export interface CheckedLogEntry {
  readonly v: 1;
  readonly type: 'checked';
  /** When the last of them was checked, and the first. */
  readonly time: string;
  readonly since: string;
  /** How many sources, and the hash of the list: see {@link hashCheckedList}. */
  readonly count: number;
  readonly list: PrefixedHash;
  /** The `seq` of the last change before; 0 if there was none. */
  readonly after: number;
}

/** A file or a response that was published. */
export interface ArtifactLogEntry {
  readonly v: 1;
  readonly type: 'artifact';
  readonly path: EntryText;
  /** The SHA-256 of its bytes, in hex. */
  readonly sha256: string;
  readonly bytes: number;
  /** The `seq` of the last change in it; 0 if it has none. */
  readonly after: number;
}

/** Texts of a change were deleted. */
export interface RedactedLogEntry {
  readonly v: 1;
  readonly type: 'redacted';
  /** The id of the change. */
  readonly id: string;
  readonly time: string;
  readonly fields: readonly string[];
  /** Files that were rewritten; without `after` if a file was removed. */
  readonly artifacts: readonly RedactedArtifact[];
}

export interface RedactedArtifact {
  readonly path: string;
  readonly before: PrefixedHash;
  readonly after?: PrefixedHash;
}

export const LOG_FORMAT = 'tidings-log@v1';

/** The fields of a change that quote a page. */
export const TEXT_FIELDS = ['title', 'heading', 'summary', 'excerpt', 'before', 'note'] as const;
