import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { encodeTilePath } from '../src/codecs/tlog/tile-path.ts';
import { newBundles, newTiles } from '../src/codecs/tlog/tiles-of-size.ts';
import { createLogSigner } from '../src/dialects/tlog/shelf/tlog-key.ts';
import { openTlogShelf } from '../src/dialects/tlog/shelf/tlog-shelf.ts';
import type { TlogWrite } from '../src/dialects/tlog/shelf/tlog-store.ts';
import { audit } from '../src/doors/audit.ts';
import { openClusterStore } from '../src/doors/open-cluster.ts';
import { wait } from '../src/io/node/timer-wait.ts';
import { PostgresJournal } from '../src/io/postgres/cluster/journal.ts';
import { shelfRelay } from '../src/io/sqlite/shelf-steps.ts';
import { openSqliteTlogStore } from '../src/io/sqlite/tlog-store.ts';
import { gzipDocument } from '../src/io/zlib/document.ts';
import { changedPage } from './support/atom-lab.ts';
import { type ClusterLab, openClusterLab } from './support/cluster-lab.ts';
import { type HubProcess, startTidings } from './support/cluster-processes.ts';
import { eventsOf, healthOf, post } from './support/database-lab.ts';
import { startLiveSite } from './support/live-site.ts';
import { describeOnPostgres } from './support/on-postgres.ts';
import { htmlPage } from './support/site.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-cluster-tlog-'));
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'data-'));

const SITES = 3;
const PREFIX = '.well-known/tidings';

/** Each edit is another section's: what changes at every look is held back. */
function page(edits: number): string {
  const sections = ['one', 'two', 'three'].map((id, at) => ({
    id,
    heading: `Section ${id}`,
    text: `The ${at < edits ? 'edited' : 'first'} text of section ${id}, of some length, so that it counts as one.`,
  }));
  return htmlPage('A page', sections);
}

async function fileOf(hub: HubProcess, path: string): Promise<{ readonly status: number; readonly body: string }> {
  const answer = await fetch(new URL(`${PREFIX}/${path}`, hub.said.url));
  return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()).toString('base64') };
}

async function checkpointOf(hub: HubProcess): Promise<string> {
  const answer = await fetch(new URL(`${PREFIX}/checkpoint`, hub.said.url));
  const text = await answer.text();
  return answer.status === 200 ? text : '';
}

const sizeOf = (note: string) => Number(note.split('\n')[1] ?? 0);

/** Every checkpoint that any server of a hub ever showed, by its size. */
class SeenCheckpoints implements AsyncDisposable {
  readonly notes = new Map<number, Set<string>>();
  readonly #hubs = new Set<HubProcess>();
  #isOver = false;
  readonly #looking: Promise<void>;

  constructor() {
    this.#looking = this.#look();
  }

  watch(hub: HubProcess): void {
    this.#hubs.add(hub);
  }

  /** Those that contradict each other. */
  get forks(): readonly (readonly string[])[] {
    return [...this.notes.values()].filter((notes) => notes.size > 1).map((notes) => [...notes]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#looking;
  }

  async #look(): Promise<void> {
    while (!this.#isOver) {
      for (const hub of this.#hubs) {
        // One that was killed does not answer any more.
        const note = await checkpointOf(hub).catch(() => '');
        if (note !== '') this.notes.set(sizeOf(note), (this.notes.get(sizeOf(note)) ?? new Set()).add(note));
      }
      await new Promise(setImmediate);
    }
  }
}

/** The names of the processes that make the steps, as a server knows them. */
async function projectorsOf(hub: HubProcess): Promise<readonly string[]> {
  const { processes } = await healthOf(hub.said.url);
  return (processes as readonly { readonly name: string; readonly roles?: readonly string[] }[])
    .filter(({ roles = [] }) => roles.includes('projector'))
    .map(({ name }) => name);
}

