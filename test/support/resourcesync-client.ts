/**
 * A ResourceSync client written only from the specification (http://www.openarchives.org/rs/1.1/resourcesync), without any of our code. It keeps a copy of
 * everything that a source offers, and refuses what the specification refuses.
 */

import { createHash } from 'node:crypto';
import { get } from 'node:http';
import { SaxesParser } from 'saxes';

const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const TERMS = 'http://www.openarchives.org/rs/terms/';

type Attributes = Readonly<Record<string, string>>;

interface Described {
  md: Attributes;
  links: Attributes[];
}

interface ClientEntry extends Described {
  loc: string;
  lastmod?: string;
}

interface ClientDocument extends Described {
  readonly url: string;
  readonly isIndex: boolean;
  readonly entries: readonly ClientEntry[];
}

/** What a destination has of one collection, and as of when. */
export interface Copy {
  readonly resources: Map<string, Buffer>;
  markMs: number;
}

interface Collection {
  readonly describes: string;
  readonly capabilities: ReadonlyMap<string, string>;
  readonly document: ClientDocument;
}

export class ResourceSyncClient {
  readonly #site: URL;
  readonly #port: number;
  /** Each document as last read. */
  readonly documents = new Map<string, { text: string; document: ClientDocument }>();

  /** The host of `site` is mapped to `port` of this machine. */
  constructor(site: string, port: number) {
    this.#site = new URL(site);
    this.#port = port;
  }

  /** From the Source Description to the Capability Lists. */
  async collections(): Promise<Collection[]> {
    const address = new URL('/.well-known/resourcesync', this.#site).href;
    const top = await this.#document(address, 'description');
    if (!top.isIndex) return await this.#described(top);
    const collections: Collection[] = [];
    for (const { loc } of top.entries) {
      const part = await this.#document(loc, 'description');
      ensure(!part.isIndex, `${loc} is an index in an index`);
      ensure([address, undefined].includes(linkOf(part, 'index')), `${loc} leads to another index`);
      collections.push(...(await this.#described(part)));
    }
    return collections;
  }

  async #described(description: ClientDocument): Promise<Collection[]> {
    const collections: Collection[] = [];
    for (const entry of description.entries) {
      const document = await this.#document(entry.loc, 'capabilitylist');
      ensure(entry.md.capability === 'capabilitylist', `${entry.loc} is listed as ${entry.md.capability}`);
      ensure(!document.isIndex, `${entry.loc} is an index of capability lists`);
      ensure(linkOf(document, 'up') === description.url, `${entry.loc} does not lead up to its description`);
      const describes = linkOf(document, 'describes') ?? '';
      ensure(describes === linkOf(entry, 'describes'), `${entry.loc} describes something else than it is listed for`);
      const capabilities = new Map(document.entries.map(({ loc, md }) => [md.capability ?? '', loc]));
      ensure(capabilities.size === document.entries.length, `${entry.loc} has a capability twice`);
      collections.push({ describes, capabilities, document });
    }
    return collections;
  }

  /** Everything in the Resource List, checked against its hash and length. */
  async baseline(collection: Collection): Promise<Copy> {
    const resources = new Map<string, Buffer>();
    const { entries, atMs } = await this.#resourceList(collection);
    for (const { loc, md } of entries) {
      ensure(!resources.has(loc), `${loc} is listed twice`);
      const { status, body } = await this.get(loc);
      ensure(status === 200, `${loc} answers ${status}`);
      const difference = differenceOf(body, md);
      ensure(difference === undefined, `${loc}: ${difference}`);
      resources.set(loc, body);
    }
    return { resources, markMs: atMs };
  }

  /** Updates a copy with the changes since then. Returns what was done, in order. */
  async incremental(collection: Collection, copy: Copy): Promise<string[]> {
    const changes = await this.changes(collection, copy.markMs);
    for (const { loc, md } of changes) {
      const { status, body } = md.change === 'deleted' ? { status: 404, body: undefined } : await this.get(loc);
      // Changed, and deleted since: a later entry says so.
      if (status === 404) copy.resources.delete(loc);
      else if (body !== undefined && status === 200) copy.resources.set(loc, body);
      else throw new Error(`${loc} answers ${status}`);
      copy.markMs = timeOf(md.datetime);
    }
    return changes.map(({ loc, md }) => `${md.change} ${loc}`);
  }

  /** The changes after a moment, from all Change Lists that were not closed before it. */
  async changes(collection: Collection, afterMs: number): Promise<ClientEntry[]> {
    const address = collection.capabilities.get('changelist') ?? '';
    const top = await this.#document(address, 'changelist');
    ensure(linkOf(top, 'up') === collection.document.url, `${address} does not lead up to its capability list`);
    const found: ClientEntry[] = [];
    let endMs = Number.NEGATIVE_INFINITY;
    for (const listed of top.isIndex ? top.entries : [undefined]) {
      if (listed !== undefined) {
        const fromMs = timeOf(listed.md.from);
        ensure(fromMs >= endMs, `${address} is not in order at ${listed.loc}`);
        endMs = fromMs;
        if (listed.md.until !== undefined && timeOf(listed.md.until) < afterMs) continue;
      }
      const list = listed === undefined ? top : await this.#document(listed.loc, 'changelist');
      if (listed !== undefined) {
        ensure(!list.isIndex, `${list.url} is an index in an index`);
        ensure(linkOf(list, 'index') === address, `${list.url} does not lead to its index`);
        ensure(linkOf(list, 'up') === collection.document.url, `${list.url} does not lead up to its capability list`);
        ensure(listed.md.from === list.md.from && listed.md.until === list.md.until, `${list.url} is of another time`);
      }
      found.push(...entriesInOrder(list).filter(({ md }) => timeOf(md.datetime) > afterMs));
    }
    return found;
  }

  /** The differences between a copy and the Resource List. */
  async audit(collection: Collection, copy: Copy): Promise<string[]> {
    const { entries } = await this.#resourceList(collection);
    const extra = new Set(copy.resources.keys());
    const findings: string[] = [];
    for (const { loc, md } of entries) {
      extra.delete(loc);
      const body = copy.resources.get(loc);
      const difference = body === undefined ? 'missing' : differenceOf(body, md);
      if (difference !== undefined) findings.push(`${loc}: ${difference}`);
    }
    return [...findings, ...[...extra].map((loc) => `${loc}: not listed`)];
  }

  /** A GET like any client sends it. */
  get(address: string): Promise<{ status: number; body: Buffer }> {
    const url = new URL(address);
    ensure(url.origin === this.#site.origin, `${address} is on another site`);
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: this.#port, path: url.pathname + url.search, agent: false };
      get(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
      }).on('error', reject);
    });
  }

