import { afterAll, beforeAll } from 'vitest';
import { type PGliteServer, startPGlite } from '../../../test/support/pglite-server.mjs';
import { openPostgresSinkLab } from '../../../test/support/postgres-sink-lab.ts';
import { describeSink } from '../../sync/sink.contract.ts';

let server: PGliteServer;
beforeAll(async () => {
  server = await startPGlite();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describeSink('an index in PostgreSQL (PGlite)', () => openPostgresSinkLab(server.url, true));
