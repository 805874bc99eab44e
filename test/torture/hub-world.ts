import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeDiscovery, encodeEvent } from '../../src/codecs/aicf/encode.ts';
import { AICF_DISCOVERY_PATH } from '../../src/codecs/aicf/wire.ts';
import { type ManySites, startManySites, type VirtualHost } from '../support/many-sites.ts';
import { Ledger } from './hub-ledger.ts';
import { PagedSite, type PageShelf } from './hub-paged-site.ts';
import { sitemapOf } from './hub-pages.ts';
import type { Random } from './hub-random.ts';

export interface WorldOptions {
  readonly sites: number;
  readonly random: Random;
  /** For the sites that are folders. */
  readonly folder: string;
  /** Sources of one page each that are due once an hour. */
  readonly idle?: number;
  /** Which kinds of sites there are, over and over. */
  readonly kinds?: readonly SiteKind[];
  /** The share of folders that are watched beside the sites: one for so many. */
  readonly sitesPerFolder?: number;
  /** How often each is looked at. */
  readonly intervalSeconds?: number;
  /** Whether no site edits the same spot again and again: it would be held back for some looks. */
  readonly isSteady?: boolean;
  /** The first half of the addresses of the sites: `127.0`. */
  readonly network?: string;
}

export type SiteKind = 'site' | 'mirrored' | 'shared' | 'pages' | 'feed';

/** A small web, what watches it, and what really happened in it. */
export interface World extends AsyncDisposable {
  readonly web: ManySites;
  readonly ledger: Ledger;
  readonly sites: readonly PagedSite[];
  readonly feeds: readonly FeedPublisher[];
  /** As they stand in the config of the hub. */
  readonly sources: readonly { readonly id: string }[];
  /** Hosts that may fail, and come back. */
  readonly mortal: readonly VirtualHost[];
  readonly mirrored: readonly { readonly primary: VirtualHost; readonly mirror: VirtualHost }[];
  readonly idleHosts: readonly VirtualHost[];
}

const FEED_PATH = '/ai-changes.ndjson';
/** Has no address, and never will (RFC 2606). */
const NOWHERE = 'http://nowhere.invalid/';
const FOLDER_SHARE = 20;
const ALL_KINDS: readonly SiteKind[] = [
  ...(['site', 'site', 'site', 'site', 'site'] as const),
  ...(['mirrored', 'shared', 'pages', 'feed', 'feed'] as const),
];

