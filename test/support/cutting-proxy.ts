import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut at a word that is said on it. */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  /** Cuts every connection when it hears the word, and takes no new one: before the server hears it, or behind its answer. */
  cutAt(word: string, when: 'before' | 'behind', plan?: Pick<CutPlan, 'since' | 'isStill'>): void;
  /** Nothing is passed on any more, and nothing ends. */
  stall(): void;
  /** Takes no new connection, and ends those that there are. */
  cut(): void;
  /** Everything comes so much later, in its order. */
  delay(ms: number): void;
  mend(): void;
  fired(): number;
}

interface CutPlan {
  readonly word: string;
  readonly when: 'before' | 'behind';
  /** Counts only behind this word. */
  readonly since?: string;
  /** Nothing ends: all falls silent instead. */
  readonly isStill?: boolean;
}

export async function startCuttingProxy(to: { readonly host: string; readonly port: number }): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let plan: CutPlan | undefined;
  let isSince = false;
  let isDown = false;
  let isStalled = false;
  let delayMs = 0;
  let fired = 0;
  const cut = () => {
    fired += 1;
    if (plan?.isStill) {
      isStalled = true;
      return;
    }
    isDown = true;
    for (const socket of sockets) socket.destroy();
  };
  const pass = (bytes: Buffer, to: Socket) => {
    if (delayMs === 0) return void to.write(bytes);
    fired += 1;
    setTimeout(() => to.writable && to.write(bytes), delayMs);
  };
  const server = createServer((client) => {
    if (isDown) {
      fired += 1;
      client.destroy();
      return;
    }
    const upstream = connect(to);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
    }
    let isHeard = false;
    client.on('data', (bytes) => {
      if (isStalled) fired += 1;
      if (isStalled) return;
      isSince ||= plan?.since === undefined || bytes.includes(plan.since);
      isHeard ||= plan !== undefined && isSince && bytes.includes(plan.word);
      if (isHeard && plan?.when === 'before') cut();
      else pass(bytes, upstream);
    });
    upstream.on('data', (bytes) => {
      if (isStalled) return;
      if (isHeard && plan?.when === 'behind') cut();
      else pass(bytes, client);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cutAt(word, when, more = {}) {
      plan = { word, when, ...more };
      isSince = false;
    },
    stall() {
      isStalled = true;
    },
    cut,
    delay(ms) {
      delayMs = ms;
    },
    mend() {
      delayMs = 0;
      plan = undefined;
      isDown = false;
      isStalled = false;
    },
    fired: () => fired,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
