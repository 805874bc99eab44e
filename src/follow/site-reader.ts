import type { LivePage, LivePages } from '../crawl/live-page.ts';
import { warn } from '../dialects/diagnostic.ts';
import type { Batch, FeedQuestion, ReaderPorts, ReadingEnd } from '../dialects/reader.ts';
import { FetchAbortedError, FetchError } from '../errors/fetch-error.ts';
import { SiteUnreadError } from '../errors/site-unread-error.ts';
import { isOnSite } from '../fetch/same-site.ts';
import { sourceIdOf } from '../model/source.ts';
import type { SourceLook } from '../stream/change-stream.ts';
import { changesAtFall } from './fall-changes.ts';
import { lookAndRead, passOver } from './look-and-read.ts';
import { changeAtFall } from './site-change.ts';
import { decodeSiteMemory, type SiteMemory } from './site-memory.ts';
import { placeAt, placeInstead, type SitePlace } from './site-place.ts';
import type { FeedTold, OpenedSite, OpenSite, PagesOffer, SeenPages, SiteReader, SiteStanding } from './site-rung.ts';

export interface SiteReaderOptions {
  readonly open: OpenSite;
  /** A person wants only what the sitemaps list. */
  readonly needsSitemap?: boolean;
}

/** Follows a site that has no feed: it reports the differences between two looks at its pages. */
export function createSiteReader(options: SiteReaderOptions): SiteReader {
  return {
    noun: 'its pages',
    entriesAt: (url) => [siteEntry(url)],
    discover: async (question, ports) => new OfferedSite(question, ports, options),
  };
}

/** The entry of the pages of a site, beside that of a feed at the same URL. */
function siteEntry(url: URL): string {
  return `${url.href}#pages`;
}

