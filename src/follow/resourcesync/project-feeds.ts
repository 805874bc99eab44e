import { encodeAtomEntry } from '../../codecs/atom/encode-entry.ts';
import { stableId } from '../../codecs/atom/stable-id.ts';
import { parseTime } from '../../codecs/primitives/time.ts';
import { digestEntry } from '../../digest/digest-entry.ts';
import { layOutFeed } from '../../digest/feed-files.ts';
import { ForeignFileError } from '../../errors/foreign-file-error.ts';
import type { Change } from '../../model/change.ts';
import { collectionKey } from './change-key.ts';
import { type FeedFile, type FeedFolder, feedPath, readFeedFile } from './feed-file.ts';
import { type FeedRun, feedRuns } from './feed-runs.ts';
import type { KnownSource, Metadata, Projected } from './harvested.ts';
import { isOnSite } from './same-site.ts';

export interface ProjectedSource {
  readonly source: string;
  /** What the source is known by in the state. */
  readonly entry: string;
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
  /** So many entries are in a feed: older ones are in archives, or in the log alone. */
  readonly maxEntries?: number;
}

export interface Projection {
  readonly projected: Projected;
  readonly errors: readonly ForeignFileError[];
  /** What a person should know of the feeds. */
  readonly notes: readonly string[];
}

const SITE_FEED = 'site';
const MAX_ENTRIES = 100;
/** Without a place for archives, so many of the newest entries are in a feed. */
const MAX_UNARCHIVED = 1000;
/** A feed that is longer cannot be read again: half of what `takeAtomEntries` takes. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
const CUT =
  'It has only the newest entries, because older ones need archives and nobody said where those are served. With --base they come back.';

/**
 * Brings the feeds of a source up to its log: one of each collection, and one of all. Entries that were written keep their bytes; those
 * that no file has are made from the log. Without news no file is touched. A file that is not ours is an error of that feed alone.
 */
export async function projectFeeds(projected: ProjectedSource, options: ProjectOptions): Promise<Projection> {
  const feeds = new OpenFeeds(projected, options);
  const { known, source } = projected;
  const before = known.projected ?? { seq: 0, names: [] };
  const hasCome = before.isCut === true && options.base !== undefined;
  const isWhole = !hasCome && (await feeds.areThere(before.names));
  let { seq } = isWhole ? before : { seq: 0 };
  for await (const run of feedRuns(options.changes(seq), source)) {
    await feeds.add(run);
    seq = run.lastSeq;
  }
  const { names, cut } = await feeds.write();
  // What a feed could not take is offered to it again.
  const isDone = feeds.errors.length === 0;
  const isCut = cut.length > 0 || (before.isCut === true && !(hasCome && isDone));
  return {
    projected: {
      seq: isDone ? seq : Math.min(before.seq, seq),
      names: [...new Set([...before.names, ...names])],
      ...(isCut && { isCut }),
    },
    errors: feeds.errors,
    // Once: they stay cut.
    notes: before.isCut === true ? [] : cut.map((name) => `${feedPath(name)}: ${CUT}`),
  };
}

interface OpenFeed extends FeedFile {
  readonly name: string;
  readonly id: string;
  readonly title: string;
  readonly author: string;
  readonly url: string | undefined;
  /** Those of the runs that were looked at and that are in no archive, oldest first. */
  readonly walked: string[];
  /** How many of them the file does not have. */
  added: number;
}

interface WrittenFeeds {
  readonly names: readonly string[];
  /** Those that lack older entries, which are in the log. */
  readonly cut: readonly string[];
}

class OpenFeeds {
  readonly errors: ForeignFileError[] = [];
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
    const written = feeds.flatMap(({ known }) => known.get(run.entryId) ?? [])[0];
    const isLacking = feeds.some(({ known }) => !known.has(run.entryId));
    const entry = written ?? (isLacking ? this.#makeEntry(run) : '');
    for (const feed of feeds) {
      if (feed.archivedIds.has(run.entryId)) continue;
      const own = feed.known.get(run.entryId);
      if (own === undefined) feed.added += 1;
      feed.known.set(run.entryId, own ?? entry);
      feed.walked.push(own ?? entry);
    }
  }

  /** Those of collections first: the feed of all comes when what it tells of is there. */
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

  #collectionFeed(describes: string): Promise<OpenFeed | undefined> {
    const collection = this.#source.known.collections[collectionKey(describes)];
    if (collection === undefined) return Promise.resolve(undefined);
    return this.#feed(collection.name, stableId('harvest', describes), describes, collection);
  }

  #siteFeed(): Promise<OpenFeed | undefined> {
    const { url, entry, known } = this.#source;
    const { site = {} } = Object.values(known.collections).find((each) => each.site?.title !== undefined) ?? {};
    return this.#feed(SITE_FEED, stableId('harvest', 'site', entry), url.href, site);
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

/** Newest first: what was looked at in the order of the log, and below it what the file has from before. */
function entriesOf({ walked, entries }: OpenFeed): string[] {
  const looked = new Set(walked);
  return [...walked.toReversed(), ...entries.filter((entry) => !looked.has(entry))];
}

/** How many of the newest entries one file can have: at most `most`, at least one. */
function fitting(entries: readonly string[], most: number): number {
  let characters = 0;
  const count = entries.slice(0, most).findIndex((entry) => {
    characters += entry.length;
    return characters > MAX_CHARACTERS;
  });
  return count === -1 ? most : Math.max(count, 1);
}

/** What is said of it, else its address without what every address has. */
function namesOf(about: string, { title, author }: Metadata, site: URL): { title: string; author: string } {
  const address = about.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  return { title: title || address.slice(0, 200), author: author || site.host };
}
