/** Full text over an index that `sync` keeps. */
export interface SectionSearch extends AsyncDisposable {
  /**
   * The sections that say something, best first: those with all words of the query, and where there are none, those with some. The query is
   * what a person or a model typed, never a syntax: nothing in it is an error.
   */
  searchSections(query: string, options?: SectionSearchOptions): Promise<readonly FoundSection[]>;
}

export interface SectionSearchOptions {
  /** 20 unless said otherwise, at most 200. */
  readonly limit?: number | undefined;
  /** So many of the best are passed over. */
  readonly skip?: number | undefined;
  readonly source?: string | undefined;
}

export interface FoundSection {
  readonly url: string;
  /** `''` for what stands before the first heading. */
  readonly anchor: string;
  /** Of the page. */
  readonly title: string;
  readonly heading: string;
  /** The part of its Markdown that answers the query best, cut at words. */
  readonly snippet: string;
  readonly source: string;
  /** The higher, the better; to be compared within one answer only. */
  readonly score: number;
}