describeOnPostgres('the provable log of a hub of several processes', (server) => {
  test('has one history, the same on every server, also when whoever signs it is killed', {
    timeout: 240_000,
  }, async () => {
    const sites = await Promise.all(Array.from({ length: SITES }, () => startLiveSite({ '/a': page(0) })));
    const env = { TIDINGS_DATABASE: server().url, TIDINGS_COOLDOWN: '0' };
    await using front = await openFront();
    const serve = async () =>
      startTidings(['serve', '--port', '0', '--base-url', front.url, '--data', await newFolder()], env);
    await using one = await serve();
    // The first one has the role before there is anybody else.
    await expect.poll(() => projectorsOf(one), { timeout: 30_000 }).toHaveLength(1);
    const [signer] = await projectorsOf(one);
    await using two = await serve();
    await using seen = new SeenCheckpoints();
    for (const hub of [one, two]) seen.watch(hub);
    for (const [at, { url }] of sites.entries()) {
      await post(one.said.url, 'api/v1/sources', { id: `s${at}`, kind: 'page', url: `${url}a`, intervalSeconds: 1 });
    }
    const told = async (hubs: readonly HubProcess[], count: number) => {
      for (const { said } of hubs)
        await expect.poll(async () => (await eventsOf(said.url)).length, { timeout: 60_000 }).toBe(count);
    };
    await told([one, two], SITES);
    await expect.poll(async () => sizeOf(await checkpointOf(two)), { timeout: 60_000 }).toBeGreaterThan(SITES);

    expect(await projectorsOf(two)).toEqual([signer]);
    const before = await checkpointOf(two);
    // It dies while it has something to tell.
    for (const site of sites) site.put({ '/a': page(1) });
    const died = once(one.child, 'exit');
    one.child.kill('SIGKILL');
    await died;
    await told([two], 2 * SITES);
    await expect
      .poll(async () => sizeOf(await checkpointOf(two)), { timeout: 60_000 })
      .toBeGreaterThan(sizeOf(before) + SITES);
    await expect
      .poll(async () => (await projectorsOf(two)).filter((name) => name !== signer), { timeout: 30_000 })
      .toHaveLength(1);

    await using third = await serve();
    seen.watch(third);
    for (const site of sites) site.put({ '/a': page(2) });
    await told([two, third], 3 * SITES);
    for (const site of sites) await site[Symbol.asyncDispose]();

    const note = await sameCheckpoint([two, third]);
    for (const tile of [...newTiles(0, sizeOf(note)), ...newBundles(0, sizeOf(note))]) {
      const path = encodeTilePath(tile);
      const here = await fileOf(two, path);
      expect(here.status, path).toBe(200);
      expect(await fileOf(third, path), path).toEqual(here);
    }
    expect(await fileOf(third, 'vkey')).toEqual(await fileOf(two, 'vkey'));
    for (const hub of [two, third]) {
      front.leadTo(hub);
      const report = await audit(front.url, { allowPrivate: true });
      expect(report.findings, JSON.stringify(report)).toEqual([]);
      expect(report).toMatchObject({ ok: true, unread: [] });
    }
    expect(seen.forks).toEqual([]);
    expect([...seen.notes.keys()].length).toBeGreaterThan(2);
  });

  test('two processes that both take themselves for the one that signs make one history, and whoever lost the role none', {
    timeout: 120_000,
  }, async () => {
    await using lab = await openClusterLab(server().url);
    await lab.openDatabase();
    const token = await lab.give('role:projector');
    await using one = await openMaker(lab, token);
    await using two = await openMaker(lab, token);
    for (let round = 0; round < 20; round += 1) {
      await one.store.commit({ source: 'docs', drafts: [{ ...changedPage(`p${round}`), source: 'docs' }] });
      await two.store.replica.current();
      await Promise.all([one, two].map(({ shelf }) => shelf.mend()));
    }
    expect(one.refused.length + two.refused.length, 'steps that were overtaken').toBeGreaterThan(0);
    await settle([one, two]);
    const heads = [one, two].map(({ tables }) => tables.logs().at(-1));
    expect(heads[0]).toMatchObject({ log: 1, seq: 20 });
    expect(heads[1]).toEqual(heads[0]);
    expect(two.tables.openEntries(1)).toEqual(one.tables.openEntries(1));
    const notes = new Map<number, Set<string>>();
    for (const note of [...one.signed, ...two.signed])
      notes.set(sizeOf(note), (notes.get(sizeOf(note)) ?? new Set()).add(note));
    expect([...notes.values()].filter(({ size }) => size > 1)).toEqual([]);

    await lab.give('role:projector');
    await one.store.commit({ source: 'docs', drafts: [{ ...changedPage('late'), source: 'docs' }] });
    await one.shelf.mend();
    expect([one.shelf.trouble, one.tables.logs()[0]?.seq]).toEqual([expect.any(String), 20]);
  });
});

