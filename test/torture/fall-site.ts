import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { publish } from '../../src/doors/publish.ts';
import { listenOnFreshPort } from '../support/fresh-port.ts';
import { htmlPage, temporaryFolder } from '../support/site.ts';
import type { Edit } from './fall-judge.ts';
import type { Random } from './hub-random.ts';

/** How a feed is broken. `stuck` is the feed as it was when it broke, `signature` one whose signatures are not of what they stand at. */
export type FeedFault = '404' | '500' | 'html' | 'cut' | 'reset' | 'stuck' | 'signature';

/** Of feeds that nobody signs. */
export const FAULTS: readonly FeedFault[] = ['404', '500', 'html', 'cut', 'reset', 'stuck'];

/** A site with the feed of one dialect and pages of three sections, which is edited, broken and mended while it is live. */
export interface FallSite extends AsyncDisposable {
  readonly id: string;
  readonly url: string;
  readonly dialect: string;
  /** Each of them is met in its turn. */
  readonly faults: readonly FeedFault[];
  /** So many requests got the answer of a fault. */
  readonly fired: number;
  readonly edits: readonly Edit[];
  /** Edits a page, or makes or removes one, publishes and puts all of it live at once. */
  edit(random: Random): Promise<void>;
  breakFeed(fault: FeedFault): void;
  mend(): void;
}

type Files = ReadonlyMap<string, Buffer>;

const SECTIONS = ['one', 'two', 'three'];
const FIRST_PAGES = 6;
const MAX_PAGES = 12;
/** Feeds for people, which no publish of ours makes of pages: an entry for each. */
const BY_HAND: readonly string[] = ['atom', 'rss'];

export async function startFallSite(dialect: string): Promise<FallSite> {
  const site = new Site(dialect);
  await site.start();
  return site;
}

class Site implements FallSite {
  readonly id: string;
  readonly dialect: string;
  readonly faults = FAULTS;
  readonly edits: Edit[] = [];
  url = '';
  fired = 0;
  readonly #folder = temporaryFolder();
  readonly #server = createServer((request, response) => this.#answer(request, response));
  /** Versions of the sections, by page. */
  readonly #pages = new Map<string, number[]>();
  /** When a page was last edited. */
  readonly #editedMs = new Map<string, number>();
  #made = 0;
  #live: Files = new Map();
  #frozen: Files = new Map();
  #fault: FeedFault | undefined;

  constructor(dialect: string) {
    this.dialect = dialect;
    this.id = dialect.replaceAll('-', '_');
  }

  async start(): Promise<void> {
    this.url = `http://127.0.0.1:${await listenOnFreshPort(this.#server)}/`;
    while (this.#pages.size < FIRST_PAGES) this.#make();
    await this.#deploy();
  }

  async edit(random: Random): Promise<void> {
    const draw = random.fraction();
    const paths = [...this.#pages.keys()];
    const path = random.pick(paths);
    // A feed for people does not tell that something is gone.
    const mayGo = !this.#isByHand && paths.length > FIRST_PAGES;
    let edit: Omit<Edit, 'atMs'>;
    if (draw < 0.12 && paths.length < MAX_PAGES) edit = { action: 'create', path: this.#make() };
    else if (draw < 0.2 && mayGo) {
      this.#pages.delete(path);
      this.#folder.remove(path);
      edit = { action: 'delete', path };
    } else {
      const index = random.integer(0, SECTIONS.length - 1);
      const versions = this.#pages.get(path) ?? [];
      versions[index] = (versions[index] ?? 0) + 1;
      edit = { action: 'update', path, anchor: SECTIONS[index] ?? '' };
    }
    this.#editedMs.set(edit.path, Date.now());
    await this.#deploy();
    this.edits.push({ ...edit, atMs: Date.now() });
  }

  breakFeed(fault: FeedFault): void {
    this.#fault = fault;
    this.#frozen = this.#live;
  }

  mend(): void {
    this.#fault = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
    this.#folder[Symbol.dispose]();
  }

  #make(): string {
    this.#made += 1;
    const path = `p${this.#made}.html`;
    this.#pages.set(path, [1, 1, 1]);
    this.#editedMs.set(path, Date.now());
    return path;
  }

  async #deploy(): Promise<void> {
    const pages = [...this.#pages].map(([path, versions]) => [path, pageText(path, versions)] as const);
    const urls = ['', ...this.#pages.keys()].map((path) => `<url><loc>${this.url}${path}</loc></url>`);
    this.#folder.write({
      'index.html': this.#homePage(),
      'sitemap.xml': `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`,
      ...Object.fromEntries(pages),
      ...(this.#isByHand && { 'feed.xml': this.#feedText() }),
    });
    if (!this.#isByHand) {
      await publish({
        dir: this.#folder.path,
        site: this.url,
        formats: [this.dialect],
        force: true,
        allowDeletes: true,
      });
    }
    this.#live = filesIn(this.#folder.path);
  }

  #homePage(): string {
    const link = this.#isByHand ? `<link rel="alternate" type="application/${this.dialect}+xml" href="/feed.xml">` : '';
    const text = 'Where everything begins, and what stands here never changes.';
    return htmlPage('Home', [{ id: 'start', heading: 'Start', text }]).replace('</head>', `${link}</head>`);
  }

  get #isByHand(): boolean {
    return BY_HAND.includes(this.dialect);
  }

