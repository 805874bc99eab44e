import type { Ledger, RealChange } from './hub-ledger.ts';
import { type AuthoredPage, type Checksums, checksumsOf, renderPage } from './hub-pages.ts';
import type { Random } from './hub-random.ts';

/** Where a site keeps its pages. */
export interface PageShelf {
  put(path: string, html: string): void;
  remove(path: string): void;
  /** Called after the set of pages has changed. */
  list(paths: readonly string[]): void;
}

export interface PagedSiteOptions {
  /** The public address, with a final slash. */
  readonly url: string;
  /** The sources that watch this page. */
  readonly watchersOf: (path: string) => readonly string[];
  readonly shelf: PageShelf;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly pages: number;
  /** Whether its watchers find pages that they do not know. */
  readonly mayGrow: boolean;
  /** Nothing in it changes so often that a hub holds it back until it has been quiet for some looks. */
  readonly isSteady?: boolean;
}

const EDITS = ['section', 'two-sections', 'add-section', 'remove-section', 'many', 'title', 'page', 'noise'] as const;
export type Edit = (typeof EDITS)[number];

/** Two of them are less than half of a page. */
const FEWEST_SECTIONS = 5;
const MOST_SECTIONS = 8;
const MOST_PAGES = 6;
/** A hub takes what changes a third time for something that no author writes. */
const MOST_STEADY_EDITS = 2;

/** A site whose pages are edited at random; the ledger learns what its watchers must tell. */
export class PagedSite {
  readonly url: string;
  readonly #options: PagedSiteOptions;
  readonly #pages = new Map<string, AuthoredPage>();
  readonly #gone: string[] = [];
  readonly #steadyEdits = new Map<string, number>();
  #stamp: number;
  #edition = 0;
  #nextPage = 0;

  constructor(options: PagedSiteOptions) {
    this.#options = options;
    this.url = options.url;
    this.#stamp = options.random.integer(1000, 9000);
    for (let page = 0; page < options.pages; page += 1) this.#addPage(page === 1 && options.isSteady !== true);
  }

