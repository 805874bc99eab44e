import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';
import { HASH_NAME, type SnapshotKeys, snapshotKeys } from './snapshot-keys.ts';
import { TextDelta } from './text-delta.ts';
import { HASH_BYTES } from './text-hashes.ts';

/** How a text is stored: plain, deflated, or as a delta to another one, whose hash comes first. */
export const SNAPSHOT_FORM = { plain: 0, deflated: 1, told: 2 } as const;

/** A text as it is stored. */
interface Packed {
  readonly form: number;
  readonly content: Uint8Array;
}

/** A text that can be the base of deltas. It is stored whole. */
export interface BaseText {
  readonly name: string;
  readonly text: string;
}

type Texts = ReadonlyMap<string, string>;
type PackedTexts = ReadonlyMap<string, Packed>;

interface SnapshotUse {
  readonly named: readonly string[];
  readonly usedMs: number;
}

/** Where a walk over those that were not used for long has come to. */
export interface SweepPlace {
  readonly usedMs: number;
  readonly row: number;
}

interface DropStep {
  readonly place: SweepPlace | undefined;
  readonly isTold: boolean;
}

/** After this many rows, other work gets its turn. */
const ROWS_AT_ONCE = 500;
/** Smaller ones hardly shrink. */
const MIN_DEFLATED_BYTES = 512;
/** Larger texts are not stored as deltas: finding common parts takes too long. */
const MOST_TOLD_CHARACTERS = 256 * 1024;
/** Deflated, a text takes about a third of its size: a delta must take much less. */
const TOLD_SHARE = 7;
export const SNAPSHOT_LINES = new TextDelta({ behind: '\n' });

/**
 * The texts of pages by their own fingerprints. Throws what SQLite throws; what writes belongs into a transaction of the caller.
 *
 * A delta is used no later than its base, and no delta has another delta as its base.
 */
