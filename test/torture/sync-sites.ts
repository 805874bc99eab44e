import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publish } from '../../src/doors/publish.ts';
import { announceEndpoint, newSigningKey } from '../../src/doors/surface.ts';
import { extractPage } from '../../src/extract/extract-page.ts';
import { listenOnFreshPort } from '../support/fresh-port.ts';
import { sitemapOf } from '../support/live-site.ts';
import { createTestAuthority, type TestCertificate } from '../support/test-ca.ts';
import type { Random } from './hub-random.ts';

/** What each site publishes beside its pages. */
const SITES = ['aicf', 'diffdelta', 'resourcesync', 'atom', 'agent-feed', 'sitemap', 'pages'] as const;
type SiteName = (typeof SITES)[number];
const FEEDS: readonly string[] = ['aicf', 'diffdelta', 'resourcesync', 'atom'];
/** Tells of endpoints and not of pages, and is believed over https alone. */
const SIGNED = 'agent-feed';
const FIRST_PAGES = 8;
const FEWEST_PAGES = 6;
/** Of its site: by then nothing follows from an edit any more. */
const CALM_EDITS = 25;

interface PageSection {
  readonly id: string;
  /** The page began with it. What is added and taken away again counts as restless, and is believed only after many looks: see restless.ts. */
  readonly isFirst: boolean;
  heading: string;
  text: string;
  /** The number of the edit of its site that wrote it last. */
  editedAt: number;
}

export interface SyncSite {
  readonly name: string;
  readonly url: string;
}

/** Seven sites on loopback that change. */
export interface SyncSites extends AsyncDisposable {
  readonly all: readonly SyncSite[];
  /** The certificate of their authority, in PEM. */
  readonly ca: string;
  /** Texts that a chunk of some page has ever had. */
  readonly texts: ReadonlySet<string>;
  /** One random edit of one random site, published at once. */
  edit(): Promise<void>;
  /** What an index should hold now: the Markdown of sections, by `page#anchor`. */
  expected(): ReadonlyMap<string, string>;
  /** The Markdown of whole pages. */
  pages(): ReadonlyMap<string, string>;
}

export async function openSyncSites(random: Random): Promise<SyncSites> {
  const sites: OneSite[] = [];
  const authority = createTestAuthority();
  const certificate = authority.issue('localhost');
  for (const name of SITES) sites.push(await OneSite.open(name, random, name === SIGNED ? certificate : undefined));
  const texts = new Set<string>();
  const note = () => {
    for (const site of sites) for (const text of site.sections().values()) texts.add(text);
  };
  note();
  return {
    all: sites,
    ca: authority.cert,
    texts,
    async edit() {
      await random.pick(sites).edit();
      note();
    },
    expected: () => new Map(sites.flatMap((site) => [...site.sections()])),
    pages: () => new Map(sites.flatMap((site) => [...site.markdown()])),
    async [Symbol.asyncDispose]() {
      for (const site of sites) await site[Symbol.asyncDispose]();
    },
  };
}

interface SiteParts {
  readonly name: SiteName;
  readonly random: Random;
  readonly folder: string;
  readonly tls: TestCertificate | undefined;
}

class OneSite implements SyncSite, AsyncDisposable {
  readonly name: SiteName;
  readonly #random: Random;
  readonly #pages = new Map<string, PageSection[]>();
  readonly #folder: string;
  readonly #server: ReturnType<typeof createPlainServer | typeof createTlsServer>;
  url = '';
  #made = 0;
  #edits = 0;
  #announced = 0;

