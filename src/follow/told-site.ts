import { boundaryOf } from '../codecs/aicf/boundary.ts';
import { parseTime } from '../codecs/primitives/time.ts';
import type { Change } from '../model/change.ts';
import { claimSpan } from './claim-span.ts';
import { editChecksums, type StoredChecksums } from './follow-state.ts';

/** The last report about a page, from any origin. */
export interface LastTold {
  readonly timeMs: number;
  readonly isGone: boolean;
  /** The last known title of the page. */
  readonly title?: string;
}

type ToldChange = Pick<Change, 'kind' | 'action' | 'url' | 'anchor' | 'checksum' | 'time' | 'claimedTime'> & {
  readonly title?: string;
  readonly provenance?: Change['provenance'];
};

/** What a log says about the pages of a site: which were reported, when last, and with which checksums. */
export class ToldSite {
  readonly #pages = new Map<string, LastTold>();
  readonly #checksums: StoredChecksums = new Map();
  /** Boundaries whose last report is ours. */
  readonly #own = new Set<string>();
  /** When we last reported something about a page ourselves. */
  readonly #seenMs = new Map<string, number>();

  /** In the order of the log. */
  add({ kind, action, url, anchor, checksum, time, claimedTime = '', title, provenance }: ToldChange): void {
    if (kind !== 'page') return;
    const timeMs = parseTime(time) ?? 0;
    const isPage = anchor === undefined;
    const called = title ?? this.#pages.get(url)?.title;
    const isGone = isPage && action === 'delete';
    this.#pages.set(url, { timeMs, isGone, ...(called !== undefined && { title: called }) });
    const isOwn = provenance?.by === 'compare';
    if (isOwn) this.#seenMs.set(url, timeMs);
    // A late report of a feed about something that we have seen since says nothing about the current page.
    else if ((claimSpan(claimedTime)?.toMs ?? timeMs) <= (this.#seenMs.get(url) ?? 0) && this.#isOwnIn(url, anchor))
      return;
    const counts = checksum !== undefined && action !== 'delete';
    const boundary = boundaryOf({ url, anchor });
    editChecksums(this.#checksums, { page: url, boundary, ...(counts && { checksum }) });
    if (isOwn) this.#own.add(boundary);
    else this.#own.delete(boundary);
  }

  /** For pages that the log does not reach back to. */
  addChecksums(stored: StoredChecksums): void {
    for (const [page, checksums] of stored) {
      if (this.#pages.has(page) || checksums.size === 0) continue;
      this.#pages.set(page, { timeMs: 0, isGone: false });
      this.#checksums.set(page, checksums);
    }
  }

  /** The number of pages that were reported and not reported as gone. */
  get liveCount(): number {
    let count = 0;
    for (const { isGone } of this.#pages.values()) count += Number(!isGone);
    return count;
  }

  /** Undefined if it was never reported, or was reported as gone. */
  page(url: string): LastTold | undefined {
    const told = this.#pages.get(url);
    return told?.isGone ? undefined : told;
  }

  /** Whether we computed the checksum of a boundary. */
  isOwn(boundary: string): boolean {
    return this.#own.has(boundary);
  }

  #isOwnIn(url: string, anchor: string | undefined): boolean {
    if (this.#own.has(url) || (anchor !== undefined && this.#own.has(boundaryOf({ url, anchor })))) return true;
    return anchor === undefined && [...this.checksumsOf(url).keys()].some((boundary) => this.#own.has(boundary));
  }

  /** By boundary. */
  checksumsOf(url: string): ReadonlyMap<string, string> {
    return this.#checksums.get(url) ?? new Map();
  }
}
