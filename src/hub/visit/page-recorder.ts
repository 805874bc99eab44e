import { hash } from 'node:crypto';
import { diffPages } from '../../diff/diff-pages.ts';
import { othersFirst } from '../../log/others-first.ts';
import {
  decodePageRecord,
  decodePageVisit,
  encodePageRecord,
  type KnownPages,
  type PageRecord,
} from '../../log/pages-file.ts';
import type { ChangeDraft } from '../../model/change.ts';
import { DetailCollector } from '../../produce/collect-details.ts';
import { movedTo, newAddressOf } from '../../produce/linked-moves.ts';
import { BREAKER_PAGES, BREAKER_SHARE } from '../../produce/safety.ts';
import type { PageReading, SiteChange, SiteComparison } from '../../produce/site-source.ts';
import type { PageState, SourcePages } from '../store/hub-store.ts';
import type { SourceRules } from './source-rules.ts';
import type { VisitPorts } from './visit-ports.ts';

export interface PageRecorderOptions extends Pick<VisitPorts, 'store' | 'now' | 'hints' | 'riskRules' | 'confirmMs'> {
  readonly source: string;
  readonly chosen: SourceRules;
  /** The number of earlier looks at the source. */
  readonly looks: number;
  /**
   * Write new pages as they come: a first reading takes hours, and a crash must not restart it. Otherwise everything is written at the end, because only the
   * whole shows whether it can be believed.
   */
  readonly isFirstReading: boolean;
  /** The stored pages are outdated: they are replaced by what is found, without a comparison. */
  readonly isAnew?: boolean;
}

type Comparison = Pick<
  SiteComparison,
  'pages' | 'changes' | 'vanished' | 'notFound' | 'foundBy' | 'seemingGone' | 'doubted'
>;

interface FinishOptions {
  /** Pages that are missing are deleted at once. */
  readonly allowDeletes: boolean;
  /** The place that was read, if it is not the source itself. */
  readonly from?: string | undefined;
}

/** A first reading writes after this many new pages, or this much time. */
const BATCH_PAGES = 50;
const BATCH_MS = 10_000;
/** At most this many texts are held before they are written. Texts that nothing refers to in the end are harmless. */
const MAX_TEXTS = 200;
/** After this many drafts, other work gets its turn. */
const DRAFTS_AT_ONCE = 500;
/** Visits closer together than this see the same moment. */
const CONFIRM_MS = 2000;
/** A page that is different, or claims to be missing, for this long is believed despite all doubts. */
const BELIEVED_MS = 24 * 60 * 60 * 1000;
/** … or for this long, if more pages of the source have changed in this way since: the whole site may have two versions. */
const BELIEVED_AMONG_OTHERS_MS = 3 * BELIEVED_MS;
/** Higher counts are not kept. */
const MOST_WAVERS = 9;

/** Stores what a visit finds of a source's pages: each change once, and only the pages that differ. */
export class PageRecorder {
  /** How many pages were known when the visit began. */
  readonly size: number;
  readonly #options: PageRecorderOptions;
  /** As stored. Pages that the filter leaves out are not included, so that nothing happens to them. */
  readonly #stored = new Map<string, PageState>();
  /** Stored pages that the rules leave out: they no longer belong to the source. */
  readonly #forgotten: string[] = [];
  #foundBy: SourcePages['foundBy'];
  /** Snapshots of what was read in this visit, by page. */
  readonly #names = new Map<string, string>();
  #texts = new Map<string, string>();
  readonly #details: DetailCollector;
  readonly #written = new Set<string>();
  #waiting: { readonly state: PageState; readonly changes: readonly SiteChange[] }[] = [];
  #waitingSince = 0;

  static async open(options: PageRecorderOptions): Promise<PageRecorder> {
    return new PageRecorder(options, await options.store.pagesOf(options.source));
  }

  private constructor(options: PageRecorderOptions, { pages, foundBy }: SourcePages) {
    this.#options = options;
    this.#details = new DetailCollector({ hints: options.hints, risk: options.riskRules });
    this.#foundBy = foundBy;
    const { filter, rules } = options.chosen;
    for (const [url, state] of pages) {
      if (!filter(url)) continue;
      if (rules.now.accepts(url) && !options.isAnew) this.#stored.set(url, state);
      else this.#forgotten.push(url);
    }
    this.size = this.#stored.size;
  }

  /** The number of this look at the source. */
  get look(): number {
    return this.#options.looks + 1;
  }

