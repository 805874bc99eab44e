import type { CatalogueEntry, EntryMatch, SeqRange } from '../../hub/catalogue/catalogue-tables.ts';
import type { Action } from '../../model/change.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';

/**
 * So many changes share an index of words. What a word costs that nearly all of them have is bounded by it, also that of the beginning of one; and
 * what is cut off the log goes with the whole index, which need not know its texts.
 */
const VOLUME_CHANGES = 1 << 15;
const FOUND_AT_ONCE = 100;
/** The beginning of more words is not looked for than those that begin with two letters. */
const LEAST_BEGINNING = 2;
/** No text has words with it: it stands for no letter. */
const FACT = '\uE000';
const ACTION_FACTS: Readonly<Record<Action, string>> = { create: 'c', update: 'u', delete: 'd' };

interface Volume {
  readonly add: SqliteStatement;
  readonly find: SqliteStatement;
}

/** The words of changes, with what a search asks beside them: source, action, kind. */
export class CatalogueWords {
  readonly #database: SqliteDatabase;
  readonly #volumes = new Map<number, Volume>();
  /** Newest first. */
  #numbers: readonly number[];

  constructor(database: SqliteDatabase) {
    this.#database = database;
    const rows = database
      .prepare(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'words_*' AND sql LIKE 'CREATE VIRTUAL%'`,
      )
      .all() as { readonly name: string }[];
    this.#numbers = rows.map(({ name }) => Number(name.slice('words_'.length))).sort((one, other) => other - one);
  }

  /** Within a transaction. */
  add({ seq, words, action, kind }: CatalogueEntry, sourceId: number): void {
    const number = Math.floor(seq / VOLUME_CHANGES);
    if (!this.#numbers.includes(number)) this.#begin(number);
    const facts = [sourceFact(sourceId), actionFact(action), ...(kind === 'endpoint' ? [ENDPOINT] : [])];
    this.#volume(number).add.run(seq, [...facts, ...words].join(' '));
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
    const expression = expressionOf(match, sourceId);
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

  #begin(number: number): void {
    this.#database.exec(
      `CREATE VIRTUAL TABLE words_${number} USING fts5 (text, content = '', detail = none, columnsize = 0, tokenize = 'ascii')`,
    );
    this.#numbers = [number, ...this.#numbers];
  }

  #volume(number: number): Volume {
    const known = this.#volumes.get(number);
    if (known !== undefined) return known;
    const name = `words_${number}`;
    const volume = {
      add: this.#database.prepare(`INSERT INTO ${name} (rowid, text) VALUES (?, ?)`),
      find: this.#database.prepare(
        `SELECT rowid FROM ${name} WHERE ${name} MATCH ? AND rowid < ? AND rowid > ? ORDER BY rowid DESC LIMIT ?`,
      ),
    };
    this.#volumes.set(number, volume);
    return volume;
  }
}

/** Whether a match can be looked for among words. */
export function hasWords({ words, action, kind, source }: EntryMatch): boolean {
  return words.length > 0 || source !== undefined || action !== undefined || kind === 'endpoint';
}

/** https://sqlite.org/fts5.html#full_text_query_syntax */
function expressionOf({ words, action, kind }: EntryMatch, sourceId: number | undefined): string {
  const facts = [
    ...(sourceId === undefined ? [] : [sourceFact(sourceId)]),
    ...(action === undefined ? [] : [actionFact(action)]),
    ...(kind === 'endpoint' ? [ENDPOINT] : []),
  ];
  const wanted = [...facts.map(quoted), ...words.map(beginning)].join(' AND ');
  return kind === 'page' ? `(${wanted}) NOT ${quoted(ENDPOINT)}` : wanted;
}

const ENDPOINT = `${FACT}e`;

function sourceFact(id: number): string {
  return `${FACT}s${id}`;
}

function actionFact(action: Action): string {
  return `${FACT}a${ACTION_FACTS[action]}`;
}

function quoted(word: string): string {
  return `"${word}"`;
}

function beginning(word: string): string {
  return word.length < LEAST_BEGINNING ? quoted(word) : `${quoted(word)}*`;
}
