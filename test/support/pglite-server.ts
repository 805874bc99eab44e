import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

export interface PGliteServer extends AsyncDisposable {
  readonly url: string;
}

const SSL_REQUEST = 80_877_103;
/** AuthenticationOk, two parameters, ReadyForQuery: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const WELCOME = Buffer.concat([
  message('R', Buffer.from([0, 0, 0, 0])),
  message('S', Buffer.from('server_version\x0017.5\0')),
  message('S', Buffer.from('client_encoding\0UTF8\0')),
  message('Z', Buffer.from('I')),
]);

/**
 * PostgreSQL with pgvector inside this process, behind a real socket. It has one session, which the connections share: whoever begins a transaction has it to
 * the end of it, and a connection that is cut in one is rolled back.
 */
export async function startPGlite(): Promise<PGliteServer> {
  const database = await PGlite.create({ extensions: { vector } });
  await database.exec('CREATE EXTENSION vector');
  const sockets = new Set<Socket>();
  let turn: Promise<unknown> = Promise.resolve();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    const mine = turnsOf((next) => {
      const taken = turn.then(next);
      turn = taken.catch(() => {});
      return taken;
    });
    void talk(socket, database, mine);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgres://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await turn;
      await database.close();
    },
  };
}

interface Turns {
  take(): Promise<void>;
  give(): void;
}

function turnsOf(inTurn: (next: () => Promise<void>) => Promise<void>): Turns {
  let give: (() => void) | undefined;
  return {
    async take() {
      if (give !== undefined) return;
      await new Promise<void>((taken) => {
        void inTurn(() => {
          taken();
          return new Promise<void>((given) => {
            give = given;
          });
        });
      });
    },
    give() {
      give?.();
      give = undefined;
    },
  };
}

async function talk(socket: Socket, database: PGlite, turns: Turns): Promise<void> {
  let status = 'I';
  try {
    for await (const batch of batchesOf(socket)) {
      await turns.take();
      const answer = await database.execProtocolRaw(batch, { throwOnError: false });
      status = String.fromCharCode(answer.at(-1) ?? 0);
      socket.write(answer);
      if (status === 'I') turns.give();
    }
  } catch (error) {
    if (!socket.destroyed) throw error;
  } finally {
    if (status !== 'I') await database.exec('ROLLBACK');
    turns.give();
    socket.end();
  }
}

/** What a client says up to a Sync or a simple query: after these it waits for an answer. */
async function* batchesOf(socket: Socket): AsyncGenerator<Buffer, void> {
  let pending = Buffer.alloc(0);
  let isWelcome = false;
  let end = 0;
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    pending = Buffer.concat([pending, bytes]);
    if (!isWelcome) {
      if (pending.length < 8 || pending.length < pending.readUInt32BE(0)) continue;
      isWelcome = pending.readUInt32BE(4) !== SSL_REQUEST;
      socket.write(isWelcome ? WELCOME : 'N');
      pending = pending.subarray(pending.readUInt32BE(0));
    }
    while (isWelcome && pending.length >= end + 5) {
      const type = String.fromCharCode(pending[end] ?? 0);
      const next = end + 1 + pending.readUInt32BE(end + 1);
      if (type === 'X') return;
      if (pending.length < next) break;
      end = next;
      if (type !== 'S' && type !== 'Q') continue;
      yield pending.subarray(0, end);
      pending = pending.subarray(end);
      end = 0;
    }
  }
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
