import type { LoggedChange, ToldEvent } from '../dialects/auditor.ts';
import type { AuditFinding } from './audit-report.ts';
import type { ComparedLog } from './compare-feed.ts';
import { hashedText } from './hashed-text.ts';

/** A file that the log binds by its hash. */
export interface BoundFile {
  /** Relative to the site or hub, without a leading slash. */
  readonly path: string;
  /** Hex; undefined if the log says that the file is gone. */
  readonly sha256: string | undefined;
  /** The index of the entry that says so. */
  readonly index: number;
}

/** The audited facts of entries. */
export type KnownEntry =
  | { readonly type: 'change'; readonly change: Omit<LoggedChange, 'index' | 'endsRun' | 'timeMs'> }
  | { readonly type: 'files'; readonly files: readonly Omit<BoundFile, 'index'>[]; readonly time?: string }
  | { readonly type: 'begin'; readonly origin: string; readonly count: number; readonly time?: string }
  | { readonly type: 'checked'; readonly time?: string };

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** What an audit knows about a log, from its first entry on. */
export class LogKnowledge implements ComparedLog {
  readonly #changes: Mutable<LoggedChange>[] = [];
  readonly #byId = new Map<string, LoggedChange>();
  readonly #byUrl = new Map<string, LoggedChange[]>();
  readonly #byTime = new Map<number, LoggedChange[]>();
  readonly #lastOf = new Map<string, Mutable<LoggedChange>>();
  readonly #files = new Map<string, BoundFile>();
  /** The newest entry that gives a hash for a path. */
  readonly #bound = new Map<string, number>();
  /** How many changes there were before the log began. */
  #before = 0;
  #newest: string | undefined;
  size = 0;

  get changes(): readonly LoggedChange[] {
    return this.#changes;
  }

  /** In the order in which the log last named them. */
  get files(): readonly BoundFile[] {
    return [...this.#files.values()];
  }

  /** When the newest entry that has a time was written. */
  get newest(): string | undefined {
    return this.#newest;
  }

  changeOf(id: string): LoggedChange | undefined {
    return this.#byId.get(id);
  }

  changesAt(url: string): readonly LoggedChange[] {
    return this.#byUrl.get(url) ?? this.#byUrl.get(hashedText(url)) ?? [];
  }

  changesOf(timeMs: number): readonly LoggedChange[] {
    return this.#byTime.get(timeMs) ?? [];
  }

  /** Whether a later entry says that a file has this hash, or none. */
  isBoundAfter(index: number, path: string, sha256: string | undefined): boolean {
    return (this.#bound.get(boundAs(path, sha256)) ?? -1) > index;
  }

  /** What was published before the log began is in it as one hash over everything. */
  isBefore({ id, timeMs }: ToldEvent): boolean {
    const first = this.#changes[0];
    if (this.#before === 0) return false;
    if (first === undefined) return true;
    return id === undefined ? (timeMs ?? 0) < first.timeMs : id < first.id;
  }

  /** Takes the next entry, and returns what is wrong with its place. */
  take(entry: KnownEntry, index: number, origin: string): AuditFinding | undefined {
    this.size = index + 1;
    const time = entry.type === 'change' ? entry.change.time : entry.time;
    if (time !== undefined) this.#newest = time;
    if (entry.type === 'change') return this.#takeChange(entry.change, index);
    if (entry.type === 'begin') return this.#takeBegin(entry, index, origin);
    if (entry.type === 'files') {
      for (const file of entry.files) {
        this.#files.delete(file.path);
        this.#files.set(file.path, { ...file, index });
        this.#bound.set(boundAs(file.path, file.sha256), index);
      }
    }
    return index === 0 ? fault(index, 'The log does not say how it began.', {}) : undefined;
  }

  /** Skips an unreadable entry. */
  skip(index: number): undefined {
    this.size = index + 1;
  }

  #takeBegin({ origin, count }: KnownEntry & { readonly type: 'begin' }, index: number, wanted: string) {
    if (index > 0) return fault(index, 'The log begins a second time.', { origin });
    this.#before = count;
    if (origin === wanted) return undefined;
    return fault(index, 'The log says that it began under another name.', { begun: origin, signed: wanted });
  }

  #takeChange(change: (KnownEntry & { readonly type: 'change' })['change'], index: number): AuditFinding | undefined {
    const last = this.#changes.at(-1);
    // Changes from before it began may have been truncated from the log that it comes from.
    const expected = last === undefined ? Math.max(this.#before + 1, change.seq) : last.seq + 1;
    const timeMs = Date.parse(change.time);
    const logged: Mutable<LoggedChange> = { ...change, index, timeMs, endsRun: true };
    const before = this.#lastOf.get(change.source);
    if (before?.timeMs === timeMs) before.endsRun = false;
    this.#lastOf.set(change.source, logged);
    this.#changes.push(logged);
    this.#byId.set(change.id, logged);
    pushTo(this.#byUrl, change.url, logged);
    pushTo(this.#byTime, timeMs, logged);
    const { id, seq } = change;
    if (seq > expected) {
      const left = seq - 1 === expected ? `${expected}` : `${expected} to ${seq - 1}`;
      return fault(index, `The log leaves out changes: number ${left} of them.`, { id, seq, expected });
    }
    if (seq < expected) return fault(index, 'Changes are not in their order.', { id, seq, expected });
    if (last !== undefined && id <= last.id)
      return fault(index, 'Ids of changes do not rise.', { id, before: last.id });
    return index === 0 ? fault(index, 'The log does not say how it began.', {}) : undefined;
  }
}

function boundAs(path: string, sha256: string | undefined): string {
  return `${sha256 ?? 'gone'} ${path}`;
}

function fault(index: number, what: string, evidence: Record<string, string | number>): AuditFinding {
  return { what, where: `entry ${index}`, evidence: { index, ...evidence } };
}

function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
