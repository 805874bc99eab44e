import type { AtomArchiveHead, AtomFeedRecord, AtomStore, AtomWrite } from '../../dialects/atom/shelf/atom-store.ts';
import type { KeptArchives } from '../../dialects/shelf.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { AtomCut } from './atom-cut.ts';
import { ATOM_SCHEMA } from './atom-schema.ts';
import type { SqliteDatabase } from './database.ts';
import { decodeStored } from './follow-tables.ts';
import { hasTable } from './has-table.ts';
import type { LogDatabase, SqliteLog } from './log.ts';
import { PackedText } from './packed-text.ts';

/** What entries have in common, the most frequent last. It stays as it is: what is stored can be read by it alone. */
const ENTRIES = new PackedText(
  [
    '&lt;h3&gt;New page&lt;/h3&gt;&lt;h3&gt;Page&lt;/h3&gt; page to begin with:  pages to begin with: &lt;h3&gt;Pages&lt;/h3&gt;',
    '&lt;h3&gt;Removed pages&lt;/h3&gt; pages removed: &lt;h3&gt;New pages&lt;/h3&gt; new pages: &lt;h3&gt;Changed pages&lt;/h3&gt;',
    '  <entry>\n    <id>urn:uuid:00000000-0000-8000-8000-000000000000</id>\n    <title>: 1 page changed: </title>\n',
    '    <updated>2026-01-01T00:00:00.000Z</updated>\n    <published>2026-01-01T00:00:00.000Z</published>\n',
    '    <link rel="alternate" href="https://www.example.com/docs/index.html"/>\n    <content type="html">',
    '&lt;h3&gt;Changed page&lt;/h3&gt;&lt;ul&gt;&lt;li&gt;&lt;a href=&quot;https://&quot;&gt;&lt;/a&gt;&lt;ul&gt;&lt;li&gt;',
    '&lt;a href=&quot;https://&quot;&gt;&lt;/a&gt;&lt;br&gt;&lt;del&gt;.&lt;/del&gt; → &lt;ins&gt;.&lt;/ins&gt;',
    '&lt;/li&gt;&lt;/ul&gt;&lt;/li&gt;&lt;/ul&gt;</content>\n  </entry>\n',
  ].join(''),
);

/** The Atom entries of a hub in its database; makes the tables if needed, so that data folders of earlier hubs still work. */
export function openSqliteAtomStore(opened: LogDatabase): AtomStore {
  opened.log.appendWith([], () => opened.database.exec(ATOM_SCHEMA));
  return new SqliteAtomStore(opened);
}

/** The same for readers, even beside the writing hub; undefined if no hub ever made one. */
export function readSqliteAtomStore(opened: LogDatabase): AtomStore | undefined {
  return hasTable(opened, 'hub_atom') ? new SqliteAtomStore(opened) : undefined;
}

class SqliteAtomStore implements AtomStore {
  readonly #log: SqliteLog;
  readonly #file: string;
  readonly #sql: Readonly<ReturnType<typeof prepareAtom>>;
  readonly #cut: AtomCut;
  #identity: string | undefined;

  constructor({ log, database, file }: LogDatabase) {
    this.#log = log;
    this.#file = file;
    this.#sql = prepareAtom(database);
    this.#cut = new AtomCut({ log, database });
  }

  identity(): string {
    this.#identity ??= (this.#log.ask(() => this.#sql.identity.get()) as { readonly identity: string }).identity;
    return this.#identity;
  }

  seq(): number {
    const row = this.#log.ask(() => this.#sql.seq.get()) as { readonly seq: number };
    return row.seq;
  }

  feeds(): readonly AtomFeedRecord[] {
    const rows = this.#log.ask(() => this.#sql.feeds.all()) as { readonly record: string }[];
    return rows.map(({ record }) => decodeStored(record, this.#file) as AtomFeedRecord);
  }

  entries(feed: string, first: number, last: number): readonly string[] {
    const rows = this.#log.ask(() => this.#sql.entries.all(feed, first, last)) as { readonly body: Uint8Array }[];
    return rows.map(({ body }) => this.#unpack(body));
  }

  archive(feed: string, number: number): AtomArchiveHead | undefined {
    const row = this.#log.ask(() => this.#sql.archive.get(feed, number)) as { readonly head: string } | undefined;
    return row === undefined ? undefined : (decodeStored(row.head, this.#file) as AtomArchiveHead);
  }

  endedArchives(feed: string): number {
    return this.#cut.ended(feed);
  }

  endArchives(kept: KeptArchives): Promise<number> {
    return this.#cut.end(this.feeds(), kept);
  }

  write({ after, seq, identity, feeds, entries, archives }: AtomWrite): void {
    const sql = this.#sql;
    const bodies = entries.map(({ text }) => ENTRIES.pack(text));
    this.#log.appendWith([], () => {
      if (Number(sql.step.run(seq, after).changes) !== 1) throw new Error(`The Atom feeds do not stand at ${after}.`);
      if (identity !== undefined) sql.putIdentity.run(identity);
      for (const [at, { places }] of entries.entries()) {
        const { lastInsertRowid } = sql.addEntry.run(bodies[at] ?? null);
        for (const { feed, number } of places) sql.addPlace.run(feed, number, lastInsertRowid);
      }
      for (const { feed, number, head } of archives) sql.addArchive.run(feed, number, JSON.stringify(head));
      for (const record of feeds) sql.putFeed.run(record.name, JSON.stringify(record));
    });
    this.#identity = identity ?? this.#identity;
  }

  #unpack(body: Uint8Array): string {
    try {
      return ENTRIES.unpack(body);
    } catch (error) {
      throw new StateCorruptError(this.#file, 'an Atom entry in it is damaged.', 'Restore it from a backup.', {
        cause: error,
      });
    }
  }
}

function prepareAtom(database: SqliteDatabase) {
  return {
    identity: database.prepare('SELECT identity FROM hub_atom'),
    putIdentity: database.prepare('UPDATE hub_atom SET identity = ?'),
    seq: database.prepare('SELECT seq FROM hub_atom'),
    step: database.prepare('UPDATE hub_atom SET seq = ? WHERE seq = ?'),
    feeds: database.prepare('SELECT record FROM hub_atom_feeds ORDER BY name'),
    putFeed: database.prepare('INSERT OR REPLACE INTO hub_atom_feeds (name, record) VALUES (?, ?)'),
    addEntry: database.prepare('INSERT INTO hub_atom_entries (body) VALUES (?)'),
    addPlace: database.prepare('INSERT INTO hub_atom_places (feed, number, entry) VALUES (?, ?, ?)'),
    entries: database.prepare(
      `SELECT body FROM hub_atom_places JOIN hub_atom_entries USING (entry)
       WHERE feed = ? AND number BETWEEN ? AND ? ORDER BY number`,
    ),
    archive: database.prepare('SELECT head FROM hub_atom_archives WHERE feed = ? AND number = ?'),
    addArchive: database.prepare('INSERT INTO hub_atom_archives (feed, number, head) VALUES (?, ?, ?)'),
  };
}
