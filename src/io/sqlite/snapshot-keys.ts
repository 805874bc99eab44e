import type { SqliteDatabase } from './database.ts';

export const HASH_NAME = /^sha256:([0-9a-f]{64})$/;

/** How the name of a text is stored in the table of texts. */
export interface SnapshotKeys {
  of(name: string): string | Uint8Array;
  /** SQL: the name again, from the column. */
  readonly asName: string;
}

/** The name itself, in databases that were made before it was kept as the bytes of its hash, which take less than half the room. */
const AS_TEXT: SnapshotKeys = { of: (name) => name, asName: 'hub_snapshots.checksum' };

const AS_BYTES: SnapshotKeys = {
  of(name) {
    const [, hex] = HASH_NAME.exec(name) ?? [];
    return hex === undefined ? Buffer.from(name) : Buffer.from(hex, 'hex');
  },
  asName: `'sha256:' || lower(hex(hub_snapshots.checksum))`,
};

/** As the table of this database wants them. */
export function snapshotKeys(database: SqliteDatabase): SnapshotKeys {
  const column = database
    .prepare(`SELECT type FROM pragma_table_info('hub_snapshots') WHERE name = 'checksum'`)
    .get() as { readonly type: string } | undefined;
  return column?.type === 'TEXT' ? AS_TEXT : AS_BYTES;
}
