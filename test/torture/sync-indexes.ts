import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '../../src/io/sqlite/database.ts';
import { pageFileUrl } from '../../src/sync/front-matter.ts';

/** What a reader finds in an index, by a way of its own. */
export interface IndexReader {
  /** The value of `--to`. */
  readonly to: string;
  readonly embeds: boolean;
  /** The Markdown of sections by `page#anchor`; of a folder, that of pages by their address. Rejects while the index cannot be read. */
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
  };
}

/** Its server may be killed at any time: it is connected to again then. */
export function postgresIndex(url: string): IndexReader {
  let client: Client | undefined;
  const drop = async () => {
    const dropped = client;
    client = undefined;
    await dropped?.end().catch(() => {});
  };
  const connected = async () => {
    if (client !== undefined) return client;
    const fresh = new Client({ connectionString: url });
    fresh.on('error', () => void drop());
    await fresh.connect();
    client = fresh;
    return fresh;
  };
  return {
    to: url,
    embeds: true,
    async read() {
      try {
        const session = await connected();
        const made = await session.query("SELECT to_regclass('sections') AS made");
        return byPlace(made.rows[0]?.made === null ? [] : (await session.query<SectionRow>(SECTIONS)).rows);
      } catch (error) {
        await drop();
        throw error;
      }
    },
  };
}

function byPlace(rows: readonly SectionRow[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ place, markdown }) => [place, markdown]));
}
