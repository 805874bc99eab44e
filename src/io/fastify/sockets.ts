import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { problem } from '../../hub/http/problem.ts';
import type { HubResponse } from '../../hub/http/route.ts';
import type { HubLogger } from '../../hub/watch/logger.ts';
import type { FastifyExchange } from './exchange.ts';
import type { RequestListener } from './known-paths.ts';
import type { ServerLimits } from './limits.ts';
import type { OpenConnections } from './open-connections.ts';
import { SlowReaders } from './slow-readers.ts';
import { answerClientError, endWithProblem } from './socket-problem.ts';

interface SocketParts {
  readonly exchange: FastifyExchange;
  readonly limits: ServerLimits;
  readonly logger: HubLogger;
  readonly connections: OpenConnections;
  readonly handler: RequestListener;
}

const DROP_NOTE_MS = 60_000;

/** Everything that can happen to a connection beside a request that reaches the router. */
export function guardSockets(server: Server, parts: SocketParts): void {
  const { exchange, limits, handler } = parts;
  server.on('clientError', (error, socket) => {
    // Nothing may be written into the middle of an answer.
    if (exchange.busy.has(socket)) socket.destroy();
    else answerClientError(error, socket, limits.urlCharacters);
  });
  // Both are handled here, because Node would answer them without checking the request.
  server.on('checkContinue', handler);
  server.on('checkExpectation', handler);
  server.on('connect', (_request, socket) => {
    // RFC 9110 §10.2.1: nothing behind a proxy may be requested, because this is not one.
    endWithProblem(socket, problem({ status: 405, detail: 'This server is no proxy.' }, { allow: 'GET, HEAD' }));
  });

  limitConnections(server, parts);
}

function limitConnections(server: Server, { limits, logger, connections }: SocketParts): void {
  const note = rarely((what: string) => logger.warn({ connections: limits.connections }, what));
  const noteFull = () => note('Connections are turned away: as many as allowed are open');
  server.on('drop', noteFull);
  server.on('connection', (socket: Socket) => {
    const standing = connections.add(socket);
    if (standing === 'ok') return;
    if (standing === 'full') {
      noteFull();
      socket.destroy();
      return;
    }
    note(`Connections of ${socket.remoteAddress} are turned away: it has ${limits.connectionsPerClient}`);
    endWithProblem(socket, crowded(limits.connectionsPerClient));
  });
  const slow = new SlowReaders(limits);
  const looking = setInterval(() => {
    if (slow.look(connections.sockets, performance.now()) > 0)
      note('Connections are ended: their clients take answers too slowly');
  }, limits.stallMs / 4);
  looking.unref();
  server.once('close', () => clearInterval(looking));
}

/** Calls it once in a minute at most. */
function rarely(say: (what: string) => void): (what: string) => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (what) => {
    const now = performance.now();
    if (now - saidAt < DROP_NOTE_MS) return;
    saidAt = now;
    say(what);
  };
}

function crowded(most: number): HubResponse {
  const detail = `This address has ${most} connections open, and may have no more. Close some, or use them again.`;
  return problem({ status: 429, detail }, { 'retry-after': '10' });
}
