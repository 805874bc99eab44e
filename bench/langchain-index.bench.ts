import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Document } from '@langchain/core/documents';
import { index } from '@langchain/core/indexing';
import { sync } from '../src/doors/sync.ts';
import { createMemoryChunkRecord } from '../src/sync/chunk-record.ts';
import { langchainSink } from '../src/sync/langchain-sink.ts';
import type { Sink, SyncedPage } from '../src/sync/sink.ts';
import { ListStore } from '../test/support/langchain-store.ts';
import { MemoryRecordManager } from '../test/support/memory-record-manager.ts';
import type { BenchResult } from './harness.ts';

const MODES = ['incremental', 'full'] as const;
/** LangChain queries its record in batches of 100 chunks; one page is larger. */
const SMALL_PAGES = 8;
const SMALL_SECTIONS = 5;
const LARGE_SECTIONS = 140;

interface Step {
  readonly name: string;
  /** How many chunks get a new text. */
  readonly changed: number;
  /** A page counts as gone after two looks. */
  readonly looks?: number;
  edit(site: Site): void;
}

const STEPS: readonly Step[] = [
  { name: 'nothing', changed: 0, edit: () => {} },
  { name: 'one section edited', changed: 1, edit: (site) => site.rewrite('p1', 2) },
  { name: 'a section inserted at the top', changed: 1, edit: (site) => site.insert('p2') },
  { name: 'a page answers 500', changed: 0, edit: (site) => site.failing.add('p3') },
  { name: 'it answers again', changed: 0, edit: (site) => site.failing.delete('p3') },
  { name: 'one section of the large page edited', changed: 1, edit: (site) => site.rewrite('large', 120) },
  { name: 'another theme', changed: 0, edit: (site) => site.restyle() },
  { name: 'a page is removed', changed: 0, looks: 2, edit: (site) => site.pages.delete('p4') },
];

/**
 * The same edits of one site through {@link langchainSink} and through LangChain's own indexing API with its record manager, which gets the same chunks: those
 * of all readable pages. Counts embedded texts, chunks deleted while their text was still on the site, and leftover chunks.
 */
export async function bench(): Promise<BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-langchain-'));
  await using site = await startSite();
  const ours = createSide(site);
  const peers = MODES.map((cleanup) => ({ cleanup, ...createSide(site), recordManager: new MemoryRecordManager() }));
  const taken = new Map<string, SyncedPage>();
  const sink = copying(langchainSink(ours.store, { record: createMemoryChunkRecord() }), taken);

  const run = async (looks = 1) => {
    for (let look = 0; look < looks; look += 1) {
      const options = {
        urls: site.url,
        sink,
        state: join(folder, 'state'),
        once: true,
        allowPrivate: true,
        cooldownMs: 0,
      };
      for await (const _ of sync(options));
    }
    const docsSource = documentsOf([...taken.values()].filter(({ url }) => site.isReadable(url)));
    for (const { cleanup, store: vectorStore, recordManager } of peers) {
      await index({ docsSource, recordManager, vectorStore, options: { cleanup, sourceIdKey: 'url' } });
    }
  };
  await run();
  for (const side of [ours, ...peers]) side.begin();
  for (const { name, looks, edit } of STEPS) {
    edit(site);
    await run(looks);
    const told = [ours, ...peers].map((side) => side.takeStep());
    process.stdout.write(
      `langchain: ${name}: ${told.map((figures) => `${figures.embedded} embedded, ${figures.wronglyDeleted} wrongly deleted`).join(' | ')}\n`,
    );
  }
  await rm(folder, { recursive: true });

  const changed = STEPS.reduce((sum, step) => sum + step.changed, 0);
  return peers.map(({ cleanup, total }) => {
    const [own, peer] = [ours.total(), total()];
    const reached = own.embedded === changed && own.wronglyDeleted === 0 && own.leftOver === 0;
    const goal = `${changed} embedded, none wrongly deleted, none left over`;
    return {
      name: `langchain-${cleanup}`,
      by: 'figures',
      ours: own,
      peer,
      peerName: `index(${cleanup})`,
      goal,
      reached,
    };
  });
}

type Figures = Record<'embedded' | 'wronglyDeleted' | 'leftOver', number>;

