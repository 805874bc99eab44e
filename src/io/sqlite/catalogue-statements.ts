import type { SqliteDatabase, SqliteStatement } from './database.ts';

export type CatalogueStatements = ReturnType<typeof prepareCatalogue>;

export function prepareCatalogue(database: SqliteDatabase) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  return { ...writing(sql), ...forgetting(sql), ...reading(sql) };
}

type Prepare = (text: string) => SqliteStatement;

function writing(sql: Prepare) {
  return {
    moveOn: sql('UPDATE catalogue SET seq = ?, id = ?'),
    putSource: sql('INSERT INTO sources (name) VALUES (?)'),
    putPage: sql(
      `INSERT INTO pages (key, source, last, changes) VALUES (?, ?, ?, 1)
       ON CONFLICT (key, source) DO UPDATE SET last = excluded.last, changes = changes + 1 RETURNING id`,
    ),
    putChange: sql('INSERT INTO changes (seq, page, facts) VALUES (?, ?, ?)'),
    putSection: sql('INSERT OR IGNORE INTO section_changes (page, key, seq) VALUES (?, ?, ?)'),
    count: sql(
      `INSERT INTO tallies (day, source, creates, updates, deletes) VALUES (?, ?, ?, ?, ?) ON CONFLICT (day, source) DO UPDATE
       SET creates = creates + excluded.creates, updates = updates + excluded.updates, deletes = deletes + excluded.deletes`,
    ),
    putDay: sql('INSERT OR IGNORE INTO days (day, first) VALUES (?, ?)'),
  };
}

function forgetting(sql: Prepare) {
  return {
    oldest: sql(
      `SELECT c.seq, c.page, c.facts, p.source FROM changes AS c JOIN pages AS p ON p.id = c.page
       WHERE c.seq > ? AND c.seq <= ? ORDER BY c.seq LIMIT ?`,
    ),
    oldestDays: sql('SELECT day, first FROM days ORDER BY day LIMIT 2'),
    dropDay: sql('DELETE FROM days WHERE day = ?'),
    discount: sql(
      'UPDATE tallies SET creates = creates - ?3, updates = updates - ?4, deletes = deletes - ?5 WHERE day = ?1 AND source = ?2',
    ),
    dropTally: sql('DELETE FROM tallies WHERE day = ? AND source = ? AND creates + updates + deletes = 0'),
    dropChanges: sql('DELETE FROM changes WHERE seq <= ?'),
    dropSections: sql('DELETE FROM section_changes WHERE page = ? AND seq <= ?'),
    lessen: sql('UPDATE pages SET changes = changes - ?2 WHERE id = ?1'),
    dropPage: sql('DELETE FROM pages WHERE id = ? AND changes = 0'),
    moveStart: sql('UPDATE catalogue SET start = ?'),
  };
}

function reading(sql: Prepare) {
  return {
    source: sql('SELECT id FROM sources WHERE name = ?'),
    lastDay: sql('SELECT max(day) AS day FROM days'),
    // Each day by its key: between two days of one source are those of all others.
    tallies: sql(
      `WITH RECURSIVE wanted (day) AS (SELECT ?1 WHERE ?1 <= ?2 UNION ALL SELECT day + 1 FROM wanted WHERE day < ?2)
       SELECT t.day, creates, updates, deletes FROM wanted JOIN tallies AS t ON t.day = wanted.day AND t.source = ?3`,
    ),
    sourceTallies: sql(
      `SELECT s.name AS source, creates, updates, deletes FROM tallies AS t JOIN sources AS s ON s.id = t.source
       WHERE t.day = ? AND t.source > 0`,
    ),
    pagesAt: sql('SELECT id FROM pages WHERE key = ? ORDER BY source LIMIT ?'),
    pageOf: sql('SELECT id FROM pages WHERE key = ? AND source = ?'),
    ofPage: sql('SELECT seq FROM changes WHERE page = ? AND seq < ? ORDER BY seq DESC LIMIT ?'),
    ofSection: sql('SELECT seq FROM section_changes WHERE page = ? AND key = ? AND seq < ? ORDER BY seq DESC LIMIT ?'),
    pages: sql('SELECT last, changes FROM pages WHERE source = ? AND last < ? ORDER BY last DESC LIMIT ?'),
    pageOfLast: sql(
      'SELECT p.last, p.changes FROM changes AS c JOIN pages AS p ON p.id = c.page WHERE c.seq = ?1 AND p.last = ?1',
    ),
    // From one section to the next by the index, however often each has changed.
    sections: sql(
      `WITH RECURSIVE named (key) AS (
         SELECT min(key) FROM section_changes WHERE page = ?1
         UNION ALL SELECT (SELECT min(key) FROM section_changes WHERE page = ?1 AND key > named.key) FROM named WHERE key IS NOT NULL LIMIT 5000
       )
       SELECT key, (SELECT max(seq) FROM section_changes WHERE page = ?1 AND key = named.key) AS last
       FROM named WHERE key IS NOT NULL ORDER BY last DESC, key LIMIT ?2`,
    ),
    facts: sql('SELECT facts FROM changes WHERE seq = ?'),
    newest: sql('SELECT seq FROM changes WHERE seq < ? AND seq > ? ORDER BY seq DESC LIMIT ?'),
  };
}
