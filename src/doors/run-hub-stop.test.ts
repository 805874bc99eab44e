import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Dialect } from '../dialects/dialect.ts';
import { NOT_FROM_THE_LOG, shelfOf } from '../dialects/shelf.ts';
import { decodeHubConfig } from '../hub/config/decode-config.ts';
import { runHub } from './run-hub.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

test('a hub that is told to stop while its documents catch up ends at once, and its folder is free', async () => {
  const base = await mkdtemp(join(tmpdir(), 'tidings-stop-'));
  onTestFinished(() => rm(base, { recursive: true }));
  const config = decodeHubConfig({ port: 0, data: './data', sources: [] }, { base, dialects: [] });
  const stop = new AbortController();
  let [opened, closed] = [0, 0];
  // Catches up for ever, unless it is stopped.
  const slow: Dialect = {
    name: 'slow',
    shelf: async () => ({
      exported: () => undefined,
      async open({ stopping }) {
        opened += 1;
        const stopped = new Promise<void>((resolve) => stopping?.addEventListener('abort', () => resolve()));
        stop.abort(new Error('stopped'));
        await stopped;
        const close = async () => {
          closed += 1;
        };
        return shelfOf({ ...NOT_FROM_THE_LOG, [Symbol.asyncDispose]: close }, { routes: () => [] });
      },
    }),
  };
  await expect(runHub(config, { logger: SILENT, dialects: [slow], signal: stop.signal })).rejects.toThrow('stopped');
  expect([opened, closed]).toEqual([1, 1]);
  await expect(runHub(config, { logger: SILENT, dialects: [], signal: stop.signal })).rejects.toThrow('stopped');
  const hub = await runHub(config, { logger: SILENT, dialects: [] });
  await hub.close();
});