/** Of ten sites, unless told otherwise: five plain, one with a mirror, one that two sources watch, one as single pages, two that publish a feed. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const { sites: count, random, folder, idle = 0, kinds: wanted = ALL_KINDS, intervalSeconds = 1 } = options;
  const kinds = Array.from({ length: count }, (_, index) => wanted[index % wanted.length] ?? 'site');
  const mirrors = kinds.filter((kind) => kind === 'mirrored').length;
  const web = await startManySites(count + mirrors + idle, options.network);
  const world = new WorldBuilder(web, random, { poll: { intervalSeconds }, isSteady: options.isSteady ?? false });
  const spare = web.hosts.slice(count);
  const add: Readonly<Record<SiteKind, (id: string, host: VirtualHost) => void>> = {
    site: (id, host) => world.addSite(id, host),
    mirrored: (id, host) => world.addMirrored(id, host, spare.shift()),
    shared: (id, host) => world.addShared(id, host),
    pages: (id, host) => world.addPages(id, host),
    feed: (id, host) => world.addFeed(id, host),
  };
  for (const [index, kind] of kinds.entries()) {
    const host = web.hosts[index];
    if (host === undefined) throw new Error('There are fewer hosts than sites.');
    host.validators = random.chance(0.7);
    add[kind](`${kind}_${index}`, host);
  }
  for (const [index, host] of spare.entries()) world.addIdle(`idle_${index}`, host);
  for (let index = 0; index < count / (options.sitesPerFolder ?? FOLDER_SHARE); index += 1) {
    world.addFolder(`folder_${index}`, join(folder, `folder-${index}`));
  }
  return world;
}

class WorldBuilder implements World {
  readonly web: ManySites;
  readonly ledger = new Ledger();
  readonly sites: PagedSite[] = [];
  readonly feeds: FeedPublisher[] = [];
  readonly sources: { id: string }[] = [];
  readonly mortal: VirtualHost[] = [];
  readonly mirrored: { primary: VirtualHost; mirror: VirtualHost }[] = [];
  readonly idleHosts: VirtualHost[] = [];
  readonly #random: Random;
  readonly #poll: { readonly intervalSeconds: number };
  readonly #isSteady: boolean;

  constructor(
    web: ManySites,
    random: Random,
    { poll, isSteady }: { readonly poll: { readonly intervalSeconds: number }; readonly isSteady: boolean },
  ) {
    this.web = web;
    this.#random = random;
    this.#poll = poll;
    this.#isSteady = isSteady;
  }

  addSite(id: string, host: VirtualHost): void {
    this.#watch({ id, kind: 'site', url: host.url, ...this.#poll });
    this.#open(host, { watchersOf: () => [id] });
    this.mortal.push(host);
  }

  /** The copy serves the same bytes; before it stands a fallback that nobody can find. */
  addMirrored(id: string, primary: VirtualHost, mirror: VirtualHost | undefined): void {
    if (mirror === undefined) throw new Error('There is no host for the mirror.');
    this.#watch({ id, kind: 'site', url: primary.url, fallbacks: [NOWHERE, mirror.url], ...this.#poll });
    this.#open(primary, { watchersOf: () => [id] });
    mirror.content = primary.content;
    this.mirrored.push({ primary, mirror });
  }

  addShared(id: string, host: VirtualHost): void {
    this.#watch({ id, kind: 'site', url: host.url, ...this.#poll });
    this.#watch({ id: `${id}_start`, kind: 'page', urls: [host.url], ...this.#poll });
    this.#open(host, { watchersOf: (path) => (path === '/' ? [id, `${id}_start`] : [id]) });
    this.mortal.push(host);
  }

  addPages(id: string, host: VirtualHost): void {
    const site = this.#open(host, { watchersOf: () => [id], mayGrow: false });
    this.#watch({ id, kind: 'page', urls: site.paths.map((path) => new URL(path, host.url).href), ...this.#poll });
    this.mortal.push(host);
  }

  addIdle(id: string, host: VirtualHost): void {
    this.#watch({ id, kind: 'page', urls: [host.url], intervalSeconds: 3600 });
    this.#open(host, { watchersOf: () => [id], mayGrow: false, pages: 1 });
    this.sites.pop();
    this.idleHosts.push(host);
  }

  addFeed(id: string, host: VirtualHost): void {
    this.#watch({ id, kind: 'feed', url: host.url, dialect: 'aicf', ...this.#poll });
    this.feeds.push(new FeedPublisher({ id, host, ledger: this.ledger, random: this.#random }));
    this.mortal.push(host);
  }

  addFolder(id: string, dir: string): void {
    const url = `https://${id.replace('_', '-')}.example/`;
    mkdirSync(dir, { recursive: true });
    this.#watch({ id, kind: 'folder', path: dir, site: url, ...this.#poll });
    this.#openSite({ url, shelf: folderShelf(dir), watchersOf: () => [id] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.web[Symbol.asyncDispose]();
  }

  #watch(source: { readonly id: string } & Readonly<Record<string, unknown>>): void {
    this.sources.push(source);
  }

  #open({ url, content }: VirtualHost, more: SiteShape): PagedSite {
    content.put('/robots.txt', `User-agent: *\nDisallow: /private/\nSitemap: ${url}sitemap.xml\n`);
    const shelf: PageShelf = {
      put: (path, html) => content.put(path, html),
      remove: (path) => content.remove(path),
      list: (paths) => content.put('/sitemap.xml', sitemapOf(paths.map((path) => new URL(path, url).href))),
    };
    return this.#openSite({ url, shelf, ...more });
  }

  #openSite(options: SiteShape & { readonly url: string; readonly shelf: PageShelf }): PagedSite {
    const [ledger, random, isSteady] = [this.ledger, this.#random, this.#isSteady];
    const site = new PagedSite({ mayGrow: true, pages: random.integer(3, 5), ...options, ledger, random, isSteady });
    this.sites.push(site);
    return site;
  }
}

interface SiteShape {
  readonly watchersOf: (path: string) => readonly string[];
  readonly mayGrow?: boolean;
  readonly pages?: number;
}

/** As a build writes it: a file is replaced in one step. */
function folderShelf(dir: string): PageShelf {
  const fileOf = (path: string) => join(dir, path === '/' ? 'index.html' : path.slice(1));
  return {
    put(path, html) {
      writeFileSync(`${dir}.next`, html);
      renameSync(`${dir}.next`, fileOf(path));
    },
    remove: (path) => rmSync(fileOf(path)),
    list: () => {},
  };
}

/** A site that tells its own changes in AICF. */
export class FeedPublisher {
  readonly #id: string;
  readonly #host: VirtualHost;
  readonly #ledger: Ledger;
  readonly #random: Random;
  #count = 0;

  constructor({ id, host, ledger, random }: { id: string; host: VirtualHost; ledger: Ledger; random: Random }) {
    this.#id = id;
    this.#host = host;
    this.#ledger = ledger;
    this.#random = random;
    host.content.put(
      AICF_DISCOVERY_PATH,
      encodeDiscovery({ aicf_version: '0.1', self: new URL(FEED_PATH, host.url).href }),
    );
    host.content.put(FEED_PATH, '');
    this.publish();
  }

  publish(): void {
    const lines = Array.from({ length: this.#random.integer(1, 3) }, () => this.#line());
    this.#host.content.append(FEED_PATH, lines.join(''));
  }

  #line(): string {
    this.#count += 1;
    const number = `${this.#count}`.padStart(8, '0');
    const isDelete = this.#random.chance(0.1);
    const page = isDelete ? `gone-${number}` : `page-${this.#random.integer(1, 5)}`;
    const url = new URL(page, this.#host.url).href;
    const anchor = isDelete || this.#random.chance(0.3) ? {} : { anchor: `part-${this.#random.integer(1, 5)}` };
    const change = {
      action: isDelete ? ('delete' as const) : this.#random.pick(['create', 'update'] as const),
      url,
      ...anchor,
      ...(!isDelete && { checksum: `sha256:${number.padStart(64, '0')}` }),
    };
    this.#ledger.expect({ source: this.#id, ...change });
    return encodeEvent({ id: `01K${number}`, time: new Date().toISOString(), ...change });
  }
}