  get paths(): readonly string[] {
    return [...this.#pages.keys()];
  }

  /** Does one thing to the site; undefined when the page that was picked still waits to be read. */
  edit(wanted?: Edit): Edit | undefined {
    const { random, ledger } = this.#options;
    const page = random.pick([...this.#pages.values()]);
    const edit = wanted ?? random.pick(EDITS);
    if (edit === 'noise') {
      this.#makeNoise(page);
      return edit;
    }
    if (page.hurried) return this.#editHurried(page);
    if (ledger.openOf(this.#urlOf(page.path)) > 0 || !this.#isSteadyEdit(page, edit)) return undefined;
    if (edit === 'page') return this.#addOrRemove(page) ? edit : undefined;
    this.#editPage(page, edit);
    return edit;
  }

  /** Counts the edit if it may be made. Titles of all pages differ in numbers only: a hub takes them for one spot, and for volatile on most pages of a site. */
  #isSteadyEdit({ path }: AuthoredPage, edit: Edit): boolean {
    if (this.#options.isSteady !== true) return true;
    const [spot, most] = edit === 'title' ? [edit, 1] : [path, MOST_STEADY_EDITS];
    const edits = (this.#steadyEdits.get(spot) ?? 0) + 1;
    if (edits > most || (edit === 'page' && this.#gone.length > 0)) return false;
    this.#steadyEdits.set(spot, edits);
    return true;
  }

  #editPage(page: AuthoredPage, edit: Exclude<Edit, 'page' | 'noise'>): void {
    const { random } = this.#options;
    const before = this.#checksums(page);
    const { sections } = page;
    const [first, second] = shuffled(sections, random);
    switch (edit) {
      case 'two-sections':
        for (const section of [first, second]) if (section !== undefined) section.edition = this.#nextEdition();
        break;
      case 'section':
        if (first !== undefined) first.edition = this.#nextEdition();
        break;
      case 'many':
        for (const section of sections) section.edition = this.#nextEdition();
        break;
      case 'title':
        page.titleEdition = this.#nextEdition();
        break;
      case 'add-section':
      case 'remove-section':
        this.#addOrRemoveSection(page, edit === 'add-section');
    }
    this.#publish(page);
    this.#expect(page, before, edit === 'title');
  }

  #addOrRemoveSection({ sections }: AuthoredPage, isMore: boolean): void {
    const place = this.#options.random.integer(0, sections.length - 1);
    const mayAdd = sections.length < MOST_SECTIONS;
    const mayRemove = sections.length > FEWEST_SECTIONS;
    if ((isMore && mayAdd) || !mayRemove) sections.splice(place, 0, this.#newSection());
    else sections.splice(place, 1);
  }

  /** One section, again and again, whether or not anyone has read the last edition. */
  #editHurried(page: AuthoredPage): Edit | undefined {
    const url = this.#urlOf(page.path);
    const [section] = page.sections;
    if (section === undefined || (section.edition === 0 && this.#options.ledger.openOf(url) > 0)) return undefined;
    const before = this.#checksums(page);
    section.edition = this.#nextEdition();
    this.#publish(page);
    this.#expect(page, before);
    return 'section';
  }

  #addOrRemove(page: AuthoredPage): boolean {
    const { random, ledger, mayGrow, shelf } = this.#options;
    const back = this.#gone.find((path) => ledger.openOf(this.#urlOf(path)) === 0);
    const mayAdd = this.#pages.size < MOST_PAGES && (back !== undefined || mayGrow);
    // The start page stays: without it a site is not a site.
    const mayRemove = this.#pages.size > 2 && page.path !== '/';
    if (mayAdd && (random.chance(0.5) || !mayRemove)) {
      this.#addPage(false, back !== undefined && random.chance(0.5) ? back : mayGrow ? undefined : back);
    } else if (mayRemove) {
      this.#pages.delete(page.path);
      this.#gone.push(page.path);
      shelf.remove(page.path);
      this.#publishAll();
      for (const source of this.#options.watchersOf(page.path)) {
        ledger.expect({ source, action: 'delete', url: this.#urlOf(page.path) });
      }
    } else {
      return false;
    }
    return true;
  }

  #addPage(hurried: boolean, back?: string): void {
    const { random, watchersOf, ledger } = this.#options;
    const path = back ?? this.#newPath();
    if (back !== undefined) this.#gone.splice(this.#gone.indexOf(back), 1);
    const count = random.integer(FEWEST_SECTIONS, MOST_SECTIONS - 1);
    const sections = Array.from({ length: count }, () => this.#newSection());
    const [first] = sections;
    if (first !== undefined) first.edition = hurried ? 0 : first.edition;
    const page: AuthoredPage = { path, titleEdition: 0, sections, hurried };
    this.#pages.set(path, page);
    this.#publishAll();
    const checksum = this.#checksums(page).page;
    for (const source of watchersOf(path))
      ledger.expect({ source, action: 'create', url: this.#urlOf(path), checksum });
  }

  /** As `diffPages` of the product words it; here from what the author did. */
  #expect(page: AuthoredPage, before: Checksums, isRetitled = false): void {
    const after = this.#checksums(page);
    const url = this.#urlOf(page.path);
    const anchors = [...after.sections.keys()];
    const edited = anchors.filter((anchor) => before.sections.has(anchor) && differs(before, after, anchor));
    const added = anchors.filter((anchor) => !before.sections.has(anchor));
    const isWhole = edited.length >= 3 || before.sections.size > after.sections.size || isRetitled;
    const changes: Omit<RealChange, 'source'>[] = isWhole
      ? [{ action: 'update', url, checksum: after.page }]
      : [...edited, ...added].map((anchor) => ({
          action: added.includes(anchor) ? 'create' : 'update',
          url,
          anchor,
          checksum: after.sections.get(anchor) ?? '',
        }));
    for (const source of this.#options.watchersOf(page.path)) {
      for (const change of changes) this.#options.ledger.expect({ source, ...change, mayMerge: page.hurried });
    }
  }

  #makeNoise(page: AuthoredPage): void {
    const before = this.#checksums(page).page;
    this.#stamp += 1;
    this.#publish(page);
    if (this.#checksums(page).page !== before) throw new Error('What was meant as noise says something.');
  }

  #publishAll(): void {
    for (const page of this.#pages.values()) this.#publish(page);
    this.#options.shelf.list(this.paths);
  }

  #publish(page: AuthoredPage): void {
    this.#options.shelf.put(page.path, this.#render(page));
  }

  #render(page: AuthoredPage): string {
    return renderPage(page, { stamp: this.#stamp, links: this.paths });
  }

  #checksums(page: AuthoredPage): Checksums {
    return checksumsOf(this.#render(page), this.#urlOf(page.path));
  }

  #urlOf(path: string): string {
    return new URL(path.slice(1), this.url).href;
  }

  #newPath(): string {
    const number = this.#nextPage;
    this.#nextPage += 1;
    return number === 0 ? '/' : `/page-${number}.html`;
  }

  #newSection(): AuthoredPage['sections'][number] {
    const edition = this.#nextEdition();
    return { anchor: `part-${edition}`, edition };
  }

  #nextEdition(): number {
    this.#edition += 1;
    return this.#edition;
  }
}

function differs(before: Checksums, after: Checksums, anchor: string): boolean {
  return before.sections.get(anchor) !== after.sections.get(anchor);
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, place: random.fraction() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
