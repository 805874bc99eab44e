import { setTimeout as pause } from 'node:timers/promises';
import { PostgresJournal } from '../../src/io/postgres/cluster/journal.ts';
import { openClusterDatabase } from '../../src/io/postgres/cluster/open-cluster-database.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { type ClusterStory, type ClusterVerdict, judgeCluster, longestPauseMs } from './cluster-judge.ts';
import { ClusterReader } from './cluster-reader.ts';
import { type Child, startChild } from './harness.ts';

export type ClusterFlaw = 'plain-sequence' | 'no-fence' | 'own-clock';

export interface ClusterPlan {
  readonly bin: string;
  readonly leaseMs: number;
  readonly flaw?: ClusterFlaw;
  /** By how much the clock of each worker is ahead: one worker for each. */
  readonly aheadMs: readonly number[];
}

export interface ClusterOutcome {
  readonly verdict: ClusterVerdict;
  readonly writes: number;
  readonly refused: number;
  readonly unknown: number;
  readonly longestPauseMs: number;
}

const SOURCES = 40;
const SCHEMA = 'tidings';

/** One worker after another in the same place, on a way to the database of its own. */
export interface WorkerPlace {
  child: Child;
  readonly proxy: CuttingProxy;
}

/** A server, workers on its journal, and a reader that was there all the time. */
export class ClusterWorld implements AsyncDisposable {
  readonly server: PostgresServer;
  readonly reader: ClusterReader;
  readonly workers: WorkerPlace[] = [];
  readonly #plan: ClusterPlan;
  readonly #children: Child[] = [];
  readonly #startedMs = Date.now();

  private constructor(server: PostgresServer, plan: ClusterPlan) {
    this.server = server;
    this.#plan = plan;
    this.reader = new ClusterReader(server.url, SCHEMA);
  }

  static async open(plan: ClusterPlan): Promise<ClusterWorld> {
    const server = await startPostgres(plan.bin);
    const world = new ClusterWorld(server, plan);
    await world.#seed();
    const { hostname: host, port } = new URL(server.url);
    for (const aheadMs of plan.aheadMs) {
      const proxy = await startCuttingProxy({ host, port: Number(port) });
      world.workers.push({ proxy, child: world.#startWorker(proxy, aheadMs) });
    }
    world.reader.start();
    await Promise.all(world.workers.map(({ child }) => child.waitFor('ready')));
    return world;
  }

  /** In the place of one that was killed. */
  replace(worker: WorkerPlace, aheadMs = 0): void {
    worker.child = this.#startWorker(worker.proxy, aheadMs);
  }

  /** Ends all of it, and looks at what is there. */
  async finish(): Promise<ClusterOutcome> {
    const endedMs = Date.now();
    await this.#end();
    await this.reader.stop();
    const stored = await this.reader.all();
    const story = storyOf(this.#children);
    const evidence = { stored, seen: this.reader.seen, story, startedMs: this.#startedMs, endedMs };
    return {
      verdict: judgeCluster(evidence),
      writes: stored.length,
      longestPauseMs: longestPauseMs(stored),
      refused: story.refused.size,
      unknown: this.#children.flatMap(({ lines }) => lines.filter((line) => line.startsWith('unknown '))).length,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    await this.reader[Symbol.asyncDispose]();
    for (const { proxy } of this.workers) await proxy[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
  }

  async #end(): Promise<void> {
    for (const { child } of this.workers) child.kill();
    await Promise.all(this.workers.map(({ child }) => child.ended));
  }

  #startWorker({ port }: CuttingProxy, aheadMs: number): Child {
    const url = Object.assign(new URL(this.server.url), { port: String(port) });
    const { leaseMs, flaw } = this.#plan;
    const name = `w${this.#children.length}`;
    const words = [url.href, name, String(leaseMs), String(aheadMs), ...(flaw === undefined ? [] : [flaw])];
    const child = startChild('cluster-child.mjs', words);
    process.once('exit', child.kill);
    void child.ended.then(() => process.removeListener('exit', child.kill));
    this.#children.push(child);
    return child;
  }

  async #seed(): Promise<void> {
    await using database = await openClusterDatabase({ url: this.server.url });
    await database.ask(`CREATE SEQUENCE ${SCHEMA}.plain_rev`);
    await database.ask(`CREATE SEQUENCE ${SCHEMA}.plain_seq`);
    if (this.#plan.flaw === 'plain-sequence') await database.ask(`SELECT nextval('${SCHEMA}.plain_rev')`);
    await using journal = new PostgresJournal(database);
    const ids = Array.from({ length: SOURCES }, (_, index) => `s${index}`);
    const plan = ids.map((id) => ({ id, host: `${id}.example`, dueAtMs: Date.now() }));
    const body = new TextEncoder().encode(JSON.stringify({ mark: 'sources', id: '', token: 0 }));
    await journal.append([{ kind: 'sources', body, plan }]);
  }
}

/** Whether the last word of a worker is that it has begun something. */
export function isInTheMidst({ lines }: Child): boolean {
  const answered = new Set(lines.filter((line) => !line.startsWith('start ')).map((line) => line.split(' ')[1]));
  return lines.slice(-40).some((line) => line.startsWith('start ') && !answered.has(line.split(' ')[1]));
}

/** Waits until it has written something from now on, or until `isOver`. */
export async function untilItWrites(child: Child, isOver = async () => false): Promise<void> {
  const before = child.lines.length;
  for (let turn = 0; turn < 3000; turn += 1) {
    if (child.lines.slice(before).some((line) => line.startsWith('ack ')) || (await isOver())) return;
    await pause(20);
  }
  throw new Error('A worker did not go on within a minute.');
}

function storyOf(children: readonly Child[]): ClusterStory {
  const acked = new Map<string, number>();
  const refused = new Set<string>();
  for (const line of children.flatMap(({ lines }) => lines)) {
    const [word, mark = '', rev] = line.split(' ');
    if (word === 'ack') acked.set(mark, Number(rev));
    if (word === 'refused') refused.add(mark);
  }
  return { acked, refused };
}