  #feedText(): string {
    return this.dialect === 'rss' ? this.#rssText() : this.#atomText();
  }

  #rssText(): string {
    const items = [...this.#pages].map(([path, versions]) => {
      const time = new Date(this.#editedMs.get(path) ?? 0).toUTCString();
      return `<item><guid>${this.url}${path}</guid><title>${path}</title><link>${this.url}${path}</link><pubDate>${time}</pubDate><description>${versions.join(' ')}</description></item>`;
    });
    return `<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title><link>${this.url}</link><description>All pages</description>${items.join('')}</channel></rss>`;
  }

  #atomText(): string {
    const entries = [...this.#pages].map(([path, versions]) => {
      const time = new Date(this.#editedMs.get(path) ?? 0).toISOString();
      return `<entry><id>${this.url}${path}</id><title>${path}</title><updated>${time}</updated><link href="${this.url}${path}"/><content>${versions.join(' ')}</content></entry>`;
    });
    return `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><id>${this.url}feed.xml</id><title>Feed</title><updated>${new Date().toISOString()}</updated>${entries.join('')}</feed>`;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/')
      .replace(/^\/$/, '/index.html')
      .slice(1);
    const isFeed = !/\.html$|^sitemap\.xml$|^robots\.txt$/.test(path);
    const files = isFeed ? this.#feedFiles() : this.#live;
    const bytes = files.get(path);
    if (isFeed && this.#fault !== undefined && (bytes !== undefined || this.#live.has(path))) this.fired += 1;
    if (isFeed && this.#fault !== undefined && bytes !== undefined && answerFault(this.#fault, bytes, response)) return;
    if (bytes === undefined) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('Not here.');
    const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`;
    const editedMs = this.#editedMs.get(path);
    const dated = editedMs === undefined ? {} : { 'last-modified': new Date(editedMs).toUTCString() };
    const headers = { etag, 'content-type': mediaTypeOf(path), ...dated };
    if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end();
    else response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
  }

  #feedFiles(): Files {
    return this.#fault === 'stuck' ? this.#frozen : this.#live;
  }
}

/** Whether it was answered. */
export function answerFault(fault: FeedFault, bytes: Buffer, response: ServerResponse): boolean {
  switch (fault) {
    case '404':
    case '500':
      response.writeHead(Number(fault), { 'content-type': 'text/plain' }).end('It is not here.');
      return true;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end(htmlPage('Welcome', []));
      return true;
    case 'cut':
      response.writeHead(200, { 'content-type': 'text/plain' }).end(bytes.subarray(0, Math.floor(bytes.length / 2)));
      return true;
    case 'reset':
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': bytes.length });
      response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
      return true;
    case 'stuck':
    case 'signature':
      return false;
  }
}

function pageText(path: string, versions: readonly number[]): string {
  const sections = SECTIONS.map((id, index) => ({
    id,
    heading: `Part ${id} of ${path}`,
    text: `In version ${versions[index]} of part ${id}, the page ${path} says ${words(path, index, versions[index] ?? 0)}.`,
  }));
  return htmlPage(`Page ${path}`, sections);
}

/** Different enough that no page is taken for another, or for a notice. */
function words(path: string, index: number, version: number): string {
  const digest = createHash('sha256').update(`${path} ${index}`).digest('hex');
  return `${digest.match(/.{8}/g)?.join(' ')} and ${createHash('sha256').update(`${path} ${index} ${version}`).digest('hex').slice(0, 12)}`;
}

function filesIn(folder: string): Files {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return [file.slice(folder.length + 1), readFileSync(file)];
    }),
  );
}

function mediaTypeOf(path: string): string {
  if (path.endsWith('.html')) return 'text/html; charset=utf-8';
  if (/\.(?:xml|atom)$/.test(path)) return 'application/xml';
  return path.endsWith('.ndjson') ? 'application/x-ndjson' : 'application/json';
}
