import { accessSync, constants, statfsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 * 1024 ** 3;

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // What takes seconds by its nature is named so, and runs with `npm run test:long`.
    exclude: ['**/node_modules/**', '**/*.long.test.ts'],
    // An end for what hangs, also on a busy machine. No test says by it how fast something is.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    // One more than two cores, which works while tests wait: for a hub that looks each second, a browser, a process. Each worker loads all modules again.
    maxWorkers: 3,
    // A third of the CPU time went into loading the same modules for each file. Tests put back what they change.
    isolate: false,
    // Publishing and SQLite wait for the disk at every step, which thousands of tests need not.
    env: hasRoom(MEMORY) ? { TMPDIR: process.env.TMPDIR ?? MEMORY } : {},
  },
});

/** A container may have 64 MB of it, or none. */
function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ENOUGH_BYTES;
  } catch {
    return false;
  }
}
