/** A PostgreSQL in a process of its own: `pglite-child.mjs <folder> <port>`. Says `at <url>` when it answers, and answers until it is killed. */
import { startPGlite } from '../support/pglite-server.mjs';

const [, , folder, port = '0'] = process.argv;

const { url } = await startPGlite({ folder, port: Number(port) });
process.stdout.write(`at ${url}\n`);
