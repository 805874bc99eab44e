import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { FlakyReporter } from './test/support/flaky-reporter.ts';
import short from './vitest.config.ts';

/** `npm run test:long`: the files that are named so, and those whose numbers depend on it, with the large ones. */
export default defineConfig({
  test: {
    ...short.test,
    include: ['src', 'test'].flatMap(filesAtLength),
    exclude: [],
    env: { ...short.test?.env, TIDINGS_TESTS: 'long' },
    testTimeout: 600_000,
    // Long tests mostly wait.
    maxWorkers: 4,
    // Real processes, databases and browsers beside each other: CI tries a failed one again, and names it at its end.
    reporters: ['default', new FlakyReporter()],
    retry: process.env.CI === undefined ? 0 : 1,
  },
});

function filesAtLength(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith('.long.test.ts') || /\b(?:shortOrLong|IS_LONG)\b/.test(readFileSync(file, 'utf8')));
}
