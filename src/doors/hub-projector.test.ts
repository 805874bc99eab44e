import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { MemoryJournal } from '../../test/support/memory-journal.ts';
import { MemoryRoles } from '../../test/support/memory-roles.ts';
import { served } from '../../test/support/run-lab.ts';
import { endpoints, type Received } from '../../test/support/webhook-lab.ts';
import { AtomDocuments } from '../dialects/atom/shelf/atom-documents.ts';
import { openAtomShelf } from '../dialects/atom/shelf/atom-shelf.ts';
import type { AtomWrite } from '../dialects/atom/shelf/atom-store.ts';
import { openRunShelf } from '../dialects/diffdelta/shelf/run-shelf.ts';
import type { RunWrite } from '../dialects/diffdelta/shelf/run-store.ts';
import { ChangeTail } from '../hub/push/change-tail.ts';
import { changeLog } from '../hub/push/push-log.ts';
import { createAttempter } from '../hub/push/webhooks/attempt.ts';
import { Subscriptions } from '../hub/push/webhooks/subscriptions.ts';
import { WebhookEngine } from '../hub/push/webhooks/webhook-engine.ts';
import { shelfSource } from '../hub/shelves/shelf-source.ts';
import { check, draft, source } from '../hub/store/hub-store-fixtures.contract.ts';
import type { ClusterHubStore } from '../io/cluster/cluster-store.ts';
import { alarm } from '../io/node/timer-alarm.ts';
import { openSqliteAtomStore } from '../io/sqlite/atom-store.ts';
import { openSqliteRuns } from '../io/sqlite/runs.ts';
import { openSqliteWebhooks } from '../io/sqlite/webhooks.ts';
import { gzipDocument } from '../io/zlib/document.ts';
import { type HubProjector, openProjector } from './hub-projector.ts';
import { openClusterStore } from './open-cluster.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-projector-'));
afterAll(() => rm(root, { recursive: true }));

/** A hub of several processes: one journal, and a role that ends when the test says so. */
function openHub() {
  const journal = new MemoryJournal();
  const database = { nowMs: 0 };
  const roles = new MemoryRoles({
    now: () => database.nowMs,
    leaseMs: 5000,
    onToken: (task, token) => journal.tokens.set(task, token),
  });
  return {
    journal,
    /** Whoever has the role has not been heard for too long, and does not know it. */
    expire: () => {
      database.nowMs += 6000;
    },
    async join(name: string) {
      const store = await openClusterStore({ journal: journal.connect(), folder: await mkdtemp(join(root, 'p-')) });
      const projector = openProjector({ store, roles: roles.of(name) }, { leaseMs: 5000, onBug: fail });
      onTestFinished(async () => {
        await projector[Symbol.asyncDispose]();
        await store[Symbol.asyncDispose]();
      });
      return { store, projector };
    },
  };
}

function fail(error: unknown): never {
  throw error;
}

async function held(projector: HubProjector): Promise<void> {
  projector.begin();
  await expect.poll(() => projector.isHeld).toBe(true);
}

async function shelvesOf({ store, projector }: { store: ClusterHubStore; projector: HubProjector }) {
  const readChanges = (after: number) => store.changes({ after });
  const runs = await openRunShelf({
    store: store.openTables(openSqliteRuns),
    relay: projector.steps<RunWrite>('diffdelta'),
    readChanges,
    sourceOf: (id) => {
      const found = store.findSource(id);
      return found && shelfSource(found);
    },
    sources: () => ['a', 'b'],
    ttlSecOf: () => 300,
    ttlSec: 60,
    root: '/',
    now: Date.now,
    wait: async () => {},
  });
  const sourceOf = (id: string) => ({ title: id, addedAtMs: 0 });
  const atomStore = store.openTables(openSqliteAtomStore);
  const atom = await openAtomShelf({
    store: atomStore,
    relay: projector.steps<AtomWrite>('atom'),
    readChanges,
    sourceOf,
  });
  const baseUrl = () => 'https://hub.example/';
  const documents = new AtomDocuments({ shelf: atom, baseUrl, sourceOf, gzip: gzipDocument, now: Date.now });
  onTestFinished(async () => {
    await runs[Symbol.asyncDispose]();
    await atom[Symbol.asyncDispose]();
  });
  return {
    mend: () => Promise.all([runs.mend(), runs.restate(['a', 'b']), atom.mend()]),
    troubles: () => [runs.trouble, atom.trouble],
    async shown() {
      const all: unknown[] = [];
      for (const name of ['a', 'b', '_global']) {
        const { etag, text, feed } = await served(runs, name);
        all.push(etag, text, String(await runs.archive(feed.archive_url?.slice(1) ?? '')));
      }
      for (const name of ['a', 'b', '_all']) all.push(Buffer.from(documents.current(name)?.read() ?? '').toString());
      return all;
    },
  };
}

