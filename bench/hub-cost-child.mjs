/**
 * A part of `hub-cost.bench.ts` in a separate process, on the built code.
 *
 *     node hub-cost-child.mjs store <data folder> <sources> <changes>   one-change runs through log and shelves
 *     node hub-cost-child.mjs fill <data folder> <sources> <changes> <large> <run> <days>   a log that no shelf has followed yet
 *
 * TIDINGS_BENCH_MODULES names the folder of its modules. Prints its figures as one line of JSON, and its progress to stderr.
 */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';

const BUILD = resolve(process.env.TIDINGS_BENCH_MODULES ?? '.tmp/tools/src');
/** The changes of a large run in a filled log: the first reading of a site. */
const LARGE_RUN_CHANGES = 20_000;
const DAY_MS = 86_400_000;
/** How much is written between two progress messages. */
const SAID_EVERY = 100_000;
/** A page of documentation, about 1,500 characters. */
const PARAGRAPHS = Array.from({ length: 12 }, (_, at) => paragraph(`part ${at}`));

const [work = '', data = '', ...sizes] = process.argv.slice(2);
const [sources = 100, changes = 1000, large = 0, runChanges = 20, days = 0] = sizes.map(Number);
const figures = work === 'store' ? await storeRuns() : await fillLog();
console.log(JSON.stringify(figures));

/** The growth of a data folder, beyond what the first reading of each source leaves there. */
async function storeRuns() {
  await withHub(async (commit) => {
    for (let source = 0; source < sources; source += 1) await commit(source, 0, ['create']);
  });
  const before = folderBytes(data);
  const tablesBefore = tableBytes();
  const cpuBefore = process.cpuUsage();
  await withHub(async (commit) => {
    for (let change = 0; change < changes; change += 1) {
      await commit(change % sources, 1 + Math.floor(change / sources), ['update']);
    }
  });
  const { user, system } = process.cpuUsage(cpuBefore);
  const tablesAfter = tableBytes();
  const perChange = (bytes) => Math.round(bytes / changes);
  const byTable = Object.entries(tablesAfter)
    .map(([name, bytes]) => [name, perChange(bytes - (tablesBefore[name] ?? 0))])
    .filter(([, bytes]) => bytes > 0)
    .sort(([, a], [, b]) => b - a);
  const feeds = perChange(folderBytes(data).feeds - before.feeds);
  const catalogue = perChange(folderBytes(data).catalogue - before.catalogue);
  return {
    bytesPerChange: perChange(folderBytes(data).total - before.total),
    cpuUsPerChange: perChange(user + system),
    parts: { feeds, catalogue, ...Object.fromEntries(byTable) },
  };
}

async function fillLog() {
  const { openSqliteHubStore } = await built('io/sqlite/hub-store.js');
  let written = 0;
  const beganMs = Date.now();
  const now = () => beganMs - Math.floor((1 - written / changes) * days * DAY_MS);
  const store = await openSqliteHubStore({ folder: data, now });
  await store.putSources(Array.from({ length: sources }, (_, at) => ({ ...watchedSource(at), paused: 'bench' })));
  for (let edition = 0; written < changes; edition += 1) {
    const [most, left] = written < large ? [LARGE_RUN_CHANGES, large - written] : [runChanges, changes - written];
    const size = Math.min(most, left);
    await store.commit({ source: idOf(edition % sources), drafts: draftsOf(edition % sources, edition, size) });
    if (Math.floor((written + size) / SAID_EVERY) > Math.floor(written / SAID_EVERY)) {
      process.stderr.write(`  ${written + size} of ${changes} changes are in the log\n`);
    }
    written += size;
  }
  await store[Symbol.asyncDispose]();
  return { written: changes };
}

function built(path) {
  return import(pathToFileURL(join(BUILD, path)).href);
}

