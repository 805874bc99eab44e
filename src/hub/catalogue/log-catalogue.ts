import { LogFollower } from '../../dialects/log-follower.ts';
import { catalogueUnavailableError } from '../../errors/catalogue-error.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import type { Run } from '../../log/runs-of.ts';
import type { Change } from '../../model/change.ts';
import type { HubStore } from '../store/hub-store.ts';
import { BusiestSources } from './busiest-sources.ts';
import type {
  Catalogue,
  CataloguedSection,
  CatalogueStanding,
  ChangeSearch,
  DayRange,
  DayTally,
  FoundChanges,
  FoundPages,
  PagesQuery,
  SourceTally,
  TimelineQuery,
} from './catalogue.ts';
import { catalogueEntry } from './catalogue-entry.ts';
import type { CatalogueTables } from './catalogue-tables.ts';
import { dayTallies } from './day-tallies.ts';
import { findChanges, findPages } from './find-changes.ts';
import { readPageList, readSectionList, readTimeline } from './read-pages.ts';

type CataloguedLog = Pick<HubStore, 'changes' | 'changesAt' | 'seqBefore' | 'logStart'>;

export interface LogCatalogueParts {
  readonly store: CataloguedLog;
  /** The `seq` of the newest change of the log at the start. */
  readonly newestSeq: number;
  /** Opens the stored tables, or new ones if they do not fit the log. `isDamaged`: they are deleted first. */
  readonly open: (options: { readonly isDamaged: boolean }) => Promise<CatalogueTables>;
  /** Counts up, in milliseconds: by it the work of a search is bounded. */
  readonly elapsedMs: () => number;
  /** Called once for each trouble, with what an operator should know. */
  readonly onProblem: (message: string) => void;
}

/** How many changes are added in one transaction: a few milliseconds of work. */
const CHANGES_AT_ONCE = 50;
/** A caller waits for at most this many changes. */
const AWAITED_CHANGES = 500;

/** Keeps the tables of a catalogue up to date with the log, and answers from both. */
export class LogCatalogue implements Catalogue, AsyncDisposable {
  readonly #parts: LogCatalogueParts;
  readonly #follower: LogFollower<{ seq: number }, EntryBatch, EntryStep>;
  readonly #busiest = new BusiestSources();
  #tables: CatalogueTables | undefined;
  #newestSeq: number;
  /** The tables were opened and not used yet. */
  #isFresh = false;
  #isDamaged = false;
  #said: string | undefined;

