import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 20_000,
    maxWorkers: 2,
    // A third of the CPU time went into loading the same modules for each file. Tests put back what they change.
    isolate: false,
  },
});
