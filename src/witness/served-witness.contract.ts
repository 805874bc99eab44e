import { onTestFinished } from 'vitest';
import { UNCOUNTED } from '../../test/support/events-lab.ts';
import { WITNESS } from '../codecs/tlog/tlog-fixtures.contract.ts';
import { startFastifyServer } from '../io/fastify/server.ts';
import { openWitnessLab } from './witness-lab.contract.ts';
import { witnessRoutes } from './witness-routes.ts';

/** A witness of the log of the fixtures behind a socket, and how it answered. */
export async function serveWitness() {
  const lab = await openWitnessLab();
  const answers: number[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const server = await startFastifyServer({
    routes: witnessRoutes(lab.witness, WITNESS.key, ({ status }) => answers.push(status)),
    host: '127.0.0.1',
    port: 0,
    isAdmin: () => false,
    trustProxies: [],
    logger,
    metrics: UNCOUNTED,
  });
  onTestFinished(() => server.close(0));
  return { ...lab, url: server.url, named: { key: WITNESS.key, url: new URL(server.url) }, answers };
}
