import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HubProcess, startTidings } from '../test/support/cluster-processes.ts';
import type { PostgresServer } from '../test/support/postgres-server.ts';
import { cpuSecondsOf } from './hub-processes.ts';

export interface FleetOptions {
  readonly server: PostgresServer;
  /** A separate hub in the database. */
  readonly schema: string;
  readonly cooldownMs: number;
  readonly sources: readonly object[];
}

/** The processes of one hub, real ones, each with its own data folder. Disposing it ends them all. */
export class Fleet implements AsyncDisposable {
  readonly #options: FleetOptions;
  readonly #folder: string;
  readonly #processes: HubProcess[] = [];

  private constructor(options: FleetOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
  }

  static async open(options: FleetOptions): Promise<Fleet> {
    const fleet = new Fleet(options, await mkdtemp(join(tmpdir(), 'tidings-bench-fleet-')));
    const settings = {
      allowPrivate: true,
      cooldownMs: options.cooldownMs,
      limits: { perMinute: 10_000_000 },
      sources: options.sources,
    };
    await writeFile(fleet.#config, JSON.stringify(settings));
    return fleet;
  }

  get pids(): readonly number[] {
    return this.#processes.map(({ child }) => child.pid ?? 0);
  }

  /** A server that visits nothing, unless it is the only process and has no database. */
  async serve(words: readonly string[], env: Readonly<Record<string, string>> = this.#shared): Promise<HubProcess> {
    return await this.#start(['serve', '--config', this.#config, '--port', '0', ...words], env);
  }

  async work(): Promise<HubProcess> {
    return await this.#start(['worker', '--config', this.#config], this.#shared);
  }

  async end(one: HubProcess): Promise<void> {
    this.#processes.splice(this.#processes.indexOf(one), 1);
    await one[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#processes.map((each) => each[Symbol.asyncDispose]()));
    await rm(this.#folder, { recursive: true });
  }

  get #config(): string {
    return join(this.#folder, 'tidings.config.json');
  }

  get #shared(): Readonly<Record<string, string>> {
    const url = new URL(this.#options.server.url);
    url.searchParams.set('schema', this.#options.schema);
    return { TIDINGS_DATABASE: url.href };
  }

  async #start(words: readonly string[], env: Readonly<Record<string, string>>): Promise<HubProcess> {
    const data = await mkdtemp(join(this.#folder, 'data-'));
    const started = await startTidings([...words, '--data', data], env);
    this.#processes.push(started);
    return started;
  }
}

/** The CPU time of the processes of a database, including those of its connections. */
export function databaseCpuSeconds({ pid }: PostgresServer): number {
  const children = `/proc/${pid}/task/${pid}/children`;
  const pids = existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ').map(Number) : [];
  return [pid, ...pids].reduce((total, each) => total + cpuSecondsOf(each), 0);
}
