import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The folder `dist` of the build that is measured: `build=<folder>` behind the name of the bench, else that of this project. */
export function measuredBuild(): string {
  const given = process.argv.find((word) => word.startsWith('build='))?.slice('build='.length);
  return resolve(given ?? 'dist');
}

/** The compiled modules of the build that is measured. What is published of our own is bundled; its modules stand with the tools. */
function measuredModules(): string {
  return isOtherBuild() ? measuredBuild() : resolve('.tmp', 'tools', 'src');
}

export function isOtherBuild(): boolean {
  return measuredBuild() !== resolve('dist');
}

/** Tells how far a long bench is, on a line of its own. */
export function progressOf(bench: string): (words: string) => void {
  return (words) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${bench}: ${words}\n`);
}

export const sayProgress = progressOf('hub-cost');

/** Undefined when it takes longer. */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), ms);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}

/** A part of a bench in a process of its own, on the build that is measured; what it prints. */
export async function benchChild(...args: readonly (string | number)[]): Promise<Readonly<Record<string, unknown>>> {
  const script = join('bench', 'hub-cost-child.mjs');
  const env = { ...process.env, TIDINGS_BENCH_MODULES: measuredModules() };
  const working = promisify(execFile)(process.execPath, [script, ...args.map(String)], { env });
  working.child.stderr?.pipe(process.stderr);
  const { stdout } = await working;
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}
