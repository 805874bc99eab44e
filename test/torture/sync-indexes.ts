import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '../../src/io/sqlite/database.ts';
import { pageFileUrl } from '../../src/sync/front-matter.ts';

/** What a reader finds in an index, by a way of its own. */
export interface IndexReader extends AsyncDisposable {
  /** The value of `--to`. */
  readonly to: string;
  readonly embeds: boolean;
  /** The Markdown of sections by `page#anchor`; of a folder, that of pages by their address. */
  read(): Promise<ReadonlyMap<string, string>>;
}

export function folderIndex(root: string): IndexReader {
  return {
    to: `dir:${root}`,
    embeds: false,
    async read() {
      const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
      const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.md'));
      const pages = await Promise.all(
        files.map(async ({ parentPath, name }) => {
          // A page that is removed while it is read is not there.
          const text = await readFile(join(parentPath, name), 'utf8').catch(() => '');
          return [pageFileUrl(text) ?? '', text.replace(/^---\n[\s\S]*?\n---\n\n/, '').replace(/\n$/, '')] as const;
        }),
      );
      return new Map(pages.filter(([url]) => url !== ''));
    },
    async [Symbol.asyncDispose]() {},
  };
}

const SECTIONS = "SELECT url || '#' || anchor AS place, markdown FROM sections";

interface SectionRow {
  readonly place: string;
  readonly markdown: string;
}

export function sqliteIndex(file: string): IndexReader {
  return {
    to: `sqlite:${file}`,
    embeds: true,
    async read() {
      if (!existsSync(file)) return new Map();
      const database = await openDatabase(file, { readonly: true });
      try {
        const isMade = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sections'").get() !== undefined;
        return byPlace(isMade ? (database.prepare(SECTIONS).all() as SectionRow[]) : []);
      } finally {
        database.close();
      }
    },
    async [Symbol.asyncDispose]() {},
  };
}

export async function postgresIndex(url: string): Promise<IndexReader> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return {
    to: url,
    embeds: true,
    async read() {
      const made = await client.query("SELECT to_regclass('sections') AS made");
      return byPlace(made.rows[0]?.made === null ? [] : (await client.query<SectionRow>(SECTIONS)).rows);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

function byPlace(rows: readonly SectionRow[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ place, markdown }) => [place, markdown]));
}
