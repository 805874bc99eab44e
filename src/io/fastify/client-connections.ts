import type { Socket } from 'node:net';
import { clientOfAddress } from '../../hub/keys/client-address.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** Counts the connections of each client. Those of trusted proxies are of many clients, and are not counted. */
export class ClientConnections {
  readonly #most: number;
  readonly #proxies: TrustedProxies;
  readonly #open = new Map<string, number>();
  /** The counted connections, by client. */
  readonly #counted = new WeakMap<object, string>();

  /** At most `most` of a client, or 0 for no limit. */
  constructor(most: number, proxies: TrustedProxies) {
    this.#most = most;
    this.#proxies = proxies;
  }

  /** False where its client has as many already. */
  admits(socket: Pick<Socket, 'remoteAddress'>): boolean {
    const { remoteAddress = '' } = socket;
    if (this.#most === 0 || this.#proxies.has(remoteAddress)) return true;
    const client = clientOfAddress(remoteAddress);
    const open = (this.#open.get(client) ?? 0) + 1;
    if (open > this.#most) return false;
    this.#open.set(client, open);
    this.#counted.set(socket, client);
    return true;
  }

  /** It is no longer counted. */
  release(socket: object): void {
    const client = this.#counted.get(socket);
    if (client === undefined) return;
    this.#counted.delete(socket);
    const left = (this.#open.get(client) ?? 1) - 1;
    if (left === 0) this.#open.delete(client);
    else this.#open.set(client, left);
  }
}
