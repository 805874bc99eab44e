import { SaxesParser } from 'saxes';
import { escapeBareAmpersands } from './bare-ampersands.ts';
import { readSitemapEntry, type SitemapEntry } from './entry.ts';

export interface XmlSitemap {
  /** The local name of the root element, if there is one. Entries are read only below `urlset` and `sitemapindex`. */
  readonly root: string | undefined;
  readonly entries: readonly SitemapEntry[];
  readonly problems: readonly string[];
  readonly broken: string | undefined;
}

/** A sitemap with every known extension is 5 levels deep. The parser's time is quadratic in depth. */
const MAX_DEPTH = 32;
const MAX_ATTRIBUTES = 64;
/** One problem makes the file doubtful; a hundred show the pattern. */
const MAX_PROBLEMS = 100;
/** The parser gets this much at a time, so that it never sees what it should not read. */
const PIECE = 64 * 1024;

/** No namespace, that of the protocol, or that of its predecessor. In other formats `loc` is not a page. */
const NAMESPACE = /^(?:https?:\/\/www\.(?:sitemaps\.org|google\.com)\/schemas\/sitemap\/0\.\d+\/?)?$/;
const ENTRY_OF: ReadonlyMap<string, string> = new Map([
  ['urlset', 'url'],
  ['sitemapindex', 'sitemap'],
]);

/** Thrown to leave the parser. */
class Stop extends Error {}

/** Reads until the root element ends, the text breaks off, or a limit is exceeded. */
export function readXmlSitemap(text: string, maxEntries: number): XmlSitemap {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const reading = new Reading(maxEntries);
  parser.on('error', (error) => {
    // Extensions are often used without a declaration. They do not matter here.
    if (!/unbound namespace prefix/i.test(error.message))
      throw new Stop(`It is not well-formed XML (${error.message}).`);
  });
  parser.on('doctype', () => {
    throw new Stop('It has a DOCTYPE, which sitemaps do not have.');
  });
  parser.on('opentagstart', () => reading.deepen());
  parser.on('attribute', () => reading.countAttribute());
  parser.on('opentag', ({ local, prefix, uri }) => reading.open(local, prefix, uri));
  parser.on('closetag', () => {
    if (reading.close()) throw new Stop();
  });
  parser.on('text', (piece) => reading.addText(piece));
  parser.on('cdata', (piece) => reading.addText(piece));
  try {
    const whole = escapeBareAmpersands(text);
    for (let at = 0; at < whole.length; at += PIECE) parser.write(whole.slice(at, at + PIECE));
    parser.close();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    if (error.message !== '') reading.broken = error.message;
  }
  return reading;
}

type Field = 'loc' | 'lastmod';

class Reading implements XmlSitemap {
  root: string | undefined;
  readonly entries: SitemapEntry[] = [];
  readonly problems: string[] = [];
  broken: string | undefined;
  readonly #maxEntries: number;
  #depth = 0;
  #attributes = 0;
  #prefix = '';
  #entryName: string | undefined;
  #seen = 0;
  #isInEntry = false;
  #field: Field | undefined;
  #texts: Partial<Record<Field, string>> = {};

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  deepen(): void {
    this.#depth += 1;
    this.#attributes = 0;
    if (this.#depth > MAX_DEPTH) throw new Stop(`Its elements are nested deeper than ${MAX_DEPTH}.`);
  }

  countAttribute(): void {
    this.#attributes += 1;
    if (this.#attributes > MAX_ATTRIBUTES) throw new Stop(`An element has more than ${MAX_ATTRIBUTES} attributes.`);
  }

  open(local: string, prefix: string, uri: string): void {
    if (this.#depth === 1) {
      this.#openRoot(local, prefix, uri);
    } else if (prefix !== this.#prefix) {
      return;
    } else if (this.#depth === 2 && local === this.#entryName) {
      if (this.#seen >= this.#maxEntries)
        throw new Stop(`It has more than ${this.#maxEntries} entries; the rest is not read.`);
      this.#seen += 1;
      this.#isInEntry = true;
      this.#texts = {};
    } else if (this.#depth === 3 && this.#isInEntry && (local === 'loc' || local === 'lastmod')) {
      this.#field = local;
    }
  }

  /** Returns whether the root has ended. */
  close(): boolean {
    this.#depth -= 1;
    if (this.#depth === 2) this.#field = undefined;
    if (this.#depth === 1 && this.#isInEntry) this.#endEntry();
    return this.#depth === 0;
  }

  addText(piece: string): void {
    if (this.#field !== undefined && this.#depth === 3)
      this.#texts[this.#field] = (this.#texts[this.#field] ?? '') + piece;
  }

  #openRoot(local: string, prefix: string, uri: string): void {
    this.root = local;
    this.#prefix = prefix;
    this.#entryName = ENTRY_OF.get(local);
    if (this.#entryName === undefined) throw new Stop();
    if (NAMESPACE.test(uri)) return;
    this.root = `${local} of ${uri}`;
    throw new Stop();
  }

  #endEntry(): void {
    this.#isInEntry = false;
    const entry = readSitemapEntry(this.#texts.loc ?? '', this.#texts.lastmod);
    if (entry.ok) this.entries.push(entry.value);
    else if (this.problems.length < MAX_PROBLEMS) this.problems.push(`Entry ${this.#seen}: ${entry.issues[0].message}`);
  }
}
