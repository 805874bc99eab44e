import type { Socket } from 'node:net';
import { ClientConnections } from './client-connections.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

export interface ConnectionLimits {
  /** For documents. */
  readonly connections: number;
  readonly connectionsPerClient: number;
}

/**
 * The open connections. Streams stay open for days and do next to nothing: they do not take the places of requests for documents, and are counted where they
 * begin.
 */
export class OpenConnections {
  readonly sockets = new Set<Socket>();
  readonly #streams = new Set<Socket>();
  readonly #clients: ClientConnections;
  readonly #most: number;

  constructor({ connections, connectionsPerClient }: ConnectionLimits, proxies: TrustedProxies) {
    this.#most = connections;
    this.#clients = new ClientConnections(connectionsPerClient, proxies);
  }

  /** Takes a new one; `full` and `crowded` say that it is one too many, of all or of its client. */
  add(socket: Socket): 'ok' | 'full' | 'crowded' {
    this.sockets.add(socket);
    socket.once('close', () => this.#remove(socket));
    if (this.sockets.size - this.#streams.size > this.#most) return 'full';
    return this.#clients.admits(socket) ? 'ok' : 'crowded';
  }

  becomesStream(socket: Socket): void {
    if (!this.sockets.has(socket)) return;
    this.#streams.add(socket);
    this.#clients.release(socket);
  }

  isStream(socket: Socket): boolean {
    return this.#streams.has(socket);
  }

  #remove(socket: Socket): void {
    this.sockets.delete(socket);
    this.#streams.delete(socket);
    this.#clients.release(socket);
  }
}
