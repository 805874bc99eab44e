import type { SearchHit, SearchQuery } from '../../../mcp/mcp-ports.ts';
import type { ChangeLine } from '../changes/change-line.ts';
import type { SearchFields } from './search-fields.ts';

/** `whole`: all texts were looked through; `partial`: as many as fit; `preparing`: they are being read; `none`: the hub holds none. */
export type TextsState = 'whole' | 'partial' | 'preparing' | 'none';

/** The search that agents have, over pages as they are now. */
export type PageSearch = (
  query: SearchQuery,
  signal: AbortSignal,
) => Promise<{ readonly state: TextsState; readonly hits: readonly SearchHit[] }>;

/** A section, or the beginning of a page, that has the words now. */
export interface FoundText extends SearchHit {}

export interface SearchFacts {
  /** What was looked for, as it was given. */
  readonly search: SearchFields;
  /** Newest first. */
  readonly changes: readonly ChangeLine[];
  /** The next `before`; absent if there is nothing more. */
  readonly older?: number;
  /** It was not looked further back than `older`. */
  readonly isCut: boolean;
  /** How many changes are not in the index yet. */
  readonly behind: number;
  /** Only with words. */
  readonly pages?: { readonly state: TextsState; readonly hits: readonly FoundText[] };
  /** The same search as feeds, below the hub. */
  readonly feeds: readonly SearchFeed[];
}

export interface SearchFeed {
  readonly words: string;
  readonly mediaType: string;
  readonly path: string;
  /** The parts of the search that it does not support. */
  readonly without: readonly string[];
}
