import type { AddressForm } from '../crawl/site-address.ts';
import type { PageChange } from '../diff/page-change.ts';
import type { KnownPages, PageRecord } from '../log/pages-file.ts';
import type { FileFailure } from '../model/folder.ts';
import type { FoundBy, Page } from '../model/page.ts';
import type { Uses } from '../model/uses.ts';
import type { SafetyWords } from './safety-words.ts';
import type { SiteRules } from './site-rules.ts';

/** One change of a page or section, with what the log wants to know beside it. */
export interface SiteChange extends PageChange {
  /** Fingerprint of the whole page after the change. Absent on delete. */
  readonly pageChecksum?: string;
  /** When the site says that it happened. */
  readonly claimedTime?: string;
  /** When a page that is new says that it was published, RFC 3339. */
  readonly published?: string;
  /** What is said of the use of its page now. */
  readonly uses?: Uses;
}

/** A page as it was read, which is believed when it stays so. */
export interface DoubtedPage {
  readonly record: PageRecord;
  /** What is told once it is believed. */
  readonly changes: readonly SiteChange[];
}

export interface SiteComparison {
  readonly pages: ReadonlyMap<string, PageRecord>;
  readonly changes: readonly SiteChange[];
  readonly vanished: readonly string[];
  /** Of a live site: those among them which it still leads to, though its host says that they are not there. */
  readonly notFound?: readonly string[];
  /** How many pages could be read, or are known to be as they were. */
  readonly reached: number;
  readonly failures: readonly FileFailure[];
  /** Of a live site: known pages that say they are not there, though their host says they are. They are among the failures. */
  readonly seemingGone?: readonly string[];
  /** Of a live site: known pages that may not be what was read in their place. They are among the failures. */
  readonly doubted?: readonly DoubtedPage[];
  /** Of a live site: what was asked for and is no page. */
  readonly skipped?: readonly FileFailure[];
  /** Of a live site: how its pages were found. */
  readonly foundBy?: FoundBy;
  /** Of a live site: the number of the next look at it; absent until one has to be told from another. */
  readonly look?: number | undefined;
  /** Pages on which only the frame of the site is another one, or also the frame. */
  readonly frame?: number;
  /** Of the pages that were parsed: how many have nothing that the rules read alone. */
  readonly unmatched?: number;
}

/** A page as it was just read. */
export interface PageReading {
  readonly page: Page;
  /** What it was read from. */
  readonly html: string;
  readonly record: PageRecord;
  readonly changes: readonly SiteChange[];
  /** Of its sections, where `changes` tells of the page as a whole: told instead when the rest turns out to be the site's frame. */
  readonly finer?: readonly SiteChange[];
  /** Of a live site: how its pages are found. */
  readonly foundBy?: FoundBy | undefined;
}

export interface ReadingTurns {
  readonly signal?: AbortSignal;
  /** Called now and then while pages are read. The total of a live site grows as it becomes known. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface CompareOptions extends ReadingTurns, AddressForm {
  readonly site: URL;
  /** Which pages are looked at, by their public address. The others are not read; none of them may be among those remembered. */
  readonly accepts?: (url: string) => boolean;
  /** Which parts of pages are read. They accept every page that is remembered. */
  readonly rules?: SiteRules;
  /** Take at its word a site of which much vanishes. */
  readonly allowDeletes?: boolean;
  /** What is doubted now is looked at again, so that what stays is believed then. */
  readonly looksAgain?: boolean;
  /** How messages name what a person can do. The flags of a publish unless said otherwise. */
  readonly words?: SafetyWords;
  /** Called with each page that was parsed, and waited for, so that no page has to be kept. What it throws ends the comparison. */
  readonly onPage?: (reading: PageReading) => void | Promise<void>;
}

/** Where the pages of a site are. */
export interface SiteSource {
  /** How messages call it. */
  readonly name: string;
  /** What to look at when nearly nothing is there. */
  readonly advice: string;
  /** What the site says now against what is remembered of it. A page that cannot be read stays as it was. */
  compare(before: KnownPages, options: CompareOptions): Promise<SiteComparison>;
  /**
   * One text for all files that pages are read from: two that are the same show that a comparison would find what the last one found.
   * Undefined where one cannot be read. `compare` goes on from what it saw. Absent where that saves nothing.
   */
  digest?(turns: ReadingTurns): Promise<string | undefined>;
  /**
   * The bytes of a page that was compared, as they are now; undefined when there are none any more. They are yours until the next
   * call. Absent where pages are not kept.
   */
  readPage?(url: string): Uint8Array | undefined;
}