/** The one address of a hub of several servers: whoever comes in is led to the one that was named last. */
async function openFront(): Promise<AsyncDisposable & { readonly url: string; leadTo(hub: HubProcess): void }> {
  let port = 0;
  const front = createServer((request, response) => {
    const { url: path, headers, method } = request;
    const onward = httpRequest({ host: '127.0.0.1', port, path, headers, method, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}/`,
    leadTo(hub) {
      port = Number(new URL(hub.said.url).port);
    },
    async [Symbol.asyncDispose]() {
      front.closeAllConnections();
      front.close();
    },
  };
}

/** A process that never doubts that it makes the steps of the provable log. */
async function openMaker(lab: ClusterLab, token: number) {
  const database = await lab.openDatabase();
  const store = await openClusterStore({ journal: new PostgresJournal(database), folder: await newFolder() });
  const [signed, refused]: string[][] = [[], []];
  const relay = store.openTables((opened) =>
    shelfRelay<TlogWrite>(opened, 'tlog', {
      isMaker: () => true,
      send: (name, sent) => store.under({ task: 'role:projector', token }).writeStep(name, sent),
    }),
  );
  const tables = store.openTables(openSqliteTlogStore);
  const shelf = await openTlogShelf({
    store: tables,
    relay: {
      ...relay,
      async send(step) {
        await relay.send(step).catch((error: unknown) => {
          refused?.push(String(error));
          throw error;
        });
        if (step.checkpoint !== undefined) signed?.push(step.checkpoint);
      },
    },
    readChanges: (after) => store.changes({ after }),
    sources: () => [],
    sourceOf: () => undefined,
    documentsSince: async function* () {},
    documentsNaming: async function* () {},
    documentsSeq: () => 0,
    baseUrl: () => 'https://hub.example/',
    gzip: gzipDocument,
    random: (size) => randomBytes(size),
    signer: createLogSigner(),
    now: Date.now,
    wait,
  });
  return {
    ...{ store, tables, shelf, signed: signed ?? [], refused: refused ?? [] },
    async [Symbol.asyncDispose]() {
      await shelf[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** Resolves when all of them have all changes in one log, and its head is signed. */
async function settle(makers: readonly Awaited<ReturnType<typeof openMaker>>[]): Promise<void> {
  const standing = async () => {
    for (const { shelf, store } of makers) {
      await shelf.mend();
      await store.replica.current();
    }
    const records = makers.map(({ tables }) => tables.logs().at(-1));
    return (
      new Set(records.map((record) => `${record?.seq} ${record?.size} ${sizeOf(record?.checkpoint ?? '')}`)).size ===
        1 && records.every((record) => record?.size === sizeOf(record?.checkpoint ?? ''))
    );
  };
  await expect.poll(standing, { timeout: 60_000 }).toBe(true);
}

/** The checkpoint of all of them, once it is the same. */
async function sameCheckpoint(hubs: readonly HubProcess[]): Promise<string> {
  let note = '';
  const differing = async () => {
    const notes = await Promise.all(hubs.map(checkpointOf));
    note = notes[0] ?? '';
    return new Set(notes).size;
  };
  await expect.poll(differing, { timeout: 60_000 }).toBe(1);
  return note;
}
