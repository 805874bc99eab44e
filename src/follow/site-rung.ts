import type { LivePage, LivePages } from '../crawl/live-page.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Batch, FeedOffer, FeedQuestion, FeedReader, ReaderPorts, ReadingEnd } from '../dialects/reader.ts';
import type { FoundBy } from '../model/page.ts';
import type { ChangeStream } from '../stream/change-stream.ts';
import type { FallChanges, TakenPage } from './fall-changes.ts';
import type { SitePlace } from './site-place.ts';
import type { ToldSite } from './told-site.ts';

/**
 * Opens what is known of a site that has no feed, and looks at it: a hub of the follower's own with this one source. One at a time for each
 * `entry`; what is known of an entry stays where it is, whatever place is watched for it, unless it is to be read anew.
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
  /** What is told of pages as new, and was there before, is not handed on. */
  read(options?: { readonly known?: ReadonlySet<string> }): AsyncGenerator<Batch, ReadingEnd>;
  /** Reads all pages anew in place of a feed: of what they show, that is told which the feed has not told. */
  readInstead(fall: FeedTold): AsyncGenerator<Batch, ReadingEnd>;
  /** What the last look has seen, where known pages were named or a feed was spoken for. */
  readonly seen: SeenPages;
}

export interface SeenPages {
  /** When the look began; undefined before there was one. */
  readonly sinceMs: number | undefined;
  /** Pages that are known and could be read. */
  readonly read: ReadonlySet<string>;
  /** Pages that could not. */
  readonly unread: readonly string[];
}

/** What a feed has told until it broke. */
export interface FeedTold {
  readonly told: ToldSite;
  /** Until when it told all. */
  readonly fromMs: number | undefined;
  /** Called with all pages, before anything is made of them. What it throws ends the reading. */
  readonly onPages?: (pages: readonly TakenPage[]) => void;
  /** Called with what the pages show beyond that, before it is handed on. */
  readonly onFound?: (found: FallChanges) => void;
}

export interface OpenedSite extends Pick<ChangeStream, 'changes' | 'look' | 'news'>, AsyncDisposable {
  /** A page as the last look found it, else as it is now. */
  readPage(url: URL, signal: AbortSignal): Promise<LivePage>;
  /** How its pages are found. Undefined before the first was, and of a single page. */
  foundBy(): Promise<FoundBy | undefined>;
  /** Its pages as they are known. */
  found(): Promise<readonly TakenPage[]>;
  /** How it stands behind the last look. */
  standing(): SiteStanding;
}

export interface SiteStanding {
  /** Pages that the last look could not read. */
  readonly unread: number;
  /** What a person should know of it. */
  readonly notes: readonly string[];
  /** Until the next look. */
  readonly intervalMs: number;
}