class OfferedSite implements PagesOffer {
  readonly pages: LivePages = { read: ({ url, signal }) => this.#readPage(url, signal ?? this.#ports.signal) };
  readonly #question: FeedQuestion;
  readonly #ports: ReaderPorts;
  readonly #options: SiteReaderOptions;
  readonly #feed: Pick<Batch, 'entry' | 'id'>;
  #site: OpenedSite | undefined;
  #seen: SeenPages = { sinceMs: undefined, read: new Set(), unread: [] };

  constructor(question: FeedQuestion, ports: ReaderPorts, options: SiteReaderOptions) {
    this.#question = question;
    this.#ports = ports;
    this.#options = options;
    this.#feed = { entry: siteEntry(question.url), id: sourceIdOf(question.url) };
  }

  async describe() {
    return { words: 'its pages can be read and compared', url: placeAt(this.#question.url).url };
  }

  get seen(): SeenPages {
    return this.#seen;
  }

  async *read({ known: passedOver }: { readonly known?: ReadonlySet<string> } = {}): AsyncGenerator<Batch, ReadingEnd> {
    const { open, needsSitemap = false } = this.#options;
    const { entry } = this.#feed;
    const known = decodeSiteMemory(await this.#ports.remembered.memoryOf(entry));
    let memory = known ?? this.#begin();
    for (let isAgain = false; ; isAgain = true) {
      await using site = await open(entry, memory.place);
      this.#site = site;
      const sinceMs = passedOver === undefined ? undefined : this.#ports.now();
      const how = { ...this.#ports, feed: this.#feed, needsSitemap, passedOver };
      const { look, found } = yield* lookAndRead(site, memory, how);
      const { place } = memory;
      if (look?.is === 'ok') return await this.#endOf(site, place, sinceMs);
      const isNothing = known === undefined && found === 0 && !isAgain && look?.is === 'failed';
      const other = isNothing ? await this.#placeInstead(site, place) : undefined;
      if (other === undefined) throw unreadError(place, look);
      if (other.kind === place.kind)
        warn(this.#ports, 'moved', `${place.url} leads to ${other.url}, which is followed.`);
      memory = { ...memory, place: other };
    }
  }

  async *readInstead({ told, fromMs, onPages, onFound }: FeedTold): AsyncGenerator<Batch, ReadingEnd> {
    const { entry } = this.#feed;
    const { place } = decodeSiteMemory(await this.#ports.remembered.memoryOf(entry)) ?? this.#begin();
    await using site = await this.#options.open(entry, place, { isAnew: true });
    this.#site = site;
    const sinceMs = this.#ports.now();
    const [look] = await site.look(this.#ports.signal);
    if (look?.is !== 'ok') throw unreadError(place, look);
    const { cursor, datesMs } = await passOver(site, this.#ports.signal);
    const found = (await site.found()).map((page) => ({ ...page, dateMs: datesMs.get(page.url) ?? page.dateMs }));
    onPages?.(found);
    const foundBy = await site.foundBy();
    const atFall = changesAtFall(found, told, fromMs);
    onFound?.(atFall);
    yield {
      ...this.#feed,
      changes: atFall.changes.map((change, index) => changeAtFall(change, `${cursor ?? sinceMs}-${index}`, foundBy)),
      memory: { place, ...(cursor !== undefined && { cursor }) },
    };
    return await this.#endOf(site, place, sinceMs);
  }

  #begin(): SiteMemory {
    const { url, since = {} } = this.#question;
    const { id: cursor, timeMs: sinceMs } = since;
    return {
      place: placeAt(url),
      ...(cursor !== undefined && { cursor }),
      ...(sinceMs !== undefined && { sinceMs }),
    };
  }

  async #endOf(site: OpenedSite, { url }: SitePlace, sinceMs?: number): Promise<ReadingEnd> {
    const standing = site.standing();
    const { unread, intervalMs } = standing;
    if (sinceMs !== undefined) this.#seen = await seenBy(site, sinceMs);
    for (const note of notesFor(standing)) warn(this.#ports, 'site-note', note);
    if (unread === 0) return { freshMs: intervalMs };
    const what = unread === 1 ? '1 page' : `${unread} pages`;
    const message = `${what} of ${url} could not be read. What was known of them stays; follow again later.`;
    return { freshMs: intervalMs, unread: { errors: [new SiteUnreadError(url, message)] } };
  }

  /** The new place of a site that answers elsewhere: under https, under www, as a single page. Throws if that belongs to somebody else. */
  async #placeInstead(site: OpenedSite, place: SitePlace): Promise<SitePlace | undefined> {
    const { url } = this.#question;
    const page = await this.#pageAt(url, site);
    if (page === undefined) return undefined;
    const { url: found, isForNow = false } = page;
    const isOwn = isOnSite(found.href, [url]) && (!isForNow || found.hostname === url.hostname);
    if (isOwn) return placeInstead(place, url, found);
    const message = `${url.href} leads to ${found.href}, which is another site. Follow that address if you mean it.`;
    throw new SiteUnreadError(place.url, message, 'fix-input');
  }

  async #pageAt(url: URL, site: OpenedSite): Promise<LivePage | undefined> {
    try {
      return await site.readPage(url, this.#ports.signal);
    } catch (error) {
      if (error instanceof FetchError && !(error instanceof FetchAbortedError)) return undefined;
      throw error;
    }
  }

  #readPage(url: URL, signal: AbortSignal): Promise<LivePage> {
    if (this.#site === undefined) throw new Error('Pages of a site are asked for while nobody looks at it.');
    return this.#site.readPage(url, signal);
  }
}

const OF_ADDRESS = /^(https?:\/\/\S+): /;

async function seenBy(site: OpenedSite, sinceMs: number): Promise<SeenPages> {
  const { unread: count, notes } = site.standing();
  const unread = notes.flatMap((note) => OF_ADDRESS.exec(note)?.[1] ?? []).slice(0, count);
  const read = new Set((await site.found()).map(({ url }) => url));
  for (const url of unread) read.delete(url);
  return { sinceMs, read, unread };
}

/** Unread pages come first; dead links are the site's own matter. */
function notesFor({ unread, notes }: SiteStanding): readonly string[] {
  const ofAddresses = notes.filter((note) => OF_ADDRESS.test(note));
  const isLong = unread > ofAddresses.length;
  const others = notes.filter((note) => !OF_ADDRESS.test(note) && (isLong || !note.startsWith('and ')));
  return [...ofAddresses.slice(0, unread), ...others];
}

/** If a person has to look first, the error is not a temporary one. */
function unreadError({ url }: SitePlace, look: SourceLook | undefined): SiteUnreadError {
  const message = look?.message ?? `Nobody has looked at ${url}. Follow again.`;
  return new SiteUnreadError(url, message, look?.is === 'stopped' ? 'stop' : 'retry-later');
}
