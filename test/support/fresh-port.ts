import type { Server } from 'node:net';

const used = new Set<number>();

/**
 * Listens on a port of this machine that no earlier test of this process used: hosts are remembered by port, so a pause would also apply to the port's next
 * owner.
 */
export async function listenOnFreshPort(server: Server, host = '127.0.0.1'): Promise<number> {
  for (;;) {
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    if (!used.has(port)) {
      used.add(port);
      return port;
    }
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
