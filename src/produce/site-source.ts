import type { AddressForm } from '../crawl/site-address.ts';
import type { PageChange } from '../diff/page-change.ts';
import type { KnownPages, PageRecord } from '../log/pages-file.ts';
import type { FileFailure } from '../model/folder.ts';
import type { FoundBy, Page } from '../model/page.ts';
import type { Uses } from '../model/uses.ts';
import type { SafetyWords } from './safety-words.ts';
import type { SiteRules } from './site-rules.ts';

/** One change of a page or section, with the additional facts for the log. */
export interface SiteChange extends PageChange {
  /** Fingerprint of the whole page after the change. Absent on delete. */
  readonly pageChecksum?: string;
  /** When the site says that it happened. */
  readonly claimedTime?: string;
  /** The publication time that a new page states, RFC 3339. */
  readonly published?: string;
  /** What is now said about the use of its page. */
  readonly uses?: Uses;
}

/** A doubtful reading of a page, which is believed if it stays the same. */
export interface DoubtedPage {
  readonly record: PageRecord;
  /** What is reported once it is believed. */
  readonly changes: readonly SiteChange[];
}

export interface SiteComparison {
  readonly pages: ReadonlyMap<string, PageRecord>;
  readonly changes: readonly SiteChange[];
  readonly vanished: readonly string[];
  /** For a live site: vanished pages that it still links to, although their host says that they do not exist. */
  readonly notFound?: readonly string[];
  /** How many pages could be read, or are known to be unchanged. */
  readonly reached: number;
  readonly failures: readonly FileFailure[];
  /** For a live site: known pages that say they do not exist, although their host says they do. They are among the failures. */
  readonly seemingGone?: readonly string[];
  /** For a live site: known pages for which something else may have been read. They are among the failures. */
  readonly doubted?: readonly DoubtedPage[];
  /** For a live site: requested URLs that are not pages. */
  readonly skipped?: readonly FileFailure[];
  /** For a live site: how its pages were found. */
  readonly foundBy?: FoundBy;
  /** For a live site: the number of the next look; absent until looks must be distinguished. */
  readonly look?: number | undefined;
  /** Pages on which the frame of the site changed, alone or with other parts. */
  readonly frame?: number;
  /** How many parsed pages have no part that the only-these-parts rules name. */
  readonly unmatched?: number;
}

/** A page as it was just read. */
export interface PageReading {
  readonly page: Page;
  /** What it was read from. */
  readonly html: string;
  readonly record: PageRecord;
  readonly changes: readonly SiteChange[];
  /** The changes of its sections, if `changes` reports the page as a whole: reported instead if the rest belongs to the site's frame. */
  readonly finer?: readonly SiteChange[];
  /** For a live site: how its pages are found. */
  readonly foundBy?: FoundBy | undefined;
}

export interface ReadingTurns {
  readonly signal?: AbortSignal;
  /** Called now and then while pages are read. The total of a live site grows as more pages become known. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface CompareOptions extends ReadingTurns, AddressForm {
  readonly site: URL;
  /** Which pages to read, by their public URL. The others are not read; none of them may be among the stored pages. */
  readonly accepts?: (url: string) => boolean;
  /** Which parts of pages to read. The rules accept every stored page. */
  readonly rules?: SiteRules;
  /** Believe a site of which much vanishes. */
  readonly allowDeletes?: boolean;
  /** Doubtful pages are looked at again later and believed if they stay the same. */
  readonly looksAgain?: boolean;
  /** How messages name what a person can do. Default: the flags of a publish. */
  readonly words?: SafetyWords;
  /** Called with each parsed page and awaited, so that no page has to be kept. An exception ends the comparison. */
  readonly onPage?: (reading: PageReading) => void | Promise<void>;
}

/** Where the pages of a site are. */
export interface SiteSource {
  /** Its name in messages. */
  readonly name: string;
  /** What to check if it has almost no content. */
  readonly advice: string;
  /** Compares the site with what is stored about it. A page that cannot be read stays as it was. */
  compare(before: KnownPages, options: CompareOptions): Promise<SiteComparison>;
  /**
   * One digest of all files from which pages are read: if it is unchanged, a comparison would have the same result as the last one. Undefined if a
   * file cannot be read. `compare` reuses what it saw. Absent if that saves nothing.
   */
  digest?(turns: ReadingTurns): Promise<string | undefined>;
  /** The current bytes of a compared page; undefined if it no longer exists. They are valid until the next call. Absent if pages are not kept. */
  readPage?(url: string): Uint8Array | undefined;
}
