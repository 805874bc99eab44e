import { hash } from 'node:crypto';
import type { ActionTally } from '../../hub/catalogue/catalogue.ts';
import type {
  BoundaryName,
  CatalogueEntry,
  CatalogueTables,
  EntryMatch,
  PageEntry,
  SectionEntry,
  SeqRange,
} from '../../hub/catalogue/catalogue-tables.ts';
import { forgetChanges } from './catalogue-forget.ts';
import type { CataloguePlace } from './catalogue-schema.ts';
import { type CatalogueStatements, prepareCatalogue } from './catalogue-statements.ts';
import { CatalogueWords, hasWords } from './catalogue-words.ts';
import { explainSqliteError, inTransaction, moveIntoMainFile, type SqliteDatabase } from './database.ts';

export interface CatalogueFile {
  readonly database: SqliteDatabase;
  readonly file: string;
  readonly place: CataloguePlace;
}

/** A page that many sources have is looked up in at most this many of them. */
const MOST_SOURCES = 50;
const SCANNED_AT_ONCE = 100;
/** The id for all sources together. */
const ALL_SOURCES = 0;
const ACTIONS = ['create', 'update', 'delete'] as const;
const ENDPOINT_BIT = 4;

/** The catalogue in a separate database. */
export class SqliteCatalogueTables implements CatalogueTables {
  readonly #database: SqliteDatabase;
  readonly #file: string;
  readonly #sql: CatalogueStatements;
  readonly #words: CatalogueWords;
  /** Sources that were queried or had changes. */
  readonly #sourceIds = new Map<string, number>();
  #seq: number;
  #start: number;
  #lastDay: number;

  constructor({ database, file, place }: CatalogueFile) {
    this.#database = database;
    this.#file = file;
    this.#sql = prepareCatalogue(database);
    this.#words = new CatalogueWords(database);
    this.#seq = place.seq;
    this.#start = place.start;
    this.#lastDay = (this.#sql.lastDay.get() as { readonly day: number | null }).day ?? -1;
  }

  get seq(): number {
    return this.#seq;
  }

  get start(): number {
    return this.#start;
  }

  get lastDay(): number {
    return this.#lastDay;
  }

