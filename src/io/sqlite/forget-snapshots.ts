import { inflateRawSync } from 'node:zlib';
import { SNAPSHOT_FORM, SNAPSHOT_LINES } from './hub-snapshots.ts';
import type { LogDatabase } from './log.ts';
import { HASH_NAME, snapshotKeys } from './snapshot-keys.ts';
import { HASH_BYTES } from './text-hashes.ts';

interface StoredText {
  readonly row: number;
  readonly is_deflated: number;
  readonly content: Uint8Array;
}

/** Drops these texts of pages, except current ones. Texts stored as a delta to one of them are stored whole first. Within the caller's transaction. */
export function forgetSnapshots({ database }: Pick<LogDatabase, 'database'>, names: readonly string[]): void {
  const keys = snapshotKeys(database);
  const isHeld = database.prepare('SELECT 1 FROM hub_pages WHERE snapshot = ? LIMIT 1');
  const find = database.prepare('SELECT rowid AS row, is_deflated, content FROM hub_snapshots WHERE checksum = ?');
  const toldBy = database.prepare(
    `SELECT rowid AS row, is_deflated, content FROM hub_snapshots
     WHERE is_deflated = ${SNAPSHOT_FORM.told} AND substr(content, 1, ${HASH_BYTES}) = ?`,
  );
  const makeWhole = database.prepare(
    `UPDATE hub_snapshots SET is_deflated = ${SNAPSHOT_FORM.plain}, content = ? WHERE rowid = ?`,
  );
  const drop = database.prepare('DELETE FROM hub_snapshots WHERE rowid = ?');
  const dropFromLog = database.prepare('DELETE FROM snapshots WHERE checksum = ?');
  for (const name of names) {
    if (isHeld.get(name) !== undefined) continue;
    dropFromLog.run(name);
    const found = find.get(keys.of(name)) as StoredText | undefined;
    if (found === undefined) continue;
    const [, hex] = HASH_NAME.exec(name) ?? [];
    const told =
      hex === undefined || found.is_deflated === SNAPSHOT_FORM.told ? [] : toldBy.all(Buffer.from(hex, 'hex'));
    for (const { row, content } of told as unknown as StoredText[]) {
      const text = SNAPSHOT_LINES.decode(wholeText(found), Buffer.from(content).subarray(HASH_BYTES));
      makeWhole.run(Buffer.from(text, 'utf8'), row);
    }
    drop.run(found.row);
  }
}

function wholeText({ is_deflated: form, content }: StoredText): string {
  const bytes = Buffer.from(content);
  return (form === SNAPSHOT_FORM.deflated ? inflateRawSync(bytes) : bytes).toString('utf8');
}
