import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';

/** The proxies whose information about the client is trusted. */
export class TrustedProxies {
  readonly #networks = new BlockList();
  readonly #isEmpty: boolean;

  /** From addresses or networks (`10.0.0.0/8`). Throws `SettingRefusedError` for anything else. */
  constructor(proxies: readonly string[]) {
    this.#isEmpty = proxies.length === 0;
    try {
      for (const proxy of proxies) this.#add(proxy);
    } catch (error) {
      const remedy = `Give addresses or networks, like 10.0.0.0/8: ${error instanceof Error ? error.message : error}.`;
      throw new SettingRefusedError('trustProxies', JSON.stringify(proxies), remedy);
    }
  }

  /** False for what is no address. */
  has(address: string): boolean {
    if (this.#isEmpty) return false;
    const family = isIP(address);
    return family !== 0 && this.#networks.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }

  /** Who asks: the address of the connection, or, each as far as it is trusted, what the proxies have seen. */
  clientIp({ socket, headers }: IncomingMessage): string {
    let client = socket.remoteAddress ?? '';
    if (!this.has(client)) return client;
    // Each proxy adds the address that it was asked from at the end.
    const seen = String(headers['x-forwarded-for'] ?? '').split(',');
    for (let at = seen.length - 1; at >= 0 && this.has(client); at--) {
      const address = seen[at]?.trim() ?? '';
      if (address !== '') client = address;
    }
    return client;
  }

  #add(proxy: string): void {
    const [address = '', prefix] = proxy.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) this.#networks.addAddress(address, family);
    else this.#networks.addSubnet(address, Number(prefix), family);
  }
}