  add(entries: readonly CatalogueEntry[]): void {
    const last = entries.at(-1);
    if (last === undefined) return;
    this.#write(() => {
      for (const entry of entries) this.#addOne(entry);
      this.#words.merge();
      this.#sql.moveOn.run(last.seq, last.id);
    });
    this.#seq = last.seq;
    this.#lastDay = last.day;
  }

  forgetSome(upTo: number): boolean {
    let start = this.#start;
    this.#write(() => {
      start = forgetChanges(this.#sql, { start: this.#start, upTo });
      this.#words.dropUpTo(start);
    });
    this.#start = start;
    return start < upTo;
  }

  tallies(fromDay: number, toDay: number, source?: string): ReadonlyMap<number, ActionTally> {
    return this.#read(() => {
      const id = source === undefined ? ALL_SOURCES : this.#sourceId(source);
      const rows =
        id === undefined ? [] : (this.#sql.tallies.all(fromDay, toDay, id) as (ActionTally & { day: number })[]);
      return new Map(rows.map(({ day, creates, updates, deletes }) => [day, { creates, updates, deletes }]));
    });
  }

  sourceTallies(day: number): readonly (ActionTally & { readonly source: string })[] {
    return this.#read(() => this.#sql.sourceTallies.all(day)) as (ActionTally & { readonly source: string })[];
  }

  timeline({ source, url, anchor }: BoundaryName, before: number, limit: number): readonly number[] {
    return this.#read(() => {
      const pages = source === undefined ? this.#pagesAt(url) : [this.#pageOf(source, url) ?? []].flat();
      const seqs = pages.flatMap((page) =>
        anchor === undefined
          ? this.#sql.ofPage.all(page, before, limit)
          : this.#sql.ofSection.all(page, anchorKey(anchor), before, limit),
      );
      return (seqs as { seq: number }[])
        .map(({ seq }) => seq)
        .sort((one, other) => other - one)
        .slice(0, limit);
    });
  }

  pages(source: string, before: number, limit: number): readonly PageEntry[] {
    return this.#read(() => {
      const id = this.#sourceId(source);
      return id === undefined ? [] : (this.#sql.pages.all(id, before, limit) as unknown as PageEntry[]);
    });
  }

  pageOfLast(seq: number): PageEntry | undefined {
    return this.#read(() => this.#sql.pageOfLast.get(seq)) as PageEntry | undefined;
  }

  sections(source: string, url: string, limit: number): readonly SectionEntry[] {
    return this.#read(() => {
      const page = this.#pageOf(source, url);
      if (page === undefined) return [];
      const rows = this.#sql.sections.all(page, limit) as { key: number; last: number }[];
      return rows.map(({ key, last }) => ({ last, isNamed: (anchor: string) => anchorKey(anchor) === key }));
    });
  }

  *matches(match: EntryMatch, range: SeqRange) {
    const sourceId = match.source === undefined ? undefined : this.#read(() => this.#sourceId(match.source ?? ''));
    if (match.source !== undefined && sourceId === undefined) return;
    const bounds = { after: Math.max(range.after, this.#start), before: range.before };
    const found = hasWords(match) ? this.#words.find(match, sourceId, bounds) : this.#scan(bounds);
    for (;;) {
      const { done, value } = this.#read(() => found.next());
      if (done) return;
      yield match.kind === 'page' ? { ...value, seqs: value.seqs.filter((seq) => this.#isPage(seq)) } : value;
    }
  }

  close(): void {
    this.#read(() => {
      moveIntoMainFile(this.#database);
      this.#database.close();
    });
  }

  /** A search without words. */
  *#scan({ after, before }: SeqRange) {
    for (let end = before; end > after + 1; ) {
      const rows = this.#sql.newest.all(end, after, SCANNED_AT_ONCE) as { readonly seq: number }[];
      const seqs = rows.map(({ seq }) => seq);
      end = rows.length < SCANNED_AT_ONCE ? 0 : (rows.at(-1)?.seq ?? 0);
      yield { seqs, down: end };
    }
  }

  #isPage(seq: number): boolean {
    const row = this.#read(() => this.#sql.facts.get(seq)) as { readonly facts: number } | undefined;
    return row !== undefined && row.facts < ENDPOINT_BIT;
  }

  #addOne(entry: CatalogueEntry): void {
    const { seq, source, url, action, kind, day, anchors } = entry;
    const sourceId = this.#sourceId(source) ?? this.#newSource(source);
    const { id: page } = this.#sql.putPage.get(urlKey(url), sourceId, seq) as { readonly id: number };
    this.#sql.putChange.run(seq, page, ACTIONS.indexOf(action) + (kind === 'endpoint' ? ENDPOINT_BIT : 0));
    for (const anchor of anchors) this.#sql.putSection.run(page, anchorKey(anchor), seq);
    for (const id of [ALL_SOURCES, sourceId]) {
      this.#sql.count.run(day, id, ...ACTIONS.map((one) => (one === action ? 1 : 0)));
    }
    this.#sql.putDay.run(day, seq);
    this.#words.add(entry, sourceId);
  }

  #pagesAt(url: string): readonly number[] {
    const rows = this.#sql.pagesAt.all(urlKey(url), MOST_SOURCES) as { readonly id: number }[];
    return rows.map(({ id }) => id);
  }

  #pageOf(source: string, url: string): number | undefined {
    const sourceId = this.#sourceId(source);
    if (sourceId === undefined) return undefined;
    return (this.#sql.pageOf.get(urlKey(url), sourceId) as { readonly id: number } | undefined)?.id;
  }

  #sourceId(name: string): number | undefined {
    const known = this.#sourceIds.get(name);
    if (known !== undefined) return known;
    const row = this.#sql.source.get(name) as { readonly id: number } | undefined;
    if (row !== undefined) this.#sourceIds.set(name, row.id);
    return row?.id;
  }

  #newSource(name: string): number {
    return Number(this.#sql.putSource.run(name).lastInsertRowid);
  }

  #write(work: () => void): void {
    this.#read(() => inTransaction(this.#database, work));
  }

  #read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw explainSqliteError(this.#file, error);
    }
  }
}

/** In 48 bits, which SQLite keeps in six bytes. */
function urlKey(url: string): number {
  return hash('sha256', url, 'buffer').readIntBE(0, 6);
}

/** In 32 bits: distinguishes the sections of one page. */
function anchorKey(anchor: string): number {
  return hash('sha256', anchor, 'buffer').readInt32BE(0);
}
