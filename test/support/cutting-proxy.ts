import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy to a server that can be cut at a word in the traffic. */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  /** Cuts every connection when the word passes, and accepts no new one: before the server gets it, or after its answer. */
  cutAt(word: string, when: 'before' | 'behind', plan?: Pick<CutPlan, 'since' | 'isStill'>): void;
  /** Forwards nothing any more, and ends nothing. */
  stall(): void;
  /** Accepts no new connection, and ends the existing ones. */
  cut(): void;
  /** Delays everything by this much, in order. */
  delay(ms: number): void;
  mend(): void;
  fired(): number;
}

interface CutPlan {
  readonly word: string;
  readonly when: 'before' | 'behind';
  /** Counts only after this word. */
  readonly since?: string;
  /** Ends nothing: everything falls silent instead. */
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
