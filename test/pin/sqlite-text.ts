import { DatabaseSync } from '@photostructure/sqlite';

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/** A database as SQL that makes it again: tables with their rows, then full texts, indexes and triggers. */
export function sqlOfDatabase(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database
      .prepare(
        `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid`,
      )
      .all() as unknown as SchemaRow[];
    const virtual = rows.filter(({ sql }) => /^CREATE VIRTUAL TABLE/i.test(sql));
    // The tables behind a full text are made with it.
    const isShadow = (name: string) => virtual.some((table) => name.startsWith(`${table.name}_`));
    const tables = rows.filter(({ type, name, sql }) => type === 'table' && !isShadow(name) && !/VIRTUAL/i.test(sql));
    const rest = rows.filter(({ type }) => type !== 'table');
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    return [
      ...tables.flatMap(({ name, sql }) => [`${sql};`, ...rowsOf(database, name)]),
      ...virtual.flatMap(({ name, sql }) => [`${sql};`, `INSERT INTO "${name}" ("${name}") VALUES ('rebuild');`]),
      ...rest.map(({ sql }) => `${sql};`),
      `PRAGMA user_version = ${version};`,
    ].join('\n');
  } finally {
    database.close();
  }
}

export function makeDatabase(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec(`BEGIN;\n${sql}\nCOMMIT;`);
    database.exec('PRAGMA journal_mode = WAL');
  } finally {
    database.close();
  }
}

function rowsOf(database: InstanceType<typeof DatabaseSync>, table: string): string[] {
  const rows = database.prepare(`SELECT * FROM "${table}"`).all() as Record<string, unknown>[];
  return rows.map((row) => `INSERT INTO "${table}" VALUES (${Object.values(row).map(literalOf).join(', ')});`);
}

/** A text with a NUL is written as bytes: SQL ends at it. */
function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  const text = String(value);
  return text.includes('\0')
    ? `CAST(x'${Buffer.from(text).toString('hex')}' AS TEXT)`
    : `'${text.replaceAll("'", "''")}'`;
}
