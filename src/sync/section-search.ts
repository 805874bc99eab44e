/** Full-text search over an index that `sync` maintains. */
export interface SectionSearch extends AsyncDisposable {
  /**
   * The matching sections, best first: those with all words of the query or, if there are none, those with some. The query is what a person or a
   * model typed, not a syntax: nothing in it is an error.
   */
  searchSections(query: string, options?: SectionSearchOptions): Promise<readonly FoundSection[]>;
}

export interface SectionSearchOptions {
  /** Default: 20, at most 200. */
  readonly limit?: number | undefined;
  /** The number of best hits to skip. */
  readonly skip?: number | undefined;
  readonly source?: string | undefined;
}

export interface FoundSection {
  readonly url: string;
  /** `''` for the text before the first heading. */
  readonly anchor: string;
  /** Of the page. */
  readonly title: string;
  readonly heading: string;
  /** The part of its Markdown that matches the query best, cut at words. */
  readonly snippet: string;
  readonly source: string;
  /** Higher is better; comparable only within one answer. */
  readonly score: number;
}
