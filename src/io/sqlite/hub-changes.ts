import { withoutSaltedTexts } from '../../dialects/tlog/redact/redact-change.ts';
import type { ChangeQuery } from '../../hub/store/hub-store.ts';
import type { LogStart } from '../../log/log-start.ts';
import type { Change } from '../../model/change.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';
import { IS_TOLD_PAGE, SOURCE_OF_CHANGE, URL_OF_CHANGE } from './hub-schema.ts';
import type { LogDatabase, SqliteLog } from './log.ts';
import { dropCutChanges, moveLogStart, readLogStart } from './log-cut.ts';
import { decodeRow, encodeBody } from './log-schema.ts';

/** What a row takes beside its body: id, key, its place in the index of sources. */
const ROW_BYTES = 80;
const WEIGHED_ROWS = 1000;
const REDACTIONS_FACT = 'redactions';
const EVERY_SEQ = Number.MAX_SAFE_INTEGER;

/** Ways into the log that a hub needs and a plain log does not have. None of them scans. */
export class HubChanges {
  readonly #log: SqliteLog;
  readonly #database: SqliteDatabase;
  readonly #file: string;
  readonly #all: SqliteStatement;
  readonly #bySource: SqliteStatement;
  readonly #lastOfSource: SqliteStatement;
  readonly #nextSource: SqliteStatement;
  readonly #told: SqliteStatement;
  readonly #bySeq: SqliteStatement;
  readonly #recent: SqliteStatement;
  readonly #recentOfSource: SqliteStatement;
  readonly #weight: SqliteStatement;
  readonly #rewrite: SqliteStatement;
  readonly #redactionListeners: ((change: Change) => void)[] = [];
  readonly #redactionCount: SqliteStatement;
  readonly #countRedaction: SqliteStatement;
  #redactions = 0;
  #start: LogStart | undefined;
  /** Later changes are not shown yet. */
  #shownSeq = EVERY_SEQ;

