import { encodeAtomEntry } from '../../codecs/atom/encode-entry.ts';
import { stableId } from '../../codecs/atom/stable-id.ts';
import { parseTime } from '../../codecs/primitives/time.ts';
import { digestEntry } from '../../digest/digest-entry.ts';
import { layOutFeed } from '../../digest/feed-files.ts';
import { FeedForeignError } from '../../errors/harvest-error.ts';
import type { Change } from '../../model/change.ts';
import { collectionKey } from './change-key.ts';
import { type FeedFile, type FeedFolder, feedPath, readFeedFile } from './feed-file.ts';
import { type FeedRun, feedRuns } from './feed-runs.ts';
import type { KnownSource, Metadata, Projected } from './harvested.ts';
import { isOnSite } from './same-site.ts';

export interface ProjectedSource {
  readonly source: string;
  /** The site. */
  readonly url: URL;
  readonly known: KnownSource;
}

export interface ProjectOptions {
  readonly folder: FeedFolder;
  /** What the log holds behind a change. */
  readonly changes: (after: number) => AsyncIterable<Change>;
  /** Where the folder is served. Without it nothing is archived. */
  readonly base?: URL;
  /** So many pages are named in an entry. */
  readonly maxListed?: number;
  readonly maxEntries?: number;
}

export interface Projection {
  readonly projected: Projected;
  readonly errors: readonly FeedForeignError[];
}

const SITE_FEED = 'site';
const MAX_ENTRIES = 100;

/**
 * Brings the feeds of a source up to its log: one of each collection, and one of all. Entries that were written keep their bytes; those
 * that no file has are made from the log. Without news no file is touched. A file that is not ours is an error of that feed alone.
 */
export async function projectFeeds(projected: ProjectedSource, options: ProjectOptions): Promise<Projection> {
  const feeds = new OpenFeeds(projected, options);
  const { known, source } = projected;
  const before = known.projected ?? { seq: 0, names: [] };
  const isWhole = await feeds.areThere(before.names);
  let { seq } = isWhole ? before : { seq: 0 };
  for await (const run of feedRuns(options.changes(seq), source)) {
    await feeds.add(run);
    seq = run.changes.at(-1)?.seq ?? seq;
  }
  const names = await feeds.write();
  // What a feed could not take is offered to it again.
  const isDone = feeds.errors.length === 0;
  return {
    projected: { seq: isDone ? seq : Math.min(before.seq, seq), names: [...new Set([...before.names, ...names])] },
    errors: feeds.errors,
  };
}

interface OpenFeed extends FeedFile {
  readonly name: string;
  readonly id: string;
  readonly title: string;
  readonly author: string;
  readonly url: string | undefined;
  readonly added: string[];
}

class OpenFeeds {
  readonly errors: FeedForeignError[] = [];
  readonly #source: ProjectedSource;
  readonly #options: ProjectOptions;
  /** Undefined for one whose files are not ours. */
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
    const lacking = feeds.filter(({ known }) => !known.has(run.entryId));
    if (lacking.length === 0) return;
    const written = feeds.flatMap(({ known }) => known.get(run.entryId) ?? [])[0];
    const entry = written ?? this.#makeEntry(run);
    for (const { known, added } of lacking) {
      known.set(run.entryId, entry);
      added.unshift(entry);
    }
  }

  /** Those of collections first: the feed of all comes when what it tells of is there. */
  async write(): Promise<string[]> {
    const { folder, base, maxEntries = MAX_ENTRIES } = this.#options;
    const feeds = [...this.#open.values()].flatMap((feed) =>
      feed !== undefined && feed.added.length > 0 ? [feed] : [],
    );
    for (const feed of feeds.sort((one, other) => Number(one.name === SITE_FEED) - Number(other.name === SITE_FEED))) {
      const { files } = layOutFeed({
        head: {
          id: feed.id,
          title: feed.title,
          author: { name: feed.author },
          ...(feed.url !== undefined && { url: feed.url }),
          generator: 'Tidings',
        },
        entries: [...feed.added, ...feed.entries],
        archived: feed.archived,
        maxEntries,
        pathOf: (archive) => feedPath(feed.name, archive),
        urlOf: (path) => (base === undefined ? undefined : new URL(path, base).href),
      });
      for (const { path, text } of files) await folder.replace(path, new TextEncoder().encode(text));
    }
    return feeds.map(({ name }) => name);
  }

  #collectionFeed(describes: string): Promise<OpenFeed | undefined> {
    const collection = this.#source.known.collections[collectionKey(describes)];
    if (collection === undefined) return Promise.resolve(undefined);
    return this.#feed(collection.name, stableId('harvest', describes), describes, collection);
  }

  #siteFeed(): Promise<OpenFeed | undefined> {
    const { url, known } = this.#source;
    const { site = {} } = Object.values(known.collections).find((each) => each.site?.title !== undefined) ?? {};
    return this.#feed(SITE_FEED, stableId('harvest', 'site', url.href), url.href, site);
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
      return { ...file, name, id, url, added: [], ...namesOf(about, said, this.#source.url) };
    } catch (error) {
      if (!(error instanceof FeedForeignError)) throw error;
      this.errors.push(error);
      return undefined;
    }
  }

  #makeEntry(run: FeedRun): string {
    const { describes, changes, entryId, isFirst, time } = run;
    const { maxListed } = this.#options;
    const { known, url: site } = this.#source;
    const foreign = new Set(changes.flatMap(({ url, provenance }) => (provenance.isForeign === true ? [url] : [])));
    const updatedMs = parseTime(time) ?? Number.NaN;
    const { title } = namesOf(describes, known.collections[collectionKey(describes)] ?? {}, site);
    const entry = encodeAtomEntry({
      ...digestEntry(changes, {
        id: entryId,
        updatedMs,
        about: title,
        ...(isOnSite(describes, [site]) && { url: describes }),
        isFirst,
        ...(maxListed !== undefined && { maxPages: maxListed }),
        linkable: (url) => !foreign.has(url),
      }),
      publishedMs: updatedMs,
    });
    if (!entry.ok) throw new Error(`The entry cannot be written: ${entry.issues[0].message}`);
    return entry.value;
  }
}

/** What is said of it, else its address without what every address has. */
function namesOf(about: string, { title, author }: Metadata, site: URL): { title: string; author: string } {
  const address = about.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  return { title: title || address.slice(0, 200), author: author || site.host };
}
