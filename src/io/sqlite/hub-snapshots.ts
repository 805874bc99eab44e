import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';

/** A text as it is stored. */
interface Packed {
  readonly content: Uint8Array;
  readonly isDeflated: boolean;
}

type Texts = ReadonlyMap<string, string>;
type PackedTexts = ReadonlyMap<string, Packed>;

interface SnapshotUse {
  readonly named: readonly string[];
  readonly usedMs: number;
}

/** So many are weighed before others have their turn. */
const WEIGHED_ROWS = 500;
/** Smaller ones hardly shrink. */
const MIN_DEFLATED_BYTES = 512;

/** The texts of pages by their own fingerprints. Throws what SQLite throws; what writes belongs into a transaction of the caller. */
export class HubSnapshots {
  readonly #file: string;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: SqliteDatabase, file: string) {
    this.#file = file;
    this.#sql = prepare(database);
  }

  /** Of these texts, those that are not there yet. */
  newAmong(texts: Texts): Texts {
    return new Map([...texts].filter(([checksum]) => this.#sql.has.get(checksum) === undefined));
  }

  /** Stores the texts, and keeps these and the `named` ones from being dropped for as long as if they were new. */
  write(texts: Texts, packed: PackedTexts, { named, usedMs }: SnapshotUse): void {
    for (const checksum of new Set([...texts.keys(), ...named])) {
      const { changes } = this.#sql.use.run(usedMs, checksum);
      const text = texts.get(checksum);
      if (Number(changes) > 0 || text === undefined) continue;
      // One that was dropped since the texts were packed is stored as it is.
      const { isDeflated, content } = packed.get(checksum) ?? plain(text);
      this.#sql.put.run(checksum, usedMs, Number(isDeflated), content);
    }
  }

  /** Undefined when there is none of this name. */
  find(checksum: string): (() => Promise<string>) | undefined {
    const row = this.#sql.text.get(checksum) as SnapshotRow | undefined;
    return row && (() => this.#unpack(row));
  }

  /** Those that were last used before this moment and that no page has. Says how many they were. */
  drop(beforeMs: number): number {
    return Number(this.#sql.drop.run(beforeMs).changes);
  }

  /** The moment before which all were last used that do not fit into so many bytes; 0 when all fit. Some at a time, so that others have their turn. */
  *beyond(bytes: number): Generator<void, number> {
    let [usedMs, checksum] = [Number.MAX_SAFE_INTEGER, ''];
    let left = bytes;
    for (;;) {
      const rows = this.#sql.weighed.all(usedMs, usedMs, checksum, WEIGHED_ROWS) as WeighedRow[];
      for (const row of rows) {
        left -= row.bytes;
        if (left < 0) return row.last_used_ms + 1;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < WEIGHED_ROWS) return 0;
      [usedMs, checksum] = [last.last_used_ms, last.checksum];
      yield;
    }
  }

  async #unpack({ is_deflated: isDeflated, content }: SnapshotRow): Promise<string> {
    if (isDeflated === 0) return Buffer.from(content).toString('utf8');
    try {
      return (await promisify(inflateRaw)(content)).toString('utf8');
    } catch (error) {
      throw new StateCorruptError(this.#file, 'a snapshot is damaged.', 'Restore it from a backup.', { cause: error });
    }
  }
}

interface WeighedRow {
  readonly last_used_ms: number;
  readonly checksum: string;
  readonly bytes: number;
}

interface SnapshotRow {
  readonly is_deflated: number;
  readonly content: Uint8Array;
}

/** Compresses texts, on other threads: a site may have many. */
export async function packTexts(texts: Texts): Promise<PackedTexts> {
  const packed = new Map<string, Packed>();
  for (const [checksum, text] of texts) packed.set(checksum, await pack(text));
  return packed;
}

async function pack(text: string): Promise<Packed> {
  const packed = plain(text);
  if (packed.content.length < MIN_DEFLATED_BYTES) return packed;
  const content = await promisify(deflateRaw)(packed.content);
  return content.length < packed.content.length ? { content, isDeflated: true } : packed;
}

function plain(text: string): Packed {
  return { content: Buffer.from(text, 'utf8'), isDeflated: false };
}

function prepare(database: SqliteDatabase) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  return {
    has: sql('SELECT 1 FROM hub_snapshots WHERE checksum = ?'),
    text: sql('SELECT is_deflated, content FROM hub_snapshots WHERE checksum = ?'),
    put: sql('INSERT INTO hub_snapshots (checksum, last_used_ms, is_deflated, content) VALUES (?, ?, ?, ?)'),
    // The clock may have stepped back since the last use.
    use: sql('UPDATE hub_snapshots SET last_used_ms = max(last_used_ms, ?) WHERE checksum = ?'),
    weighed: sql(
      `SELECT last_used_ms, checksum, length(content) AS bytes FROM hub_snapshots
       WHERE last_used_ms < ? OR (last_used_ms = ? AND checksum > ?)
       ORDER BY last_used_ms DESC, checksum LIMIT ?`,
    ),
    drop: sql(
      `DELETE FROM hub_snapshots WHERE last_used_ms < ?
       AND NOT EXISTS (SELECT 1 FROM hub_pages WHERE hub_pages.snapshot = hub_snapshots.checksum)`,
    ),
  };
}
