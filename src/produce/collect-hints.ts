import type { Hints } from '../model/change.ts';
import type { Extensions } from '../model/extensions.ts';
import { makeHints } from './make-hints.ts';
import type { PageReading, SiteChange } from './site-source.ts';

export interface HintOptions {
  readonly extensions: Extensions;
  /** Returns a text that was never returned before. */
  readonly nonce: () => string;
}

/** Identifies a change within one comparison: a boundary changes once in it. */
export function boundaryKey({ url, anchor }: Pick<SiteChange, 'url' | 'anchor'>): string {
  return anchor === undefined ? url : `${url}#${anchor}`;
}

/** Computes the hints of each change while its page is in memory, and keeps them for the log. */
export class HintCollector {
  readonly #options: HintOptions;
  readonly #hints = new Map<string, Hints | undefined>();

  constructor(options: HintOptions) {
    this.#options = options;
  }

  readonly onPage = ({ page, changes }: Pick<PageReading, 'page' | 'changes'>): void => {
    for (const change of changes) this.#hints.set(boundaryKey(change), makeHints(change, page, this.#options));
  };

  /** For a deleted page: the hints that do not need the page. */
  of(change: SiteChange): Hints | undefined {
    return change.action === 'delete'
      ? makeHints(change, undefined, this.#options)
      : this.#hints.get(boundaryKey(change));
  }
}
