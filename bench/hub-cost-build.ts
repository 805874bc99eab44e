import { resolve } from 'node:path';

/** The folder `dist` of the build that is measured: `build=<folder>` behind the name of the bench, else that of this project. */
export function measuredBuild(): string {
  const given = process.argv.find((word) => word.startsWith('build='))?.slice('build='.length);
  return resolve(given ?? 'dist');
}

/** The compiled modules of the build that is measured. What is published of our own is bundled; its modules stand with the tools. */
export function measuredModules(): string {
  return isOtherBuild() ? measuredBuild() : resolve('.tmp', 'tools', 'src');
}

export function isOtherBuild(): boolean {
  return measuredBuild() !== resolve('dist');
}

/** Tells how far a long bench is, on a line of its own. */
export function sayProgress(words: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} hub-cost: ${words}\n`);
}

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
