import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The folder `dist` of the measured build: `build=<folder>` after the name of the bench, or that of this project. */
export function measuredBuild(): string {
  const given = process.argv.find((word) => word.startsWith('build='))?.slice('build='.length);
  return resolve(given ?? 'dist');
}

/** The compiled modules of the measured build. Our published build is bundled; its modules are with the tools. */
function measuredModules(): string {
  return isOtherBuild() ? measuredBuild() : resolve('.tmp', 'tools', 'src');
}

export function isOtherBuild(): boolean {
  return measuredBuild() !== resolve('dist');
}

/** Reports the progress of a long bench on a separate line. */
export function progressOf(bench: string): (words: string) => void {
  return (words) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${bench}: ${words}\n`);
}

export const sayProgress = progressOf('hub-cost');

/** Undefined if it takes longer. */
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

/** Runs a part of a bench in a separate process, on the measured build. Returns its output. */
export async function benchChild(...args: readonly (string | number)[]): Promise<Readonly<Record<string, unknown>>> {
  const script = join('bench', 'hub-cost-child.mjs');
  const env = { ...process.env, TIDINGS_BENCH_MODULES: measuredModules() };
  const working = promisify(execFile)(process.execPath, [script, ...args.map(String)], { env });
  working.child.stderr?.pipe(process.stderr);
  const { stdout } = await working;
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}
