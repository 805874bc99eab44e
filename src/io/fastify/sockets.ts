import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { problem } from '../../hub/http/problem.ts';
import type { HubLogger } from '../../hub/watch/logger.ts';
import type { FastifyExchange } from './exchange.ts';
import type { ServerLimits } from './limits.ts';
import { answerClientError, endWithProblem } from './socket-problem.ts';

interface SocketParts {
  readonly exchange: FastifyExchange;
  readonly limits: ServerLimits;
  readonly logger: HubLogger;
  /** Is kept to the connections that are open. */
  readonly sockets: Set<Socket>;
  handler(request: IncomingMessage, response: ServerResponse): void;
}

const DROP_NOTE_MS = 60_000;

/** Everything that can happen to a connection beside a request that reaches the router. */
export function guardSockets(server: Server, { exchange, limits, logger, sockets, handler }: SocketParts): void {
  server.on('clientError', (error, socket) => {
    // Nothing may be written into the middle of an answer.
    if (exchange.busy.has(socket)) socket.destroy();
    else answerClientError(error, socket, limits.urlCharacters);
  });
  // Both come here instead of being answered by Node without a look at who asks for what.
  server.on('checkContinue', handler);
  server.on('checkExpectation', handler);
  server.on('connect', (_request, socket) => {
    // RFC 9110 §10.2.1: nothing may be asked of what lies behind a proxy that is none.
    endWithProblem(socket, problem({ status: 405, detail: 'This server is no proxy.' }, { allow: 'GET, HEAD' }));
  });

  let notedAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    const now = performance.now();
    if (now - notedAt < DROP_NOTE_MS) return;
    notedAt = now;
    logger.warn({ connections: limits.connections }, 'Connections are turned away: as many as allowed are open');
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
}