async function withHub(work) {
  const { openSqliteHubStore } = await built('io/sqlite/hub-store.js');
  const { openShelves } = await built('doors/open-shelves.js');
  const { shelfStorage } = await built('doors/shelf-storage.js');
  const { DIALECTS } = await built('dialects/registry.js');
  const store = await openSqliteHubStore({ folder: data });
  const watched = Array.from({ length: sources }, (_, at) => watchedSource(at));
  const byId = new Map(watched.map((source) => [source.config.id, source]));
  await store.putSources(watched);
  const config = { data, extensions: {} };
  const logger = { error: (fields, message) => console.error(message, fields) };
  const shelves = await openShelves({
    config,
    // Earlier builds open the storage themselves.
    logger,
    dialects: DIALECTS,
    storage: shelfStorage(config, store, logger),
    stopping: new AbortController().signal,
    store,
    watch: { sources: () => watched, source: (id) => byId.get(id) },
    baseUrl: () => 'https://hub.example/',
    onBug: (error) => {
      throw error;
    },
  });
  const catalogue = await openedCatalogue(store);
  await work(async (source, edition, actions) => {
    const id = idOf(source);
    const pages = pageOf(source, edition);
    const snapshots = new Map([[pages.put[0].snapshot, pages.text]]);
    const drafts = actions.map((action) => draftOf({ source, edition, part: edition % PARAGRAPHS.length, action }));
    const stored = await store.commit({ source: id, drafts, pages: { put: pages.put, remove: [] }, snapshots });
    const atMs = Date.now();
    const check = { source: id, atMs, tookMs: 20, outcome: 'ok', changes: 1, pages: 1 };
    await store.recordChecks([{ check, health: watched[source].health }]);
    // One change is one run: the next one is appended when every document contains this one.
    const { seq } = stored.at(-1);
    await catalogue?.add(stored);
    while (shelves.seq < seq) await new Promise((resolve) => setImmediate(resolve));
  });
  await catalogue?.[Symbol.asyncDispose]();
  await shelves[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
}

/** Earlier builds do not have it. */
async function openedCatalogue(store) {
  const module = await built('doors/open-catalogue.js').catch(() => undefined);
  const onProblem = (message) => console.error(message);
  return await module?.openCatalogue({ folder: data, store, epoch: undefined, onProblem });
}

function draftsOf(source, edition, count) {
  return Array.from({ length: count }, (_, page) =>
    draftOf({ source, edition, part: page % 12, page, action: edition < sources ? 'create' : 'update' }),
  );
}

function draftOf({ source, edition, part, page = 0, action }) {
  const text = `${PARAGRAPHS[part]} Edition ${edition} of page ${page}.`;
  const title = `Chapter ${page} of the handbook of product ${source}`;
  const provenance = {
    by: 'compare',
    pageChecksum: sha256(`${source} ${page} ${edition}`),
    extractor: '6',
    before: sha256(pageText(source, edition - 1)),
    after: sha256(pageText(source, edition)),
  };
  const of = { source: idOf(source), action, url: `https://docs-${source}.example/handbook/chapter-${page}.html` };
  if (action === 'create') return { ...of, title, checksum: sha256(text), excerpt: text, provenance };
  const heading = `Part ${part} of what is to be known`;
  const before = `${PARAGRAPHS[part]} Edition ${edition - 1} of page ${page}.`;
  const section = { anchor: `part-${part}`, checksum: sha256(text), heading, excerpt: text, before };
  return { ...of, ...section, title, provenance };
}

function pageOf(source, edition) {
  const text = pageText(source, edition);
  const url = `https://docs-${source}.example/handbook/chapter-0.html`;
  const sections = PARAGRAPHS.map((paragraph, part) => ({ anchor: `part-${part}`, checksum: sha256(paragraph) }));
  const record = { url, file: sha256(`${text} file`), extractor: '6', sections };
  const line = Buffer.from(JSON.stringify(record));
  return { text, put: [{ record: { ...record, line }, snapshot: sha256(text) }] };
}

function pageText(source, edition) {
  const parts = PARAGRAPHS.map((text, part) =>
    part === edition % 12 ? `${text} Edition ${edition} of ${source}.` : text,
  );
  return parts.map((text, part) => `## Part ${part} of what is to be known\n\n${text}\n`).join('\n');
}

function watchedSource(at) {
  const config = { id: idOf(at), kind: 'page', urls: [`https://docs-${at}.example/handbook/chapter-0.html`] };
  const health = { changed: true, failures: 0, lastOkMs: 1, lastChangeMs: 1, intervalMs: 3.6e6, dueAtMs: 0 };
  return {
    config: { ...config, title: `Handbook ${at}`, intervalSeconds: 86_400 },
    origin: 'api',
    addedAtMs: 1,
    health: { ...health, changeGapsMs: [] },
  };
}

function idOf(at) {
  return `handbook_${String(at).padStart(4, '0')}`;
}

function paragraph(of) {
  const words = 'the service keeps each record that a client sends until its owner asks for it again or the day ends';
  return `In ${of} ${words}, which ${createHash('sha256').update(of).digest('hex').slice(0, 12)} shows.`;
}

function sha256(text) {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function folderBytes(folder) {
  let [total, feeds, catalogue] = [0, 0, 0];
  for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((e) =>
    e.isFile(),
  )) {
    const { size } = statSync(join(parentPath, name));
    total += size;
    if (parentPath.endsWith('feeds')) feeds += size;
    if (name.startsWith('catalogue.')) catalogue += size;
  }
  return { total, feeds, catalogue };
}

function tableBytes() {
  const database = new DatabaseSync(join(data, 'tidings.db'), { readOnly: true });
  const rows = database.prepare('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name').all();
  database.close();
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
}
