import type { LivePage, LivePages } from '../crawl/live-page.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Batch, FeedOffer, FeedQuestion, FeedReader, ReaderPorts, ReadingEnd } from '../dialects/reader.ts';
import type { FoundBy } from '../model/page.ts';
import type { ChangeStream } from '../stream/change-stream.ts';
import type { FallChanges, TakenPage } from './fall-changes.ts';
import type { SitePlace } from './site-place.ts';
import type { ToldSite } from './told-site.ts';

/**
 * Opens the state of a site that has no feed, and looks at it: a private hub of the follower with this one source. One at a time for each `entry`.
 * The state of an entry stays where it is, whatever place is watched for it, unless it is to be read again from the start.
 */
export type OpenSite = (entry: string, place: SitePlace, how?: { readonly isAnew?: boolean }) => Promise<OpenedSite>;

/** The site itself as a dialect. */
export interface SiteDialect extends Dialect {
  readonly reader: () => Promise<SiteReader>;
}

export interface SiteReader extends FeedReader {
  discover(question: FeedQuestion, ports: ReaderPorts): Promise<PagesOffer>;
}

export interface PagesOffer extends FeedOffer {
  readonly pages: LivePages;
  /** Pages in `known` that are reported as new existed before and are not delivered. */
  read(options?: { readonly known?: ReadonlySet<string> }): AsyncGenerator<Batch, ReadingEnd>;
  /** Reads all pages again instead of a feed, and reports what they show that the feed has not reported. */
  readInstead(fall: FeedTold): AsyncGenerator<Batch, ReadingEnd>;
  /** What the last look has seen, if known pages were named or a feed was replaced. */
  readonly seen: SeenPages;
}

export interface SeenPages {
  /** When the look began; undefined before the first look. */
  readonly sinceMs: number | undefined;
  /** Known pages that could be read. */
  readonly read: ReadonlySet<string>;
  /** Pages that could not be read. */
  readonly unread: readonly string[];
}

/** What a feed has reported until it broke. */
export interface FeedTold {
  readonly told: ToldSite;
  /** Until when it reported everything. */
  readonly fromMs: number | undefined;
  /** Called with all pages before they are used. An exception ends the reading. */
  readonly onPages?: (pages: readonly TakenPage[]) => void;
  /** Called with what the pages show in addition, before it is delivered. */
  readonly onFound?: (found: FallChanges) => void;
}

export interface OpenedSite extends Pick<ChangeStream, 'changes' | 'look' | 'news'>, AsyncDisposable {
  /** A page as the last look found it, otherwise the current page. */
  readPage(url: URL, signal: AbortSignal): Promise<LivePage>;
  /** How its pages are found. Undefined before the first was found, and for a single page. */
  foundBy(): Promise<FoundBy | undefined>;
  /** Its known pages. */
  found(): Promise<readonly TakenPage[]>;
  /** Its state after the last look. */
  standing(): SiteStanding;
}

export interface SiteStanding {
  /** Pages that the last look could not read. */
  readonly unread: number;
  /** Messages about it for a person. */
  readonly notes: readonly string[];
  /** Until the next look. */
  readonly intervalMs: number;
}