/** A store, and the operations on it. */
function createSide(site: Site) {
  const store = new ListStore();
  let deleted = 0;
  let before = { embedded: 0, wronglyDeleted: 0 };
  store.onDeleted = ({ pageContent }) => {
    const isKept = store.stored.some(({ document }) => document.pageContent === pageContent);
    if (!isKept && site.says(pageContent)) deleted += 1;
  };
  const now = () => ({ embedded: store.toy.embedded.length, wronglyDeleted: deleted });
  const since = (then: typeof before) => {
    const { embedded, wronglyDeleted } = now();
    return { embedded: embedded - then.embedded, wronglyDeleted: wronglyDeleted - then.wronglyDeleted };
  };
  let start = before;
  return {
    store,
    begin() {
      start = now();
      before = start;
    },
    takeStep() {
      const step = since(before);
      before = now();
      return step;
    },
    total(): Figures {
      const leftOver = store.stored.filter(({ document }) => !site.says(document.pageContent)).length;
      return { ...since(start), leftOver };
    },
  };
}

/** Copies what a sink was given, so that the peer gets the same. */
function copying(sink: Sink, taken: Map<string, SyncedPage>): Sink {
  return {
    ...sink,
    async put(page) {
      await sink.put(page);
      taken.set(page.url, page);
    },
    async remove(url) {
      await sink.remove(url);
      taken.delete(url);
    },
  };
}

function documentsOf(pages: readonly SyncedPage[]): Document[] {
  return pages.flatMap(({ url, sections }) =>
    sections.flatMap(({ anchor, chunks }) =>
      chunks.map(({ text }) => new Document({ pageContent: text, metadata: { url, anchor } })),
    ),
  );
}

interface Site extends AsyncDisposable {
  readonly url: string;
  /** By path: the text of each section, which is unique on the site. */
  readonly pages: Map<string, string[]>;
  readonly failing: Set<string>;
  rewrite(path: string, section: number): void;
  insert(path: string): void;
  restyle(): void;
  isReadable(url: string): boolean;
  /** Whether a page of the site has the text of this chunk. */
  says(chunk: string): boolean;
}

async function startSite(): Promise<Site> {
  let written = 0;
  let theme = 'light';
  const write = () => {
    written += 1;
    return `Sentence number ${written} explains one more thing about word${written} that somebody may want to know.`;
  };
  const texts = (count: number) => Array.from({ length: count }, write);
  const small = Array.from({ length: SMALL_PAGES }, (_, at): [string, string[]] => [`p${at}`, texts(SMALL_SECTIONS)]);
  const pages = new Map<string, string[]>([...small, ['large', texts(LARGE_SECTIONS)]]);
  const names = [...pages.keys()];
  const failing = new Set<string>();
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1);
    if (failing.has(path)) return response.writeHead(500).end();
    const sections = pages.get(path);
    if (path !== '' && sections === undefined) return response.writeHead(404).end();
    const body =
      sections === undefined ? names.map((name) => `<p><a href="/${name}">${name}</a></p>`) : sections.map(sectionHtml);
    response.writeHead(200, { 'content-type': 'text/html' });
    return response.end(
      `<!doctype html><html lang="en"><head><title>Page ${path}</title></head><body class="${theme}"><main><h1>Page ${path}</h1>${body.join('')}</main></body></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    pages,
    failing,
    rewrite: (path, section) => pages.get(path)?.splice(section, 1, write()),
    insert: (path) => pages.get(path)?.unshift(write()),
    restyle() {
      theme = 'dark';
    },
    isReadable: (page) => !failing.has(page.slice(url.length)),
    says(chunk) {
      const [sentence] = /Sentence number \d+ /.exec(chunk) ?? [];
      if (sentence !== undefined)
        return [...pages.values()].some((texts) => texts.some((text) => text.startsWith(sentence)));
      const [, name = ''] = /^# Page (\w*)/.exec(chunk) ?? [];
      return name === '' || pages.has(name);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Named by its text, so that an insertion before it does not change its anchor. */
function sectionHtml(text: string): string {
  const name = /word\d+/.exec(text)?.[0] ?? '';
  return `<h2 id="${name}">About ${name}</h2><p>${text}</p>`;
}
