import { layOutFeed } from '../../../digest/feed-files.ts';
import { ForeignFileError } from '../../../errors/foreign-file-error.ts';
import { isOnSite } from '../../../fetch/same-site.ts';
import type { Change } from '../../../model/change.ts';
import { collectionKey } from '../read/change-key.ts';
import type { KnownSource, Metadata } from '../read/harvested.ts';
import {
  collectionFeedId,
  type FeedFolder,
  feedPath,
  type HarvestedFeedFile,
  readFeedFile,
  SITE_FEED,
  siteFeedId,
} from './feed-file.ts';
import type { FeedRun } from './feed-runs.ts';
import { harvestEntry, namesOf } from './run-entry.ts';

export interface ProjectedSource {
  readonly source: string;
  /** The key of the source in the state. */
  readonly entry: string;
  /** The address of the site. */
  readonly url: URL;
  readonly known: KnownSource;
}

export interface ProjectOptions {
  readonly folder: FeedFolder;
  /** The changes in the log after a seq. */
  readonly changes: (after: number) => AsyncIterable<Change>;
  /** Where the folder is served. Without it there are no archives. */
  readonly base?: URL;
  /** The most pages that an entry names. */
  readonly maxListed?: number;
  /** The most entries in a feed. Older ones are in archives, or only in the log. */
  readonly maxEntries?: number;
}

const MAX_ENTRIES = 100;
/** The most entries in a feed that has no archives. */
const MAX_UNARCHIVED = 1000;
/** A longer feed could not be read again. This is half of what `takeAtomEntries` accepts. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

interface OpenFeed extends HarvestedFeedFile {
  readonly name: string;
  readonly id: string;
  readonly title: string;
  readonly author: string;
  readonly url: string | undefined;
  /** The entries of the runs processed now that are in no archive, oldest first. */
  readonly walked: string[];
  /** How many of them the file does not have yet. */
  added: number;
}

interface WrittenFeeds {
  readonly names: readonly string[];
  /** Feeds that lack older entries, which are still in the log. */
  readonly cut: readonly string[];
}

/** The feeds of a source, while they are updated from its log. */
export class OpenFeeds {
  readonly errors: ForeignFileError[] = [];
  readonly #source: ProjectedSource;
  readonly #options: ProjectOptions;
  /** Undefined for a feed whose files are not ours. */
  readonly #open = new Map<string, OpenFeed | undefined>();

  constructor(source: ProjectedSource, options: ProjectOptions) {
    this.#source = source;
    this.#options = options;
  }

  async areThere(names: readonly string[]): Promise<boolean> {
    for (const name of names) {
      if ((await this.#options.folder.read(feedPath(name))) === undefined) return false;
    }
    return true;
  }

  async add(run: FeedRun): Promise<void> {
    const collection = await this.#collectionFeed(run.describes);
    const site = await this.#siteFeed();
    const feeds = [collection, site].flatMap((feed) => feed ?? []);
    const written = feeds.flatMap(({ known }) => known.get(run.entryId) ?? [])[0];
    const isLacking = feeds.some(({ known }) => !known.has(run.entryId));
    const entry = written ?? (isLacking ? this.#entryOf(run) : '');
    for (const feed of feeds) {
      if (feed.archivedIds.has(run.entryId)) continue;
      const own = feed.known.get(run.entryId);
      if (own === undefined) feed.added += 1;
      feed.known.set(run.entryId, own ?? entry);
      feed.walked.push(own ?? entry);
    }
  }

  /** Writes the feeds of collections first, so that the feed of all comes after what it describes. */
  async write(): Promise<WrittenFeeds> {
    const { folder, base, maxEntries = base === undefined ? MAX_UNARCHIVED : MAX_ENTRIES } = this.#options;
    const feeds = [...this.#open.values()].flatMap((feed) => (feed !== undefined && feed.added > 0 ? [feed] : []));
    const cut: string[] = [];
    for (const feed of feeds.sort((one, other) => Number(one.name === SITE_FEED) - Number(other.name === SITE_FEED))) {
      const entries = entriesOf(feed);
      const most = fitting(entries, maxEntries);
      if (base === undefined && most < entries.length) cut.push(feed.name);
      const { files } = layOutFeed({
        head: {
          id: feed.id,
          title: feed.title,
          author: { name: feed.author },
          ...(feed.url !== undefined && { url: feed.url }),
          generator: 'Tidings',
        },
        entries: base === undefined ? entries.slice(0, most) : entries,
        archived: feed.archived,
        maxEntries: most,
        pathOf: (archive) => feedPath(feed.name, archive),
        urlOf: (path) => (base === undefined ? undefined : new URL(path, base).href),
      });
      for (const { path, text } of files) await folder.replace(path, new TextEncoder().encode(text));
    }
    return { names: feeds.map(({ name }) => name), cut };
  }

  #entryOf(run: FeedRun): string {
    const { known, url } = this.#source;
    const said = known.collections[collectionKey(run.describes)] ?? {};
    return harvestEntry(run, { site: url, said, maxListed: this.#options.maxListed });
  }

  #collectionFeed(describes: string): Promise<OpenFeed | undefined> {
    const collection = this.#source.known.collections[collectionKey(describes)];
    if (collection === undefined) return Promise.resolve(undefined);
    return this.#feed(collection.name, collectionFeedId(describes), describes, collection);
  }

  #siteFeed(): Promise<OpenFeed | undefined> {
    const { url, entry, known } = this.#source;
    const { site = {} } = Object.values(known.collections).find((each) => each.site?.title !== undefined) ?? {};
    return this.#feed(SITE_FEED, siteFeedId(entry), url.href, site);
  }

  async #feed(name: string, id: string, about: string, said: Metadata): Promise<OpenFeed | undefined> {
    if (this.#open.has(name)) return this.#open.get(name);
    const feed = await this.#openFeed(name, id, about, said);
    this.#open.set(name, feed);
    return feed;
  }

  async #openFeed(name: string, id: string, about: string, said: Metadata): Promise<OpenFeed | undefined> {
    try {
      const file = await readFeedFile(this.#options.folder, name, id);
      const url = isOnSite(about, [this.#source.url]) ? about : undefined;
      return { ...file, name, id, url, walked: [], added: 0, ...namesOf(about, said, this.#source.url) };
    } catch (error) {
      if (!(error instanceof ForeignFileError)) throw error;
      this.errors.push(error);
      return undefined;
    }
  }
}

/** Newest first: the processed runs in log order, then the older entries of the file. */
function entriesOf({ walked, entries }: OpenFeed): string[] {
  const looked = new Set(walked);
  return [...walked.toReversed(), ...entries.filter((entry) => !looked.has(entry))];
}

/** How many of the newest entries fit into one file: at most `most`, at least one. */
function fitting(entries: readonly string[], most: number): number {
  let characters = 0;
  const count = entries.slice(0, most).findIndex((entry) => {
    characters += entry.length;
    return characters > MAX_CHARACTERS;
  });
  return count === -1 ? most : Math.max(count, 1);
}