  async #resourceList(collection: Collection): Promise<{ entries: ClientEntry[]; atMs: number }> {
    const address = collection.capabilities.get('resourcelist') ?? '';
    const top = await this.#document(address, 'resourcelist');
    ensure(linkOf(top, 'up') === collection.document.url, `${address} does not lead up to its capability list`);
    const atMs = timeOf(top.md.at);
    if (!top.isIndex) return { entries: [...top.entries], atMs };
    const entries: ClientEntry[] = [];
    for (const { loc } of top.entries) {
      const part = await this.#document(loc, 'resourcelist');
      ensure(!part.isIndex, `${loc} is an index in an index`);
      ensure(linkOf(part, 'index') === address, `${loc} does not lead to its index`);
      entries.push(...part.entries);
    }
    return { entries, atMs };
  }

  async #document(url: string, capability: string): Promise<ClientDocument> {
    const { status, body } = await this.get(url);
    ensure(status === 200, `${url} answers ${status}`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const document = parse(url, text);
    ensure(document.md.capability === capability, `${url} is a ${document.md.capability}, not a ${capability}`);
    this.documents.set(url, { text, document });
    return document;
  }
}

/** Entries must have a kind and a time, in order of time, within the period of their list. */
function entriesInOrder(list: ClientDocument): readonly ClientEntry[] {
  const untilMs = list.md.until === undefined ? Number.POSITIVE_INFINITY : timeOf(list.md.until);
  let lastMs = timeOf(list.md.from);
  for (const { loc, md } of list.entries) {
    ensure(['created', 'updated', 'deleted'].includes(md.change ?? ''), `${loc} has the change ${md.change}`);
    const datetimeMs = timeOf(md.datetime);
    ensure(datetimeMs >= lastMs && datetimeMs <= untilMs, `${loc} is out of time in ${list.url}`);
    lastMs = datetimeMs;
  }
  return list.entries;
}

function differenceOf(body: Buffer, md: Attributes): string | undefined {
  const hash = `sha-256:${createHash('sha256').update(body).digest('hex')}`;
  if (md.length !== String(body.length)) return `length ${md.length}, not ${body.length}`;
  return md.hash?.split(' ').includes(hash) ? undefined : `hash ${md.hash}, not ${hash}`;
}

/** Only UTC times: some clients misread others. */
function timeOf(text: string | undefined): number {
  ensure(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text ?? ''), `"${text}" is no full time in UTC`);
  return Date.parse(text ?? '');
}

function linkOf({ links }: Described, rel: string): string | undefined {
  return links.find((link) => link.rel === rel)?.href;
}

function ensure(isSo: boolean, complaint: string): void {
  if (!isSo) throw new Error(complaint);
}

function parse(url: string, text: string): ClientDocument {
  const root: Described = { md: {}, links: [] };
  const entries: ClientEntry[] = [];
  let isIndex = false;
  let depth = 0;
  let said = '';
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ uri, local, attributes }) => {
    depth += 1;
    said = '';
    const own = Object.values(attributes).filter((attribute) => attribute.uri === '');
    const values = Object.fromEntries(own.map((attribute) => [attribute.local, attribute.value]));
    const owner = depth === 2 ? root : entries.at(-1);
    if (depth === 1) {
      ensure(uri === SITEMAP && /^(urlset|sitemapindex)$/.test(local), `${url} begins with ${local}`);
      isIndex = local === 'sitemapindex';
    } else if (depth === 2 && uri === SITEMAP) {
      ensure(local === (isIndex ? 'sitemap' : 'url'), `${url} has a ${local}`);
      entries.push({ loc: '', md: {}, links: [] });
    } else if (uri === TERMS && local === 'md' && owner !== undefined) {
      ensure(Object.keys(owner.md).length === 0, `${url} has two rs:md at one place`);
      owner.md = values;
    } else if (uri === TERMS && local === 'ln') owner?.links.push(values);
  });
  parser.on('text', (piece) => {
    said += piece;
  });
  parser.on('closetag', ({ uri, local }) => {
    const entry = entries.at(-1);
    if (depth === 3 && uri === SITEMAP && entry !== undefined) {
      if (local === 'loc') entry.loc = said.trim();
      else if (local === 'lastmod') entry.lastmod = said.trim();
    }
    depth -= 1;
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
  return { url, isIndex, entries, ...root };
}
