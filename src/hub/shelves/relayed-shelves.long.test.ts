import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { RelayLab } from '../../../test/support/relay-lab.ts';
import { page, served } from '../../../test/support/run-lab.ts';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { AtomDocuments } from '../../dialects/atom/shelf/atom-documents.ts';
import { openAtomShelf } from '../../dialects/atom/shelf/atom-shelf.ts';
import type { AtomWrite } from '../../dialects/atom/shelf/atom-store.ts';
import { openRunShelf } from '../../dialects/diffdelta/shelf/run-shelf.ts';
import type { RunWrite } from '../../dialects/diffdelta/shelf/run-store.ts';
import type { ShelfSource } from '../../dialects/shelf.ts';
import { openSqliteAtomStore } from '../../io/sqlite/atom-store.ts';
import { openSqliteHubStore } from '../../io/sqlite/hub-store.ts';
import { openSqliteRuns } from '../../io/sqlite/runs.ts';
import { gzipDocument } from '../../io/zlib/document.ts';
import { firstHealth, healthAfter } from '../health/health-after.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { shelfSource } from './shelf-source.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-relayed-'));
afterAll(() => rm(root, { recursive: true }));

const MINUTE = 60_000;
const IDS = ['api', 'blog', 'docs'];

/** One log and one set of sources, as replicas that have caught up share them. */
async function openWorld() {
  let nowMs = Date.parse('2026-03-01T12:00:00Z');
  const now = () => nowMs;
  const store = await openSqliteHubStore({ folder: await mkdtemp(join(root, 'log-')), now });
  const sources = new Map<string, WatchedSource>();
  for (const id of IDS) {
    const config = { id, kind: 'page', urls: [`https://${id}.example/`] } as const;
    sources.set(id, { config, origin: 'api', addedAtMs: nowMs, health: firstHealth({ nowMs, intervalMs: MINUTE }) });
  }
  return {
    store,
    now,
    ids: () => [...sources.keys()],
    sourceOf: (id: string): ShelfSource | undefined => {
      const source = sources.get(id);
      return source && shelfSource(source);
    },
    async commit(id: string, text: string): Promise<void> {
      nowMs += MINUTE;
      await store.commit({ source: id, drafts: [{ ...page('a', text), source: id }] });
    },
    record(id: string, isGood: boolean): void {
      nowMs += MINUTE;
      const source = sources.get(id) as WatchedSource;
      const error = { code: 'PageStatusError', message: 'no' };
      const outcome = { changes: 0, notes: [], ...(isGood ? { is: 'read' } : { is: 'failed', error }) } as never;
      const moment = { atMs: nowMs, intervalMs: MINUTE, dueAtMs: nowMs + MINUTE };
      sources.set(id, { ...source, health: healthAfter(source.health, outcome, moment) });
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

type World = Awaited<ReturnType<typeof openWorld>>;

/** What each process begins with: the database of one that has told nothing yet. */
const base = await mkdtemp(join(root, 'base-'));
{
  await using store = await openSqliteHubStore({ folder: base });
  store.openTables(openSqliteRuns);
  store.openTables(openSqliteAtomStore);
}

/** The shelves of one process, in a database of its own. */
async function openProcess({ store, now, ids, sourceOf }: World, relay: RelayLab) {
  const process = relay.newProcess();
  const folder = await mkdtemp(join(root, 'process-'));
  await cp(base, folder, { recursive: true });
  const own = await openSqliteHubStore({ folder, now });
  const readChanges = (after: number) => store.changes({ after });
  const runs = await openRunShelf({
    store: own.openTables(openSqliteRuns),
    relay: process.relays<RunWrite>('diffdelta'),
    readChanges,
    sourceOf,
    sources: ids,
    ttlSecOf: () => 300,
    ttlSec: 60,
    root: '/',
    now,
    wait: async () => {},
  });
  const named = (id: string) => ({ title: id, url: `https://${id}.example/`, addedAtMs: 0 });
  const atomStore = own.openTables(openSqliteAtomStore);
  const relayed = process.relays<AtomWrite>('atom');
  const atom = await openAtomShelf({ store: atomStore, relay: relayed, readChanges, sourceOf: named });
  const documents = new AtomDocuments({
    shelf: atom,
    baseUrl: () => 'https://hub.example/',
    sourceOf: named,
    gzip: gzipDocument,
    now,
  });
  return {
    process,
    runs,
    mend: () => Promise.all([runs.mend(), atom.mend()]),
    restate: (changed: readonly string[]) => runs.restate(changed),
    troubles: () => [runs.trouble, atom.trouble],
    seqs: () => [runs.seq, atom.seq],
    /** All that a reader gets, with its ETag. */
    async shown(): Promise<Record<string, string>> {
      const all: Record<string, string> = {};
      for (const name of [...IDS, '_global']) {
        if (runs.find(name) === undefined) continue;
        const { etag, text, feed } = await served(runs, name);
        all[`diffdelta ${name} ${etag}`] = text;
        const path = feed.archive_url?.slice(1);
        if (path !== undefined) all[path] = Buffer.from((await runs.archive(path)) as Uint8Array).toString();
      }
      for (const name of [...IDS, '_all']) {
        const document = documents.current(name);
        if (document !== undefined) all[`atom ${name}`] = Buffer.from(document.read()).toString();
      }
      return all;
    },
    async [Symbol.asyncDispose]() {
      await runs[Symbol.asyncDispose]();
      await atom[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    },
  };
}

const STEPS = shortOrLong(60, 400);

test(`over ${STEPS} steps with takeovers and faults two processes show the same bytes, and no ETag stands for two texts`, async () => {
  const relay = new RelayLab();
  await using world = await openWorld();
  await using one = await openProcess(world, relay);
  await using two = await openProcess(world, relay);
  const processes = [one, two] as const;
  const random = generator(20);
  const pick = (size: number) => Math.floor(random() * size);
  const bodies = new Map<string, string>();
  await one.process.takeOver();

  for (let step = 0; step < STEPS; step += 1) {
    const id = IDS[pick(IDS.length)] ?? '';
    if (pick(2) === 0) await world.commit(id, `text ${step}`);
    else world.record(id, pick(2) === 0);
    if (pick(6) === 0) relay.nextFault = pick(2) === 0 ? 'lost' : 'late';
    const successor = processes[pick(2)] ?? one;
    // In the middle of a step as well as between two.
    if (pick(4) === 0) relay.onTheWay = () => successor.process.takeOver();
    if (pick(8) === 0) await successor.process.takeOver();
    await Promise.all(processes.map(async (each) => [await each.mend(), await each.restate([id])]));
    relay.onTheWay = async () => {};
    const [first, second] = [await one.shown(), await two.shown()];
    expect(second).toEqual(first);
    for (const [etag, text] of Object.entries(first)) {
      if (etag.startsWith('atom')) continue;
      expect(bodies.get(etag) ?? text, etag).toBe(text);
      bodies.set(etag, text);
    }
  }
  for (const each of processes) await each.process.takeOver().then(each.mend);
  const last = (await world.store.lastChange())?.seq;
  for (const each of processes)
    expect([each.seqs(), each.troubles()]).toEqual([
      [last, last],
      [undefined, undefined],
    ]);
  expect(relay.refused, 'some were refused in the middle of a step').toBeGreaterThan(0);
  expect(await two.shown()).toEqual(await one.shown());
}, 60_000);

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