  constructor({ log, database, file }: LogDatabase) {
    this.#log = log;
    this.#database = database;
    this.#file = file;
    this.#start = readLogStart(database);
    this.#all = database.prepare('SELECT seq, id, body FROM changes WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?');
    this.#bySource = database.prepare(
      `SELECT seq, id, body FROM changes WHERE ${SOURCE_OF_CHANGE} = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
    );
    this.#lastOfSource = database.prepare(
      `SELECT id FROM changes WHERE ${SOURCE_OF_CHANGE} = ? AND seq <= ? ORDER BY seq DESC LIMIT 1`,
    );
    this.#nextSource = database.prepare(
      `SELECT ${SOURCE_OF_CHANGE} AS source FROM changes WHERE ${SOURCE_OF_CHANGE} > ? ORDER BY ${SOURCE_OF_CHANGE} LIMIT 1`,
    );
    this.#told = database.prepare(
      `SELECT 1 FROM changes WHERE ${SOURCE_OF_CHANGE} = ? AND ${URL_OF_CHANGE} = ? AND ${IS_TOLD_PAGE} LIMIT 1`,
    );
    this.#redactionCount = database.prepare('SELECT value FROM hub_facts WHERE name = ?');
    this.#countRedaction = database.prepare('INSERT OR REPLACE INTO hub_facts (name, value) VALUES (?, ?)');
    this.#redactions = this.#countedRedactions();
    this.#rewrite = database.prepare('UPDATE changes SET body = ? WHERE seq = ?');
    this.#bySeq = database.prepare('SELECT seq, id, body FROM changes WHERE seq = ?');
    this.#weight = database.prepare(
      `SELECT max(seq) AS seq, avg(length(body) + ${ROW_BYTES}) AS weight
       FROM (SELECT seq, body FROM changes ORDER BY seq DESC LIMIT ${WEIGHED_ROWS})`,
    );
    this.#recent = database.prepare('SELECT seq, id, body FROM changes WHERE seq <= ? ORDER BY seq DESC LIMIT ?');
    this.#recentOfSource = database.prepare(
      `SELECT seq, id, body FROM changes WHERE ${SOURCE_OF_CHANGE} = ? AND seq > ? AND seq <= ? ORDER BY seq DESC LIMIT ?`,
    );
  }

  read({ source, ...rest }: ChangeQuery): AsyncIterable<Change> {
    const range = { ...rest, after: Math.max(rest.after ?? 0, this.#start?.seq ?? 0) };
    if (source === undefined) {
      return this.#log.readPaged(range, (after, limit) => this.#all.all(after, this.#shownSeq, limit));
    }
    return this.#log.readPaged(range, (after, limit) => this.#bySource.all(source, after, this.#shownSeq, limit));
  }

  /** Until all of a run is there, nobody is shown a part of it. */
  hideMore(): void {
    this.hideBehind(this.recent(1)[0]?.seq ?? 0);
  }

  hideBehind(seq: number): void {
    this.#shownSeq = seq;
  }

  showAll(): void {
    this.#shownSeq = EVERY_SEQ;
  }

  lastIdOf(source: string): string | undefined {
    const row = this.#log.ask((): unknown => this.#lastOfSource.get(source, this.#shownSeq)) as
      | { readonly id: string }
      | undefined;
    return row?.id;
  }

  /** Whether a change of this source that was learned from a feed is of this page. */
  hasTold(source: string, url: string): boolean {
    return this.#log.ask((): unknown => this.#told.get(source, url)) !== undefined;
  }

  /** The ids of the newest changes, by source. From one source to the next by the index. */
  lastIds(): Map<string, string> {
    const ids = new Map<string, string>();
    const next = (after: string) => this.#log.ask((): unknown => this.#nextSource.get(after));
    for (let row = next(''); row !== undefined; ) {
      const { source } = row as { readonly source: string };
      ids.set(source, this.lastIdOf(source) ?? '');
      row = next(source);
    }
    return ids;
  }

  /** Undefined while the log was never cut. */
  get start(): LogStart | undefined {
    return this.#start;
  }

  /** From now on the log begins after `seq`. Earlier changes are hidden, and dropped step by step. */
  cut(seq: number): LogStart {
    this.#start = moveLogStart(this.#database, seq);
    return this.#start;
  }

  /** Writes a change again without some of its texts. Within the caller's transaction. */
  redact(seq: number, fields: readonly string[]): void {
    const [change] = this.at([seq]);
    if (change === undefined) return;
    this.#rewrite.run(encodeBody(withoutSaltedTexts(change, fields)), seq);
    this.#countRedaction.run(REDACTIONS_FACT, String(this.#countedRedactions() + 1));
  }

  /** How many there were, ever. From memory. */
  get redactions(): number {
    return this.#redactions;
  }

  /** Called with each change that has lost texts, in its new form. */
  onRedactions(listener: (change: Change) => void): void {
    this.#redactionListeners.push(listener);
  }

  /** Behind the transaction that took its texts out. */
  tellRedacted(seq: number): void {
    this.#redactions = this.#log.ask(() => this.#countedRedactions());
    for (const change of this.at([seq])) for (const listener of this.#redactionListeners) listener(change);
  }

  /** Whether there may be more to drop. */
  dropSome(): boolean {
    return dropCutChanges(this.#database);
  }

  /** The `seq` of the newest older change; 0 if there is none. By bisection: times rise with `seq`. */
  seqBefore(timeMs: number): number {
    let [low, high] = [(this.#start?.seq ?? 0) + 1, this.recent(1)[0]?.seq ?? 0];
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const row = this.#log.ask((): unknown => this.#bySeq.get(middle));
      if (row !== undefined && Date.parse(decodeRow(row, this.#file).time) >= timeMs) high = middle - 1;
      else low = middle + 1;
    }
    return high;
  }

  /** By the size of the newest changes: to weigh all of them would take long. */
  seqBeyond(bytes: number): number {
    const row = this.#log.ask((): unknown => this.#weight.get()) as { seq: number | null; weight: number | null };
    if (row.seq === null || row.weight === null) return 0;
    return Math.max(0, row.seq - Math.floor(bytes / row.weight));
  }

  /** In the order of these; what is cut off, not shown yet or not there is left out. */
  at(seqs: readonly number[]): Change[] {
    const start = this.#start?.seq ?? 0;
    return seqs.flatMap((seq) => {
      const row = seq <= start || seq > this.#shownSeq ? undefined : this.#log.ask((): unknown => this.#bySeq.get(seq));
      return row === undefined ? [] : decodeRow(row, this.#file);
    });
  }

  byId(id: string): Change | undefined {
    const found = this.lastUpTo(id);
    return found?.id === id ? found : undefined;
  }

  #countedRedactions(): number {
    const row = this.#redactionCount.get(REDACTIONS_FACT) as { readonly value: string } | undefined;
    return Number(row?.value ?? 0);
  }

  /** By bisection: `seq` has no holes, and ids rise with it. */
  lastUpTo(id: string): Change | undefined {
    let [low, high] = [(this.#start?.seq ?? 0) + 1, this.recent(1)[0]?.seq ?? 0];
    let last: { readonly id: string } | undefined;
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const row = this.#log.ask((): unknown => this.#bySeq.get(middle)) as { readonly id: string } | undefined;
      if (row === undefined) break;
      if (row.id <= id) {
        last = row;
        low = middle + 1;
      } else high = middle - 1;
      if (row.id === id) break;
    }
    return last && decodeRow(last, this.#file);
  }

  recent(limit: number): Change[] {
    return this.#log.ask(() => this.#recent.all(this.#shownSeq, limit)).map((row) => decodeRow(row, this.#file));
  }

  recentOf(source: string, limit: number): Change[] {
    const rows = this.#log.ask(() =>
      this.#recentOfSource.all(source, this.#start?.seq ?? 0, this.#shownSeq, Math.max(0, limit)),
    );
    return rows.map((row) => decodeRow(row, this.#file));
  }
}