  constructor(parts: LogCatalogueParts) {
    this.#parts = parts;
    this.#newestSeq = parts.newestSeq;
    this.#follower = new LogFollower({
      readChanges: (after) => parts.store.changes({ after }),
      load: () => this.#load(),
      begin: () => new EntryBatch(),
      mostChanges: CHANGES_AT_ONCE,
      changesAtOnce: CHANGES_AT_ONCE,
      store: ({ changes }) => this.#heeding(() => this.#opened.add(changes.map(catalogueEntry))),
      more: () => this.#forgetting(),
    });
  }

  /** Opens what is kept. Where that fails, `mend` tries it again. */
  async open(): Promise<void> {
    try {
      await this.#reopen();
      this.#isFresh = true;
    } catch (error) {
      if (!(error instanceof TidingsError)) throw error;
      this.#say(error.message);
    }
  }

  get standing(): CatalogueStanding {
    const seq = this.#tables?.seq ?? 0;
    const trouble = this.#follower.trouble ?? this.#said;
    const behind = Math.max(0, this.#newestSeq - Math.max(seq, this.#parts.store.logStart()?.seq ?? 0));
    return { seq, behind, ...(trouble !== undefined && { trouble }) };
  }

  /** Takes the changes of a commit, in order of `seq`. */
  async add(changes: readonly Change[]): Promise<void> {
    this.#newestSeq = changes.at(-1)?.seq ?? this.#newestSeq;
    await this.#follower.add(changes);
    this.#sayTrouble();
  }

  /** Takes over what is new in the log, forgets what it no longer has, and retries what failed. */
  async mend(): Promise<void> {
    await this.#follower.mend();
    this.#sayTrouble();
  }

  /** Texts were removed from the log. Their words are all over the files of the index, so all of it is deleted and rebuilt. */
  async rebegin(): Promise<void> {
    this.#isDamaged = true;
    this.#follower.forget();
    await this.mend();
  }

  tallies(range: DayRange, source?: string): Promise<readonly DayTally[]> {
    return this.#ask((tables) => dayTallies(tables, range, source));
  }

  busiestSources(range: DayRange, limit: number): Promise<readonly SourceTally[]> {
    return this.#ask((tables) => this.#busiest.find(tables, range, limit));
  }

  timeline(query: TimelineQuery): Promise<FoundChanges> {
    return this.#ask((tables) => readTimeline(query, { ...this.#parts, tables }));
  }

  pages(query: PagesQuery): Promise<FoundPages> {
    return this.#ask((tables) => {
      const parts = { ...this.#parts, tables };
      return query.words === undefined ? readPageList(query, parts) : findPages(query, parts);
    });
  }

  sections(source: string, url: string): Promise<readonly CataloguedSection[]> {
    return this.#ask((tables) => readSectionList(source, url, { ...this.#parts, tables }));
  }

  find(search: ChangeSearch): Promise<FoundChanges> {
    return this.#ask((tables) => findChanges(search, { ...this.#parts, tables }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#follower.close();
    this.#tables?.close();
    this.#tables = undefined;
  }

  get #opened(): CatalogueTables {
    if (this.#tables === undefined) throw new Error('The catalogue is not open.');
    return this.#tables;
  }

  async #load(): Promise<{ seq: number }> {
    if (!this.#isFresh) await this.#reopen();
    this.#isFresh = false;
    return { seq: this.#opened.seq };
  }

  async #reopen(): Promise<void> {
    this.#tables?.close();
    this.#tables = undefined;
    this.#tables = await this.#parts.open({ isDamaged: this.#isDamaged });
    this.#isDamaged = false;
    this.#busiest.clear();
  }

  *#forgetting() {
    let hasMore = true;
    while (hasMore) {
      const upTo = this.#parts.store.logStart()?.seq ?? 0;
      if (upTo <= this.#opened.start) return;
      yield async () => {
        hasMore = this.#heeding(() => this.#opened.forgetSome(upTo));
        this.#busiest.clear();
      };
    }
  }

  async #ask<T>(read: (tables: CatalogueTables) => Promise<T> | T): Promise<T> {
    const { behind } = this.standing;
    if (behind > 0 && behind <= AWAITED_CHANGES) await this.#follower.takeTurn();
    const tables = this.#tables;
    if (tables === undefined) throw catalogueUnavailableError(this.#follower.trouble);
    try {
      return await read(tables);
    } catch (error) {
      if (!(error instanceof TidingsError)) throw error;
      this.#heed(error);
      throw catalogueUnavailableError(error);
    }
  }

  #heeding<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#heed(error);
      throw error;
    }
  }

  /** Damaged tables are rebuilt in the next turn. */
  #heed(error: unknown): void {
    if (!(error instanceof StateCorruptError)) return;
    this.#isDamaged = true;
    this.#follower.forget();
  }

  #sayTrouble(): void {
    const { trouble } = this.#follower;
    if (trouble === undefined) this.#said = undefined;
    else this.#say(trouble);
  }

  #say(trouble: string): void {
    if (trouble !== this.#said) this.#parts.onProblem(`The index over the log cannot be used: ${trouble}`);
    this.#said = trouble;
  }
}

interface EntryStep {
  readonly seq: number;
  readonly changes: readonly Change[];
}

/** Changes that are taken over together. */
class EntryBatch {
  readonly #changes: Change[] = [];

  get isFull(): boolean {
    return this.#changes.length >= CHANGES_AT_ONCE;
  }

  addRun({ changes }: Run): void {
    this.#changes.push(...changes);
  }

  finish(): EntryStep | undefined {
    const last = this.#changes.at(-1);
    return last && { seq: last.seq, changes: this.#changes };
  }
}
