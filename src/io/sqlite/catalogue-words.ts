import type { CatalogueEntry, EntryMatch, SeqRange } from '../../hub/catalogue/catalogue-tables.ts';
import type { Action } from '../../model/change.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';

/**
 * How many changes share an index of words: two words that nearly all changes have, but none together, are compared over at most this many. A cut of the log
 * drops whole indexes, without their texts.
 */
const VOLUME_CHANGES = 1 << 16;
/** A prefix of more words than this is used only as a whole word. */
const MOST_ENDINGS = 64;
/** Per search; further words are ignored. */
const MOST_WORDS = 16;
/** Words that are known to be in the vocabulary. */
const MOST_KNOWN = 50_000;
const FOUND_AT_ONCE = 100;
const MERGED_PAGES = 16;
/** No text contains it: it is not a letter. */
const FACT = '\uE000';
const ENDPOINT = `${FACT}e`;

interface Volume {
  readonly add: SqliteStatement;
  readonly find: SqliteStatement;
  readonly merge: SqliteStatement;
}

/**
 * The words of changes, with what a search asks beside them: source, action, kind.
 *
 * The index is asked for whole words. Which there are of a beginning says the vocabulary: for a beginning, the index would collect all changes of all its
 * words before it looks at the first one.
 */
export class CatalogueWords {
  readonly #database: SqliteDatabase;
  readonly #volumes = new Map<number, Volume>();
  readonly #known = new Set<string>();
  readonly #putWord: SqliteStatement;
  readonly #endings: SqliteStatement;
  /** Newest first. */
  #numbers: readonly number[];

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#putWord = database.prepare('INSERT OR IGNORE INTO vocabulary (word) VALUES (?)');
    this.#endings = database.prepare(
      `SELECT word FROM vocabulary WHERE word BETWEEN ?1 AND ?1 || char(0x10FFFF) LIMIT ${MOST_ENDINGS + 1}`,
    );
    const rows = database
      .prepare(`SELECT name FROM sqlite_schema WHERE name GLOB 'words_*' AND sql LIKE 'CREATE VIRTUAL%'`)
      .all() as { readonly name: string }[];
    this.#numbers = rows.map(({ name }) => Number(name.slice('words_'.length))).sort((one, other) => other - one);
  }

  /** Within a transaction. */
  add({ seq, words, action, kind }: CatalogueEntry, sourceId: number): void {
    const number = Math.floor(seq / VOLUME_CHANGES);
    if (!this.#numbers.includes(number)) this.#begin(number);
    for (const word of words) this.#learn(word);
    const facts = [sourceFact(sourceId), actionFact(action), ...(kind === 'endpoint' ? [ENDPOINT] : [])];
    this.#volume(number).add.run(seq, [...facts, ...words].join(' '));
  }

  /** Joins some of what was added in many steps, so that a search asks fewer parts. Within a transaction. */
  merge(): void {
    const [newest] = this.#numbers;
    if (newest !== undefined) this.#volume(newest).merge.run(MERGED_PAGES);
  }

  /** Drops what holds only changes up to that one. Within a transaction. */
  dropUpTo(seq: number): void {
    const isOver = (number: number) => (number + 1) * VOLUME_CHANGES - 1 <= seq;
    for (const number of this.#numbers.filter(isOver)) {
      this.#volumes.delete(number);
      this.#database.exec(`DROP TABLE words_${number}`);
    }
    this.#numbers = this.#numbers.filter((number) => !isOver(number));
  }

  /** Newest first; `down` to where all is looked through. */
  *find(match: EntryMatch, sourceId: number | undefined, { after, before }: SeqRange) {
    const expression = this.#expressionOf(match, sourceId);
    if (expression === undefined) return;
    for (const number of this.#numbers) {
      const first = number * VOLUME_CHANGES;
      let end = Math.min(before, first + VOLUME_CHANGES);
      while (end > first && end > after + 1) {
        const rows = this.#volume(number).find.all(expression, end, after, FOUND_AT_ONCE) as { rowid: number }[];
        const seqs = rows.map(({ rowid }) => rowid);
        end = rows.length < FOUND_AT_ONCE ? first : (seqs.at(-1) ?? first);
        yield { seqs, down: end };
      }
    }
  }

  /** Undefined if no change can match all of it. https://sqlite.org/fts5.html#full_text_query_syntax */
  #expressionOf({ beginnings, wholes, action, kind }: EntryMatch, sourceId: number | undefined): string | undefined {
    const facts = [
      ...(sourceId === undefined ? [] : [sourceFact(sourceId)]),
      ...(action === undefined ? [] : [actionFact(action)]),
      ...(kind === 'endpoint' ? [ENDPOINT] : []),
    ];
    const words = [...facts, ...wholes.slice(0, MOST_WORDS)].map((word) => [word]);
    const begun = beginnings.slice(0, MOST_WORDS).map((word) => this.#withEndings(word));
    if (begun.some((endings) => endings.length === 0)) return undefined;
    return [...words, ...begun].map((any) => `(${any.map((word) => `"${word}"`).join(' OR ')})`).join(' AND ');
  }

  #withEndings(word: string): readonly string[] {
    const rows = this.#endings.all(word) as { readonly word: string }[];
    return rows.length > MOST_ENDINGS ? [word] : rows.map((row) => row.word);
  }

  #learn(word: string): void {
    if (this.#known.has(word)) return;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#putWord.run(word);
    this.#known.add(word);
  }

  #begin(number: number): void {
    this.#database.exec(
      `CREATE VIRTUAL TABLE words_${number} USING fts5 (text, content = '', detail = none, columnsize = 0, tokenize = 'ascii')`,
    );
    // Merged a little with each step instead: by itself it takes many of them at once.
    this.#database.exec(`INSERT INTO words_${number} (words_${number}, rank) VALUES ('automerge', 0)`);
    this.#numbers = [number, ...this.#numbers];
  }

  #volume(number: number): Volume {
    const known = this.#volumes.get(number);
    if (known !== undefined) return known;
    const name = `words_${number}`;
    const volume = {
      add: this.#database.prepare(`INSERT INTO ${name} (rowid, text) VALUES (?, ?)`),
      merge: this.#database.prepare(`INSERT INTO ${name} (${name}, rank) VALUES ('merge', ?)`),
      find: this.#database.prepare(
        `SELECT rowid FROM ${name} WHERE ${name} MATCH ? AND rowid < ? AND rowid > ? ORDER BY rowid DESC LIMIT ?`,
      ),
    };
    this.#volumes.set(number, volume);
    return volume;
  }
}

/** Whether a match can be looked for among words. */
export function hasWords({ beginnings, wholes, action, kind, source }: EntryMatch): boolean {
  const named = beginnings.length + wholes.length;
  return named > 0 || source !== undefined || action !== undefined || kind === 'endpoint';
}

function sourceFact(id: number): string {
  return `${FACT}s${id}`;
}

function actionFact(action: Action): string {
  return `${FACT}a${action}`;
}