export class HubSnapshots {
  readonly #file: string;
  readonly #keys: SnapshotKeys;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: SqliteDatabase, file: string) {
    this.#file = file;
    this.#keys = snapshotKeys(database);
    this.#sql = prepare(database, this.#keys);
  }

  /** Those of these texts that are not stored yet. */
  newAmong(texts: Texts): Texts {
    return new Map([...texts].filter(([checksum]) => this.#sql.has.get(this.#keys.of(checksum)) === undefined));
  }

  /** A base for a text that follows this one; undefined if there is none. */
  baseFor(former: string): (() => Promise<BaseText>) | undefined {
    const row = this.#row(former);
    const name = row === undefined ? undefined : (baseOf(row) ?? former);
    const base = name === undefined || !HASH_NAME.test(name) ? undefined : this.#row(name);
    if (name === undefined || base === undefined || base.is_deflated === SNAPSHOT_FORM.told) return undefined;
    return async () => ({ name, text: await this.#unpack(base) });
  }

  /** Stores the texts, and keeps these and the `named` ones from being dropped for as long as if they were new. */
  write(texts: Texts, packed: PackedTexts, { named, usedMs }: SnapshotUse): void {
    for (const checksum of new Set([...texts.keys(), ...named])) {
      if (this.#use(checksum, usedMs)) continue;
      const text = texts.get(checksum);
      if (text === undefined) continue;
      // One that was dropped since the texts were packed is stored as it is, and so is one whose base was.
      const { form, content } = this.#withBase(packed.get(checksum), usedMs) ?? plain(text);
      this.#sql.put.run(this.#keys.of(checksum), usedMs, form, content);
    }
  }

  #withBase(packed: Packed | undefined, usedMs: number): Packed | undefined {
    const base = packed?.form === SNAPSHOT_FORM.told ? nameIn(packed.content) : undefined;
    return base === undefined || this.#use(base, usedMs) ? packed : undefined;
  }

  /** Whether it is there. */
  #use(checksum: string, usedMs: number): boolean {
    const row = this.#sql.use.get(usedMs, this.#keys.of(checksum)) as SnapshotRow | undefined;
    const base = row && baseOf(row);
    if (base !== undefined) this.#sql.use.get(usedMs, this.#keys.of(base));
    return row !== undefined;
  }

  /** Undefined if there is none with this name. */
  find(checksum: string): (() => Promise<string>) | undefined {
    const row = this.#row(checksum);
    if (row === undefined) return undefined;
    const base = baseOf(row);
    return () => this.#unpack(row, base === undefined ? undefined : this.#row(base));
  }

  /** One step over texts last used before this time: current texts of pages get a base that is kept. Undefined at the end. Must run before {@link drop}. */
  spareBases(beforeMs: number, place: SweepPlace | undefined): SweepPlace | undefined {
    const rows = this.#unused(beforeMs, place);
    for (const { base, is_held: isHeld } of rows) {
      if (base !== null && isHeld === 1) this.#sql.use.get(beforeMs, this.#keys.of(nameIn(base)));
    }
    return placeBehind(rows);
  }

  /** One step over the same texts: drops those that no page has; deltas first, so that a crash leaves none without its base. */
  drop(
    beforeMs: number,
    { place, isTold }: DropStep,
  ): { readonly dropped: number; readonly next: SweepPlace | undefined } {
    const rows = this.#unused(beforeMs, place);
    const loose = rows.filter(({ base, is_held: isHeld }) => isHeld === 0 && (base !== null) === isTold);
    for (const { row } of loose) this.#sql.drop.run(row);
    return { dropped: loose.length, next: placeBehind(rows) };
  }

  /** The time before which texts must be dropped to fit into so many bytes; 0 if all fit. In steps, so that other work gets its turn. */
  *beyond(bytes: number): Generator<void, number> {
    let [usedMs, checksum] = [Number.MAX_SAFE_INTEGER, this.#keys.of('')];
    let left = bytes;
    for (;;) {
      const rows = this.#sql.weighed.all(usedMs, usedMs, checksum, ROWS_AT_ONCE) as WeighedRow[];
      for (const row of rows) {
        left -= row.bytes;
        if (left < 0) return row.last_used_ms + 1;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS_AT_ONCE) return 0;
      [usedMs, checksum] = [last.last_used_ms, last.checksum];
      yield;
    }
  }

  #unused(beforeMs: number, { usedMs, row }: SweepPlace = { usedMs: Number.MIN_SAFE_INTEGER, row: 0 }): UnusedRow[] {
    return this.#sql.unused.all(beforeMs, usedMs, row, ROWS_AT_ONCE) as UnusedRow[];
  }

  #row(checksum: string): SnapshotRow | undefined {
    return this.#sql.text.get(this.#keys.of(checksum)) as SnapshotRow | undefined;
  }

  async #unpack(row: SnapshotRow, base?: SnapshotRow): Promise<string> {
    const content = Buffer.from(row.content);
    if (row.is_deflated === SNAPSHOT_FORM.plain) return content.toString('utf8');
    try {
      if (row.is_deflated === SNAPSHOT_FORM.deflated) return (await promisify(inflateRaw)(content)).toString('utf8');
      if (base === undefined) throw new Error('The text that it is told by is not there.');
      return SNAPSHOT_LINES.decode(await this.#unpack(base), content.subarray(HASH_BYTES));
    } catch (error) {
      throw new StateCorruptError(this.#file, 'a snapshot is damaged.', 'Restore it from a backup.', { cause: error });
    }
  }
}

interface WeighedRow {
  readonly last_used_ms: number;
  readonly checksum: string | Uint8Array;
  readonly bytes: number;
}

interface SnapshotRow {
  readonly is_deflated: number;
  readonly content: Uint8Array;
}

interface UnusedRow {
  readonly row: number;
  readonly last_used_ms: number;
  readonly base: Uint8Array | null;
  readonly is_held: number;
}

function placeBehind(rows: readonly UnusedRow[]): SweepPlace | undefined {
  const last = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1);
  return last && { usedMs: last.last_used_ms, row: last.row };
}

/** The name of the base of this text. */
function baseOf({ is_deflated: form, content }: SnapshotRow): string | undefined {
  return form === SNAPSHOT_FORM.told ? nameIn(content) : undefined;
}

function nameIn(content: Uint8Array): string {
  return `sha256:${Buffer.from(content.subarray(0, HASH_BYTES)).toString('hex')}`;
}

/** Compresses texts on other threads: a site may have many. `baseFor` gives a possible base. */
export async function packTexts(
  texts: Texts,
  baseFor: (checksum: string) => (() => Promise<BaseText>) | undefined,
): Promise<PackedTexts> {
  const packed = new Map<string, Packed>();
  for (const [checksum, text] of texts) {
    const base = baseFor(checksum);
    packed.set(checksum, (base && told(text, await base())) ?? (await pack(text)));
  }
  return packed;
}

/** Undefined if they have too little in common. */
function told(text: string, base: BaseText): Packed | undefined {
  const [, hex] = HASH_NAME.exec(base.name) ?? [];
  if (hex === undefined || Math.max(text.length, base.text.length) > MOST_TOLD_CHARACTERS) return undefined;
  const content = Buffer.concat([Buffer.from(hex, 'hex'), SNAPSHOT_LINES.encode(base.text, text)]);
  return content.length * TOLD_SHARE < text.length ? { form: SNAPSHOT_FORM.told, content } : undefined;
}

async function pack(text: string): Promise<Packed> {
  const packed = plain(text);
  if (packed.content.length < MIN_DEFLATED_BYTES) return packed;
  const content = await promisify(deflateRaw)(packed.content);
  return content.length < packed.content.length ? { form: SNAPSHOT_FORM.deflated, content } : packed;
}

function plain(text: string): Packed {
  return { form: SNAPSHOT_FORM.plain, content: Buffer.from(text, 'utf8') };
}

function prepare(database: SqliteDatabase, { asName }: SnapshotKeys) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  return {
    has: sql('SELECT 1 FROM hub_snapshots WHERE checksum = ?'),
    text: sql('SELECT is_deflated, content FROM hub_snapshots WHERE checksum = ?'),
    put: sql('INSERT INTO hub_snapshots (checksum, last_used_ms, is_deflated, content) VALUES (?, ?, ?, ?)'),
    // The clock may have stepped back since the last use.
    use: sql(
      `UPDATE hub_snapshots SET last_used_ms = max(last_used_ms, ?) WHERE checksum = ?
       RETURNING is_deflated, substr(content, 1, ${HASH_BYTES}) AS content`,
    ),
    weighed: sql(
      `SELECT last_used_ms, checksum, length(content) AS bytes FROM hub_snapshots
       WHERE last_used_ms < ? OR (last_used_ms = ? AND checksum > ?)
       ORDER BY last_used_ms DESC, checksum LIMIT ?`,
    ),
    unused: sql(
      `SELECT rowid AS row, last_used_ms, CASE is_deflated WHEN ${SNAPSHOT_FORM.told} THEN substr(content, 1, ${HASH_BYTES}) END AS base,
       EXISTS (SELECT 1 FROM hub_pages WHERE hub_pages.snapshot = ${asName}) AS is_held
       FROM hub_snapshots WHERE last_used_ms < ? AND (last_used_ms, rowid) > (?, ?) ORDER BY last_used_ms, rowid LIMIT ?`,
    ),
    drop: sql('DELETE FROM hub_snapshots WHERE rowid = ?'),
  };
}
