import { GLOBAL_ID } from '../../codecs/diffdelta/wire.ts';
import type { KeptArchives } from '../../dialects/shelf.ts';
import { othersFirst } from '../../log/others-first.ts';
import { archiveKey, archivePathOf, DIGIT_BYTES, millisecondsOf, SECOND_BYTES, secondKey } from './archive-key.ts';
import type { SqliteDatabase } from './database.ts';
import type { LogDatabase, SqliteLog } from './log.ts';
import { BASE_END, baseKeyOf } from './run-archives.ts';

/** How archives are read and kept whole. */
export interface WholeArchives {
  /** The archived bytes; undefined if there are none. */
  find(path: string): Promise<Uint8Array | undefined>;
  pack(text: string): Uint8Array | Promise<Uint8Array>;
}

/** After this many rows, other work gets its turn. */
const ROWS_AT_ONCE = 500;
/** Archives end once there is more than is kept by this share, measured in time: each end reads through all that stay. */
const MORE_BY = 0.1;
const SECOND_MS = 1000;

/**
 * The start of the archives of DiffDelta. Those older than the second of the start have ended; later archives with an ended one as their base, and those that
 * current feeds name, are stored whole first. Wherever this stops, everything that has not ended can be read.
 */
export class RunArchiveCut {
  readonly #log: SqliteLog;
  readonly #sql: ReturnType<typeof prepareCut>;
  readonly #whole: WholeArchives;
  #start: Uint8Array | undefined;

  constructor({ log, database }: Pick<LogDatabase, 'log' | 'database'>, whole: WholeArchives) {
    this.#log = log;
    this.#whole = whole;
    this.#sql = prepareCut(database);
    const row = log.ask(() => this.#sql.start.get()) as { readonly second: Uint8Array } | undefined;
    this.#start = row?.second;
  }

  /** Whether an archive of that path would be older than those that are kept. */
  hasEnded(path: string): boolean {
    const second = secondIn(path);
    return this.#start !== undefined && second !== undefined && Buffer.compare(second, this.#start) < 0;
  }

  /** The second in which archives may begin; undefined while there is hardly more than is kept. The newest one stays. */
  async pointOf(kept: KeptArchives): Promise<Uint8Array | undefined> {
    const newest = this.#keyOf('newest')?.subarray(0, SECOND_BYTES);
    const oldest = this.#keyOf('oldest')?.subarray(0, SECOND_BYTES);
    const wanted = kept.sinceMs === undefined ? await this.#beyond(kept.bytes) : secondKey(kept.sinceMs);
    if (newest === undefined || oldest === undefined || wanted === undefined) return undefined;
    const point = Buffer.compare(wanted, newest) < 0 ? wanted : newest;
    const [from, to, end] = [oldest, point, newest].map(millisecondsOf) as [number, number, number];
    return to > from && to - from >= (end - to) * MORE_BY ? point : undefined;
  }

  /** Lets archives begin there. What is `named` stays. Says how many have ended. */
  async end(point: Uint8Array, named: ReadonlySet<string>): Promise<number> {
    for (const path of named) if (isBefore(path, point)) await this.#keepWhole(path);
    for await (const path of this.#toldByEnded(point)) await this.#keepWhole(path);
    this.#log.appendWith([], () => this.#sql.putStart.run(point, stampOf(point)));
    this.#start = point;
    return (await this.#dropTold(point)) + (await this.#dropWhole(point, named));
  }

  /** Behind the newest ones that fit. */
  async #beyond(bytes: number): Promise<Uint8Array | undefined> {
    let left = bytes;
    for await (const { key, bytes: length } of this.#pages('weighed', Buffer.alloc(DIGIT_BYTES, 0xff))) {
      left -= key.length + length;
      if (left < 0) return secondKey(millisecondsOf(key) + SECOND_MS);
    }
    return undefined;
  }

  /** Archives that stay and whose base does not. */
  async *#toldByEnded(point: Uint8Array): AsyncGenerator<string, void, undefined> {
    for await (const { key, head } of this.#pages('heads', point)) {
      const base = baseKeyOf(head);
      if (base !== undefined && Buffer.compare(base.subarray(0, SECOND_BYTES), point) < 0) yield archivePathOf(key);
    }
  }

  /** By an archive that is damaged none is saved, and none is held up. */
  async #keepWhole(path: string): Promise<void> {
    if (this.#log.ask(() => this.#sql.hasWhole.get(path)) !== undefined) return;
    const bytes = await this.#whole.find(path).catch(() => undefined);
    if (bytes === undefined) return;
    const body = await this.#whole.pack(Buffer.from(bytes).toString());
    this.#log.appendWith([], () => this.#sql.addWhole.run(path, body));
  }

  async #dropTold(point: Uint8Array): Promise<number> {
    for (let dropped = 0; ; ) {
      let some = 0;
      this.#log.appendWith([], () => {
        some = Number(this.#sql.dropTold.run(point, ROWS_AT_ONCE).changes);
      });
      dropped += some;
      if (some < ROWS_AT_ONCE) return dropped;
      await othersFirst();
    }
  }

  async #dropWhole(point: Uint8Array, named: ReadonlySet<string>): Promise<number> {
    let dropped = 0;
    for (let after = ''; ; ) {
      const rows = this.#log.ask(() => this.#sql.wholePaths.all(after, ROWS_AT_ONCE)) as { readonly path: string }[];
      const ended = rows.filter(({ path }) => isBefore(path, point) && !named.has(path));
      if (ended.length > 0) {
        this.#log.appendWith([], () => {
          for (const { path } of ended) this.#sql.dropWhole.run(path);
        });
      }
      dropped += ended.length;
      after = rows.at(-1)?.path ?? '';
      if (rows.length < ROWS_AT_ONCE) return dropped;
      await othersFirst();
    }
  }

  #keyOf(which: 'newest' | 'oldest'): Uint8Array | undefined {
    const row = this.#log.ask(() => this.#sql[which].get()) as { readonly key: Uint8Array } | undefined;
    return row?.key;
  }

  /** Rows from a key on, in the order of the statement. */
  async *#pages(which: 'weighed' | 'heads', from: Uint8Array): AsyncGenerator<ArchiveRow, void, undefined> {
    for (let at = from; ; ) {
      const rows = this.#log.ask(() => this.#sql[which].all(at, ROWS_AT_ONCE)) as ArchiveRow[];
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS_AT_ONCE) return;
      at = last.key;
      await othersFirst();
    }
  }
}

