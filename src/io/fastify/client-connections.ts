import { BlockList, isIPv6, type Socket } from 'node:net';
import { clientOfAddress } from '../../hub/keys/client-address.ts';

/** Counts the open connections of each client. Those of trusted proxies are of many clients, and are not counted. */
export class ClientConnections {
  readonly #most: number;
  readonly #proxies = new BlockList();
  readonly #open = new Map<string, number>();

  /** At most `most` of a client, or 0 for no limit. `proxies` are addresses or networks. */
  constructor(most: number, proxies: readonly string[]) {
    this.#most = most;
    for (const proxy of proxies) {
      const [address = '', prefix] = proxy.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (prefix === undefined) this.#proxies.addAddress(address, family);
      else this.#proxies.addSubnet(address, Number(prefix), family);
    }
  }

  /** False where its client has as many already. */
  admits(socket: Pick<Socket, 'remoteAddress' | 'once'>): boolean {
    const { remoteAddress = '' } = socket;
    if (this.#most === 0 || this.#isProxy(remoteAddress)) return true;
    const client = clientOfAddress(remoteAddress);
    const open = (this.#open.get(client) ?? 0) + 1;
    if (open > this.#most) return false;
    this.#open.set(client, open);
    socket.once('close', () => this.#end(client));
    return true;
  }

  #end(client: string): void {
    const left = (this.#open.get(client) ?? 1) - 1;
    if (left === 0) this.#open.delete(client);
    else this.#open.set(client, left);
  }

  #isProxy(address: string): boolean {
    return this.#proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}