  static async open(name: SiteName, random: Random, tls?: TestCertificate): Promise<OneSite> {
    const site = new OneSite({ name, random, folder: await mkdtemp(join(tmpdir(), 'tidings-torture-site-')), tls });
    const port = await listenOnFreshPort(site.#server);
    site.url = tls === undefined ? `http://127.0.0.1:${port}/` : `https://localhost:${port}/`;
    if (name === SIGNED) await newSigningKey({ key: site.#keyFile });
    site.#pages.set('', site.#newSections());
    while (site.#pages.size < FIRST_PAGES) site.#addPage();
    await site.#publish([]);
    return site;
  }

  private constructor({ name, random, folder, tls }: SiteParts) {
    this.name = name;
    this.#random = random;
    this.#folder = folder;
    const listener: RequestListener = (request, response) => {
      void this.#answer(new URL(request.url ?? '/', 'http://x').pathname).then(
        ({ status, type, body }) => void response.writeHead(status, { 'content-type': type }).end(body),
      );
    };
    this.#server = tls === undefined ? createPlainServer(listener) : createTlsServer(tls, listener);
    // Nobody finds a connection closed that he has kept, however busy this machine is.
    this.#server.keepAliveTimeout = 600_000;
  }

  async edit(): Promise<void> {
    const path = this.#random.pick([...this.#pages.keys()]);
    const sections = this.#pages.get(path) ?? [];
    const draw = this.#random.fraction();
    const gone: string[] = [];
    this.#edits += 1;
    if (draw < 0.6 && this.#calm(sections).length > 0) this.#rewrite(this.#random.pick(this.#calm(sections)));
    else if (draw < 0.75) sections.push(this.#newSection(false));
    else if (draw < 0.85 && sections.filter(({ isFirst }) => isFirst).length > 3) this.#removeSection(sections);
    else if (draw < 0.9 && path !== '' && this.#pages.size > FEWEST_PAGES) {
      this.#pages.delete(path);
      gone.push(path);
    } else this.#addPage();
    await this.#publish(gone);
  }

  /** By `page#anchor`. */
  sections(): ReadonlyMap<string, string> {
    const all = [...this.#pages.keys()].flatMap((path) => {
      const { url, sections } = this.#extracted(path);
      return sections.map(({ anchor, markdown }) => [`${url}#${anchor}`, markdown] as const);
    });
    return new Map(all);
  }

  markdown(): ReadonlyMap<string, string> {
    return new Map([...this.#pages.keys()].map((path) => [this.url + path, this.#extracted(path).markdown]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    for (const path of [this.#folder, this.#keyFile]) await rm(path, { recursive: true, force: true });
  }

  get #keyFile(): string {
    return `${this.#folder}-key.json`;
  }

  #extracted(path: string) {
    return extractPage(this.#html(path), this.url + path);
  }

  #addPage(): void {
    this.#made += 1;
    this.#pages.set(`p${this.#made}`, this.#newSections());
  }

  #newSections(): PageSection[] {
    return Array.from({ length: 5 }, () => this.#newSection(true));
  }

  /** What is written again and again counts as restless, and is believed only after many looks: see restless.ts. */
  #calm(sections: readonly PageSection[]): readonly PageSection[] {
    return sections.filter(({ editedAt }) => editedAt === 0 || this.#edits - editedAt > CALM_EDITS);
  }

  #rewrite(section: PageSection): void {
    section.text = this.#words();
    section.editedAt = this.#edits;
  }

  #removeSection(sections: PageSection[]): void {
    const leaving = this.#random.pick(sections.filter(({ isFirst }) => isFirst));
    sections.splice(sections.indexOf(leaving), 1);
  }

  #newSection(isFirst: boolean): PageSection {
    const word = this.#word();
    return {
      id: `s-${word}`,
      isFirst,
      heading: `About ${word}`,
      text: this.#words(),
      editedAt: isFirst ? 0 : this.#edits,
    };
  }

  /** No two are alike, so that a text tells which edit it is of. */
  #word(): string {
    return this.#random.integer(0, 2 ** 40).toString(36);
  }

  #words(): string {
    return Array.from({ length: 12 }, () => this.#word()).join(' ');
  }

  #html(path: string): string {
    const links = [...this.#pages.keys()].map((other) => `<a href="/${other}">${other || 'home'}</a>`);
    const title = path === '' ? `Home of ${this.name}` : `Page ${path} of ${this.name}`;
    const body = (this.#pages.get(path) ?? []).map(
      ({ id, heading, text }) => `<h2 id="${id}">${heading}</h2><p>${text}</p>`,
    );
    return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><nav>${links.join(' ')}</nav><main><h1 id="top">${title}</h1>${body.join('')}</main></body></html>`;
  }

  /** Feeds are made of the built site, as a publisher makes them. */
  async #publish(gone: readonly string[]): Promise<void> {
    if (this.name === SIGNED) await this.#announce();
    if (!FEEDS.includes(this.name)) return;
    const fileOf = (path: string) => join(this.#folder, `${path || 'index'}.html`);
    for (const path of gone) await rm(fileOf(path), { force: true });
    for (const path of this.#pages.keys()) await writeFile(fileOf(path), this.#html(path));
    const formats = [this.name];
    await publish({ dir: this.#folder, site: this.url, formats, force: true, cleanUrls: true, ttlSeconds: 0 });
  }

  /** With each publish, something more is signed. */
  async #announce(): Promise<void> {
    this.#announced += 1;
    const target = { dir: this.#folder, site: this.url, key: this.#keyFile, force: true };
    const endpointId = `api-${this.#announced}`;
    await announceEndpoint(target, { endpointId, endpoint: `/${endpointId}`, protocol: 'rest', version: '1.0' });
  }

  async #answer(pathname: string): Promise<{ status: number; type: string; body: string | Uint8Array }> {
    const path = pathname.slice(1);
    if (this.#pages.has(path)) return { status: 200, type: 'text/html', body: this.#html(path) };
    if (path === 'sitemap.xml' && this.name === 'sitemap') {
      return { status: 200, type: 'application/xml', body: sitemapOf(this.url, [...this.#pages.keys()]) };
    }
    const isPublished = FEEDS.includes(this.name) || (this.name === SIGNED && path.startsWith('.well-known/'));
    const isDocument = isPublished && !path.endsWith('.html') && !path.split('/').includes('..');
    const body = isDocument ? await readFile(join(this.#folder, path)).catch(() => undefined) : undefined;
    if (body === undefined) return { status: 404, type: 'text/html', body: '<h1>Not found</h1>' };
    return { status: 200, type: typeOf(path), body };
  }
}

function typeOf(path: string): string {
  if (/\.(?:xml|atom)$|resourcesync$/.test(path))
    return path.endsWith('.atom') ? 'application/atom+xml' : 'application/xml';
  return path.endsWith('.ndjson') ? 'application/x-ndjson' : 'application/json';
}
