import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What a torture says in the end. Every count but `rounds` and `hits` has to be 0. */
export interface TortureReport {
  readonly name: string;
  readonly rounds: number;
  /** Rounds in which the kill landed in the midst of the work: without any, nothing was shown. */
  readonly hits: number;
  readonly wrong: Readonly<Record<string, number>>;
}

export function passed({ hits, wrong }: TortureReport): boolean {
  return hits > 0 && Object.values(wrong).every((count) => count === 0);
}

export function describeReport(report: TortureReport): string {
  const wrong = Object.entries(report.wrong).map(([what, count]) => `${count} ${what}`);
  const verdict = passed(report) ? 'ok' : 'FAILED';
  return `${report.name}: ${report.rounds} rounds, ${report.hits} kills in the midst of work: ${wrong.join(', ')}: ${verdict}`;
}

/** A child that is run on the built code, and what it has said so far. */
export interface Child {
  readonly pid: number;
  readonly lines: string[];
  /** Resolves at the first line of this text; rejects when the child ends without it. */
  waitFor(line: string): Promise<void>;
  /** Resolves when the child is gone and its last line is read, with its exit code or the name of its signal. */
  readonly ended: Promise<number | string>;
  kill(): void;
}

/** Starts `test/torture/<script>` in a process of its own. `prefix` puts a command before it, such as strace. */
export function startChild(script: string, args: readonly string[], prefix: readonly string[] = []): Child {
  const root = projectRoot();
  if (!existsSync(join(root, 'dist'))) throw new Error('The children run on dist/: run "npm run build" first.');
  const [command = '', ...rest] = [...prefix, process.execPath, join(root, 'test', 'torture', script), ...args];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.pid === undefined) throw new Error(`Cannot start ${command}.`);

  const lines: string[] = [];
  const waiting: Waiting[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => {
    lines.push(line);
    for (const { wanted, resolve } of waiting) if (line === wanted) resolve();
  });
  const ended = endOf(child, new Promise((resolve) => reader.once('close', resolve)));
  void ended.then(() => {
    for (const { wanted, reject } of waiting) reject(new Error(`${script} ended without saying "${wanted}".`));
  });
  return {
    pid: child.pid,
    lines,
    ended,
    waitFor: (wanted) =>
      lines.includes(wanted)
        ? Promise.resolve()
        : new Promise((resolve, reject) => waiting.push({ wanted, resolve, reject })),
    kill: () => child.kill('SIGKILL'),
  };
}

interface Waiting {
  readonly wanted: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

async function endOf(child: ChildProcess, outputRead: Promise<unknown>): Promise<number | string> {
  const exit = await new Promise<number | string>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown')),
  );
  await outputRead;
  return exit;
}

/** This file runs from the source tree (vitest) and from where the tools are compiled to. */
export function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
