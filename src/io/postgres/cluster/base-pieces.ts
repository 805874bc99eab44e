import { createHash, randomBytes } from 'node:crypto';
import { LogUnavailableError } from '../../../errors/log-error.ts';
import type { Base } from '../../../hub/cluster/bases.ts';
import type { ClusterDatabase } from './cluster-database.ts';

/** All of a base is there, and it does not count yet. */
export interface StoredPieces extends Base {
  /** Stands in place of its hash until it counts: whose half it is. */
  readonly mark: string;
}

const PIECE_BYTES = 2 ** 20;
const DROPPED_AT_ONCE = 32;
/** A maker that adds nothing to a half for this long is gone. */
const LEFT_BEHIND = "at < clock_timestamp() - interval '2 minutes'";

/** Removes abandoned halves first, and one of the same maker. A failure leaves nothing that is referenced. */
export async function storePieces(
  database: ClusterDatabase,
  rev: number,
  pieces: AsyncIterable<Uint8Array>,
  maker = randomBytes(9).toString('base64url'),
): Promise<StoredPieces> {
  const mark = `half ${maker}`;
  await dropBases(database, 'rev = $1 AND sha256 = $2', [rev, mark]);
  await beginHalf(database, rev, mark);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    let number = 0;
    for await (const piece of ofEqualSize(pieces)) {
      hash.update(piece);
      await addPiece(database, { rev, mark, number, piece });
      bytes += piece.byteLength;
      number += 1;
    }
    return { rev, mark, bytes, sha256: hash.digest('hex') };
  } catch (error) {
    await dropBases(database, 'rev = $1 AND sha256 = $2', [rev, mark]).catch(() => {});
    throw error;
  }
}

/** Some pieces at a time: no statement takes long. */
export async function dropBases(
  database: ClusterDatabase,
  which: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const { schema } = database;
  const some = `SELECT rev, number FROM ${schema}.base_pieces JOIN ${schema}.bases USING (rev) WHERE ${which} LIMIT ${DROPPED_AT_ONCE}`;
  await untilNone(database, `DELETE FROM ${schema}.base_pieces WHERE (rev, number) IN (${some}) RETURNING rev`, values);
  await database.ask(`DELETE FROM ${schema}.bases WHERE ${which}`, values);
}

/** The oldest first, so that what is left has no holes. */
export async function dropWrites(database: ClusterDatabase, upToRev: number): Promise<void> {
  const { schema } = database;
  const some = `SELECT rev FROM ${schema}.writes WHERE rev <= $1 ORDER BY rev LIMIT ${DROPPED_AT_ONCE * 10}`;
  await untilNone(database, `DELETE FROM ${schema}.writes WHERE rev IN (${some}) RETURNING rev`, [upToRev]);
}

async function untilNone(database: ClusterDatabase, statement: string, values: readonly unknown[]): Promise<void> {
  for (let dropped = 1; dropped > 0; ) dropped = (await database.ask(statement, values)).length;
}

async function beginHalf(database: ClusterDatabase, rev: number, mark: string): Promise<void> {
  const { schema, shown } = database;
  await dropBases(database, `NOT is_whole AND ${LEFT_BEHIND}`);
  const begun = await database.ask(
    `INSERT INTO ${schema}.bases (rev, bytes, sha256, is_whole, at) VALUES ($1, 0, $2, false, clock_timestamp())
     ON CONFLICT (rev) DO UPDATE SET at = clock_timestamp() WHERE bases.sha256 = excluded.sha256 RETURNING rev`,
    [rev, mark],
  );
  if (begun.length > 0) return;
  throw new LogUnavailableError(shown, new Error(`another process makes a base at ${rev}`), 'One of them is enough.');
}

interface NumberedPiece {
  readonly rev: number;
  readonly mark: string;
  readonly number: number;
  readonly piece: Uint8Array;
}

async function addPiece(database: ClusterDatabase, { rev, mark, number, piece }: NumberedPiece): Promise<void> {
  const { schema, shown } = database;
  const added = await database.ask(
    `WITH half AS (
       UPDATE ${schema}.bases SET at = clock_timestamp() WHERE rev = $1 AND sha256 = $2 RETURNING rev
     )
     INSERT INTO ${schema}.base_pieces (rev, number, body) SELECT rev, $3::integer, $4::bytea FROM half
     ON CONFLICT (rev, number) DO UPDATE SET body = excluded.body RETURNING number`,
    [rev, mark, number, Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)],
  );
  if (added.length > 0) return;
  throw new LogUnavailableError(shown, new Error(`the half of a base at ${rev} was taken for one left behind`), '');
}

async function* ofEqualSize(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.byteLength; ) {
      const part = piece.subarray(at, at + PIECE_BYTES - bytes);
      held.push(part);
      bytes += part.byteLength;
      at += part.byteLength;
      if (bytes < PIECE_BYTES) continue;
      yield Buffer.concat(held);
      held = [];
      bytes = 0;
    }
  }
  if (bytes > 0) yield Buffer.concat(held);
}