interface ArchiveRow {
  readonly key: Uint8Array;
  readonly bytes: number;
  /** The beginning of its body. */
  readonly head: Uint8Array;
}

/** Undefined for a path of another shape. */
function secondIn(path: string): Uint8Array | undefined {
  const key = archiveKey(path);
  return key.length > DIGIT_BYTES && archivePathOf(key) === path ? key.subarray(0, SECOND_BYTES) : undefined;
}

function isBefore(path: string, point: Uint8Array): boolean {
  const second = secondIn(path);
  return second !== undefined && Buffer.compare(second, point) < 0;
}

/** As paths have it: `20260205T120000Z`. */
function stampOf(point: Uint8Array): string {
  const digits = Buffer.from(point).toString('hex');
  return `${digits.slice(0, 8)}T${digits.slice(8)}Z`;
}

function prepareCut(database: SqliteDatabase) {
  const global = `x'${Buffer.from(GLOBAL_ID).toString('hex')}'`;
  return {
    start: database.prepare('SELECT second FROM hub_run_start'),
    putStart: database.prepare('INSERT OR REPLACE INTO hub_run_start (one, second, stamp) VALUES (1, ?, ?)'),
    oldest: database.prepare('SELECT key FROM hub_run_closed ORDER BY key LIMIT 1'),
    newest: database.prepare(
      `SELECT key FROM hub_run_closed WHERE substr(key, ${DIGIT_BYTES + 1}) = ${global} ORDER BY key DESC LIMIT 1`,
    ),
    weighed: database.prepare(
      'SELECT key, length(body) AS bytes FROM hub_run_closed WHERE key < ? ORDER BY key DESC LIMIT ?',
    ),
    heads: database.prepare(
      `SELECT key, substr(body, 1, ${BASE_END}) AS head FROM hub_run_closed WHERE key > ? ORDER BY key LIMIT ?`,
    ),
    hasWhole: database.prepare('SELECT 1 FROM hub_run_archives WHERE path = ?'),
    addWhole: database.prepare('INSERT OR IGNORE INTO hub_run_archives (path, body) VALUES (?, ?)'),
    wholePaths: database.prepare('SELECT path FROM hub_run_archives WHERE path > ? ORDER BY path LIMIT ?'),
    dropTold: database.prepare(
      'DELETE FROM hub_run_closed WHERE key IN (SELECT key FROM hub_run_closed WHERE key < ? ORDER BY key LIMIT ?)',
    ),
    dropWhole: database.prepare('DELETE FROM hub_run_archives WHERE path = ?'),
  };
}