  /** The input of a comparison. */
  before(): KnownPages {
    const pages = new Map(Array.from(this.#stored, ([url, { record }]) => [url, record]));
    return { pages, look: this.look, ...(this.#foundBy !== undefined && { foundBy: this.#foundBy }) };
  }

  readonly onPage = async ({ page, html, record, changes, finer, foundBy }: PageReading): Promise<void> => {
    const { url } = record;
    const known = this.#stored.get(url);
    if (changes.length > 0 || known?.record.extractor !== record.extractor) {
      const name = `sha256:${hash('sha256', page.markdown, 'hex')}`;
      this.#names.set(url, name);
      this.#texts.set(name, page.markdown);
    }
    await this.#details.onPage({ page, html, changes, finer });
    if (this.#options.isFirstReading && known === undefined && changes.length > 0) {
      if (this.#waiting.length === 0) this.#waitingSince = this.#options.now();
      this.#waiting.push({ state: this.#stateOf(record), changes });
      this.#foundBy = foundBy ?? this.#foundBy;
    }
    const isLate = this.#waiting.length > 0 && this.#options.now() - this.#waitingSince >= BATCH_MS;
    if (isLate || this.#waiting.length >= BATCH_PAGES || this.#texts.size >= MAX_TEXTS) await this.#write();
  };

  /** Writes what a first reading has found, so that a reading that is cut off loses nothing. */
  async saveNew(): Promise<void> {
    if (this.#waiting.length > 0) await this.#write();
  }

  /**
   * Writes the rest as one run, or nothing if nothing differs. Returns the pages that are missing for the first time: they stay as they are, and the next
   * visit that does not find them either deletes them.
   */
  async finish(comparison: Comparison, { allowDeletes, from }: FinishOptions): Promise<readonly string[]> {
    const { source, store } = this.#options;
    const { pages, changes, vanished, notFound, foundBy, seemingGone = [], doubted = [] } = comparison;
    await this.saveNew();
    const known = vanished.flatMap((url) => this.#stored.get(url) ?? []);
    const seeming = seemingGone.flatMap((url) => this.#stored.get(url) ?? []);
    const others = doubted.flatMap(({ record }) => this.#stored.get(record.url) ?? []);
    const unlike = [...seeming, ...others];
    const old = this.#believed(seeming, others);
    const believed = seeming.filter(({ record }) => old.has(record.url));
    const proven = doubted.filter(({ record }) => old.has(record.url));
    const mayBeBehind = new Set(notFound);
    const missing = known.filter(
      (state) => !allowDeletes && !this.#isConfirmed(state, mayBeBehind.has(state.record.url)),
    );
    const held = new Set(missing.map(({ record }) => record.url));
    const gone = [...known, ...believed].map(({ record }) => record.url).filter((url) => !held.has(url));
    const remove = [...gone, ...this.#forgotten.filter((url) => !pages.has(url))];
    const marked = new Set(unlike.map(({ record }) => record.url));
    const edited = [...pages.values()].filter((record) => !this.#isStored(record) && !marked.has(record.url));
    const targets = new Map(changes.map((change) => [change.url, newAddressOf(change)]));
    const put = [
      ...[...edited.map((record) => this.#returned(record)), ...proven.map(({ record }) => record)].map((record) =>
        this.#stateOf(record),
      ),
      ...[...missing, ...unlike.filter(({ record }) => !old.has(record.url))].flatMap((state) =>
        this.#newlyMissing(state, targets.get(state.record.url)),
      ),
    ];
    const told = changes.filter(
      ({ url, action }) => !this.#written.has(url) && !(action === 'delete' && held.has(url)),
    );
    const all = [...told, ...proven.flatMap((page) => page.changes), ...believed.flatMap(softDeletion)].map((change) =>
      this.#withNewAddress(change, pages),
    );
    const drafts: ChangeDraft[] = [];
    for (const [at, change] of all.entries()) {
      if (at > 0 && at % DRAFTS_AT_ONCE === 0) await othersFirst();
      drafts.push(this.#draftOf(change, from));
    }
    const isFoundAsBefore = foundBy === undefined || foundBy === this.#foundBy;
    if (put.length + remove.length + drafts.length > 0 || !isFoundAsBefore) {
      const edits = { put, remove, ...(foundBy !== undefined && { foundBy }) };
      await store.commit({ source, drafts, pages: edits, snapshots: this.#texts });
    }
    return [...held];
  }

  /**
   * A stale cache may not have a page that appeared less than a day before it went missing. If only its host says that it is gone, this is believed a day
   * later.
   */
  #isConfirmed({ record, missingSinceMs, movedTo }: PageState, mayBeBehind: boolean): boolean {
    const { now, confirmMs = CONFIRM_MS } = this.#options;
    if (missingSinceMs === undefined) return false;
    const cameMs = mayBeBehind && movedTo === undefined ? decodePageVisit(record).cameMs : undefined;
    const isYoung = cameMs !== undefined && missingSinceMs - cameMs < BELIEVED_MS;
    return now() - missingSinceMs >= (isYoung ? BELIEVED_MS : confirmMs);
  }

  /** The pages that have been different for long enough; none if they are so many that the whole site must be in trouble. */
  #believed(gone: readonly PageState[], others: readonly PageState[]): ReadonlySet<string> {
    const nowMs = this.#options.now();
    const isSince = ({ missingSinceMs = nowMs }: PageState, ms: number) => nowMs - missingSinceMs >= ms;
    const isSpreading = others.some((state) => !isSince(state, BELIEVED_MS));
    const otherMs = ({ record }: PageState) =>
      isSpreading || decodePageVisit(record).wavers !== undefined ? BELIEVED_AMONG_OTHERS_MS : BELIEVED_MS;
    const old = [
      ...gone.filter((state) => isSince(state, BELIEVED_MS)),
      ...others.filter((state) => isSince(state, otherMs(state))),
    ];
    const isTrouble = old.length > BREAKER_PAGES && old.length > this.size * BREAKER_SHARE;
    return new Set(isTrouble ? [] : old.map(({ record }) => record.url));
  }

  /** A mark from the future shows that the clock was set back. */
  #newlyMissing(state: PageState, target: string | undefined): readonly PageState[] {
    const nowMs = this.#options.now();
    const { missingSinceMs } = state;
    if (missingSinceMs !== undefined && missingSinceMs <= nowMs) return [];
    return [{ ...state, missingSinceMs: nowMs, ...(target !== undefined && { movedTo: target }) }];
  }

  /** The new address of a moved page is reported at once, its deletion when a later visit confirms it. Until then the mark keeps the link. */
  #withNewAddress(change: SiteChange, pages: Comparison['pages']): SiteChange {
    if (change.action !== 'delete' || change.anchor !== undefined) return change;
    const target = this.#stored.get(change.url)?.movedTo;
    if (target === undefined || !pages.has(target) || newAddressOf(change) !== undefined) return change;
    return movedTo(change, target);
  }

  async #write(): Promise<void> {
    const { source, store } = this.#options;
    const [waiting, snapshots] = [this.#waiting, this.#texts];
    this.#waiting = [];
    this.#texts = new Map();
    const put = waiting.map(({ state }) => state);
    await store.commit({
      source,
      drafts: waiting.flatMap(({ changes }) => changes.map((change) => this.#draftOf(change))),
      ...(put.length > 0 && {
        pages: { put, remove: [], ...(this.#foundBy !== undefined && { foundBy: this.#foundBy }) },
      }),
      snapshots,
    });
    for (const state of put) {
      this.#stored.set(state.record.url, state);
      this.#written.add(state.record.url);
    }
  }

  /** Counts the return of a page that had become different: it may well do so again. */
  #returned(record: PageRecord): PageRecord {
    if (this.#stored.get(record.url)?.missingSinceMs === undefined) return record;
    const visit = decodePageVisit(record);
    const wavers = Math.min((visit.wavers ?? 0) + 1, MOST_WAVERS);
    return encodePageRecord(record, decodePageRecord(record), { ...visit, wavers });
  }

  /** A missing page that is back differs from its stored state. */
  #isStored(record: PageState['record']): boolean {
    return this.#isAsBefore(record) && this.#stored.get(record.url)?.missingSinceMs === undefined;
  }

  #isAsBefore({ url, line }: PageState['record']): boolean {
    const stored = this.#stored.get(url)?.record.line;
    return stored !== undefined && (stored === line || Buffer.compare(stored, line) === 0);
  }

  #stateOf(record: PageState['record']): PageState {
    const { url } = record;
    // Mirrors may show different texts: the text belongs to its record.
    const read = this.#isAsBefore(record) ? undefined : this.#names.get(url);
    const snapshot = read ?? this.#stored.get(url)?.snapshot;
    return { record, ...(snapshot !== undefined && { snapshot }) };
  }

  #draftOf(change: SiteChange, from?: string): ChangeDraft {
    const { pageChecksum, published, ...facts } = change;
    const isGone = change.action === 'delete';
    return {
      ...facts,
      source: this.#options.source,
      ...this.#details.of(change),
      provenance: {
        by: 'compare',
        extractor: this.#options.chosen.rules.now.extractor,
        pageChecksum,
        ...(published !== undefined && { published }),
        before: this.#stored.get(change.url)?.snapshot,
        after: isGone ? undefined : this.#names.get(change.url),
        readFrom: from,
      },
    };
  }
}

function softDeletion({ record }: PageState): readonly SiteChange[] {
  return diffPages(decodePageRecord(record), undefined).map((change) => ({ ...change, note: 'soft-404' }));
}
