import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Way } from './cluster-hub-ways.ts';
import { WitnessFile } from './cluster-hub-witness.ts';
import { projectRoot } from './harness.ts';
import { HUB_TOKEN } from './hub-process.ts';

export type PlaceKind = 'serve' | 'worker';

export interface PlaceOptions {
  readonly name: string;
  readonly kind: PlaceKind;
  readonly way: Way;
  /** Of the database, with its password; the way says where it is. */
  readonly database: string;
  readonly folder: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly flaw?: string | undefined;
}

const KEPT_LINES = 40;
const STARTED_WITHIN_MS = 90_000;

/** Where one process of a cluster runs after another, on the same folder and the same way. */
export class ClusterPlace {
  readonly name: string;
  readonly kind: PlaceKind;
  readonly way: Way;
  readonly witness: WitnessFile;
  /** The last lines of the one that runs now. */
  lastLines: string[] = [];
  /** How many ended that nobody had killed, each with its last words. */
  readonly endedByThemselves: string[] = [];
  aheadMs = 0;
  /** Where it answers, with a final slash; undefined while it does not, and for workers. */
  url: string | undefined;
  onUrl: (url: string | undefined) => void = () => {};
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #started: Promise<void> = Promise.resolve();
  #isWanted = false;
  readonly #options: PlaceOptions;

  constructor(options: PlaceOptions) {
    this.#options = options;
    this.name = options.name;
    this.kind = options.kind;
    this.way = options.way;
    this.witness = new WitnessFile(join(options.folder, 'witness.ndjson'));
    mkdirSync(options.folder, { recursive: true });
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Resolves when it says that it runs. */
  get started(): Promise<void> {
    return this.#started;
  }

  start(): void {
    const { kind, way, folder, settings, flaw } = this.#options;
    const root = projectRoot();
    const main = join(root, 'dist', 'cli', 'main.js');
    if (!existsSync(main)) throw new Error('The processes run on dist/: run "npm run build" first.');
    const config = join(folder, 'tidings.config.json');
    writeFileSync(config, JSON.stringify({ host: way.address, port: 0, ...settings }));
    const words = [kind, '--config', config, '--data', join(folder, 'data'), '--json'];
    const only = kind === 'serve' ? ['--no-worker'] : [];
    const patch = join(root, 'test', 'torture', 'cluster-hub-patch.mjs');
    const [command = '', ...args] = [...way.prefix, process.execPath, '--import', patch, main, ...words, ...only];
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        TIDINGS_TOKEN: HUB_TOKEN,
        TIDINGS_CACHE: join(folder, 'cache'),
        TIDINGS_DATABASE: this.#database(),
        TIDINGS_ALLOW_PRIVATE: '1',
        TIDINGS_TORTURE_WITNESS: this.witness.path,
        TIDINGS_TORTURE_AHEAD_MS: String(this.aheadMs),
        ...(flaw !== undefined && { TIDINGS_TORTURE_FLAW: flaw }),
      },
    });
    this.#child = child;
    this.#isWanted = true;
    const lines: string[] = [];
    this.lastLines = lines;
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line.slice(0, 600));
      if (lines.length > KEPT_LINES) lines.shift();
    });
    const ended = new Promise<unknown>((resolve) =>
      child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown')),
    );
    this.#ended = ended;
    void ended.then((how) => {
      if (this.#child !== child) return;
      this.#tell(undefined);
      if (this.#isWanted) this.endedByThemselves.push(`${this.name} ended with ${how}: ${lines.slice(-5).join(' | ')}`);
    });
    this.#started = this.#untilStarted(child, ended);
    this.#started.catch(() => {});
  }

  /** By no will of its own. Resolves when it is gone. */
  async kill(): Promise<void> {
    this.#isWanted = false;
    this.#child?.kill('SIGKILL');
    await this.#ended;
    this.#tell(undefined);
  }

  /** Asks it to end, and says how it did. */
  async stop(): Promise<unknown> {
    this.#isWanted = false;
    this.#child?.kill('SIGTERM');
    const kill = setTimeout(() => this.#child?.kill('SIGKILL'), 60_000);
    const how = await this.#ended;
    clearTimeout(kill);
    return how;
  }

  /** It is filled from the database when it starts again. */
  wipe(): void {
    rmSync(join(this.#options.folder, 'data'), { recursive: true, force: true });
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Whether it stands still. */
  get isStopped(): boolean {
    try {
      return /\) [Tt] /.test(readFileSync(`/proc/${this.pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  }

  /** How those who run in the cluster call it. */
  get processName(): string | undefined {
    const named = this.witness.all().findLast((each) => each.is === 'named');
    return named?.is === 'named' && named.pid === this.pid ? named.name : undefined;
  }

  #database(): string {
    const url = new URL(this.#options.database);
    const { host, port } = this.way.database;
    return Object.assign(url, { hostname: host, port: String(port) }).href;
  }

  #tell(url: string | undefined): void {
    this.url = url;
    this.onUrl(url);
  }

  async #untilStarted(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
    const stdout = child.stdout;
    if (stdout === null) throw new Error('It has no voice.');
    const said = new Promise<string>((resolve) => createInterface({ input: stdout }).once('line', resolve));
    const late = pause(STARTED_WITHIN_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${this.name} did not start: ${this.lastLines.join('\n')}`);
    });
    late.catch(() => {});
    const line = await Promise.race([
      said,
      late,
      ended.then((how) => Promise.reject(new Error(`It ended with ${how}.`))),
    ]);
    const { url } = JSON.parse(line) as { url?: string };
    if (this.#child === child && url !== undefined) this.#tell(url);
  }
}