test('documents are made by one process and have the same bytes in all, also behind a takeover in the middle of a step', async () => {
  const hub = openHub();
  const [one, two] = [await hub.join('one'), await hub.join('two')];
  const caughtUp = () => Promise.all([one.store.replica.current(), two.store.replica.current()]);
  await one.store.putSources([source('a'), source('b')]);
  await caughtUp();
  await held(one.projector);
  const [here, there] = [await shelvesOf(one), await shelvesOf(two)];
  for (let round = 0; round < 4; round += 1) {
    await two.store.commit({ source: 'a', drafts: [draft('a'), draft('a')] });
    await one.store.recordChecks([check('b', round)]);
    await caughtUp();
    await Promise.all([here.mend(), there.mend()]);
  }
  await caughtUp();
  const first = await here.shown();
  expect(await there.shown()).toEqual(first);
  expect(first.join('\n')).toContain('<entry>');
  const steps = () => hub.journal.writes.filter(({ kind }) => kind.startsWith('store:shelf:')).length;
  const before = steps();
  // It goes on to make a step, and somebody else has the role by then.
  hub.expire();
  await held(two.projector);
  await one.store.commit({ source: 'b', drafts: [draft('b')] });
  await caughtUp();
  await here.mend();
  expect([steps(), here.troubles()[1]]).toEqual([before, expect.stringContaining('taken the task over')]);
  await there.mend();
  await caughtUp();
  const second = await there.shown();
  expect([steps() > before, await here.shown()]).toEqual([true, second]);
  expect(second).not.toEqual(first);
});

test('a webhook that is asked for anywhere is told by one process, and behind a takeover nothing is lost, or has another id', async () => {
  const hub = openHub();
  const [one, two] = [await hub.join('one'), await hub.join('two')];
  const received: Received[] = [];
  const tellers: string[] = [];
  const never = new Promise(() => {});
  let isHanging = false;
  const serve = async ({ store }: { store: ClusterHubStore }, by: string) => {
    const tail = new ChangeTail({ store, newest: await store.lastChange() });
    const logs = { changes: changeLog({ tail, store, epoch: undefined }) };
    const http = endpoints(received, { now: Date.now }, () => {
      tellers.push(by);
      return isHanging ? { when: never } : {};
    });
    const hubUrl = () => 'https://hub.example/';
    const attempter = createAttempter({ http, now: Date.now, hubUrl, onAttempt: () => {} });
    const opened = store.openTables(openSqliteWebhooks);
    const engine = new WebhookEngine({
      store: opened,
      logs,
      attempter,
      ownerStanding: () => 'good',
      now: Date.now,
      alarm,
      random: () => 0.5,
      onStanding: () => {},
      onProblem: () => {},
      onBug: fail,
    });
    onTestFinished(() => engine.close());
    const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));
    return {
      engine,
      subscriptions: new Subscriptions({ engine, store: opened, attempter, logs, now: Date.now, random }),
    };
  };
  const [here, there] = [await serve(one, 'one'), await serve(two, 'two')];
  here.engine.begin();
  const wish = { url: 'https://hooks.example/', verify: false } as const;
  const { id } = await there.subscriptions.add(wish, { kind: 'admin' });
  await one.store.replica.current();
  await two.store.commit({ source: 'a', drafts: [draft('a')] });
  await expect.poll(() => received.length).toBe(1);
  await expect.poll(() => there.engine.find(id)?.standing.cursor.seq).toBe(1);
  // The second event is on its way when another process takes over.
  isHanging = true;
  await two.store.commit({ source: 'a', drafts: [draft('a')] });
  await expect.poll(() => received.length).toBe(2);
  here.engine.rest();
  isHanging = false;
  there.engine.begin();
  await one.store.commit({ source: 'a', drafts: [draft('a')] });
  await expect.poll(() => here.engine.find(id)?.standing.cursor.seq).toBe(3);
  expect(tellers).toEqual(['one', 'one', 'two', 'two']);
  expect(received[2]?.id, 'the same delivery').toBe(received[1]?.id);
  expect(new Set(received.map((each) => each.id)).size).toBe(3);
  await here.subscriptions.remove(here.engine.find(id) as never);
  await expect.poll(() => there.engine.find(id)).toBeUndefined();
});
