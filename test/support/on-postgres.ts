import { afterAll, beforeAll, describe } from 'vitest';
import { findPostgres, type PostgresServer, type PostgresServerOptions, startPostgres } from './postgres-server.ts';

/** Tests on a server that is started for their file. Skipped with a message if the machine has none. */
export function describeOnPostgres(
  name: string,
  tests: (server: () => PostgresServer) => void,
  options: PostgresServerOptions = {},
): void {
  const bin = findPostgres();
  const title = bin === undefined ? `${name}: no PostgreSQL on this machine` : name;
  describe.skipIf(bin === undefined)(title, () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres(bin ?? '', options);
    });
    afterAll(async () => {
      await server[Symbol.asyncDispose]();
    });
    tests(() => server);
  });
}
