import { once } from 'node:events';
import { createServer } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

const SSL_REQUEST = 80_877_103;
/** AuthenticationOk, two parameters, ReadyForQuery: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const WELCOME = Buffer.concat([
  message('R', Buffer.from([0, 0, 0, 0])),
  message('S', Buffer.from('server_version\x0017.5\0')),
  message('S', Buffer.from('client_encoding\0UTF8\0')),
  message('Z', Buffer.from('I')),
]);

/** In plain JavaScript, so that a separate process can run it from the source tree. */
export async function startPGlite({ folder, port = 0 } = {}) {
  const database = await PGlite.create({ ...(folder !== undefined && { dataDir: folder }), extensions: { vector } });
  await database.exec('CREATE EXTENSION IF NOT EXISTS vector');
  const sockets = new Set();
  let turn = Promise.resolve();
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
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgres://postgres@127.0.0.1:${server.address().port}/postgres`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await turn;
      await database.close();
    },
  };
}

function turnsOf(inTurn) {
  let give;
  return {
    async take() {
      if (give !== undefined) return;
      await new Promise((taken) => {
        void inTurn(() => {
          taken();
          return new Promise((given) => {
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

async function talk(socket, database, turns) {
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

/** The messages of a client up to a Sync or a simple query, after which it waits for an answer. */
async function* batchesOf(socket) {
  let pending = Buffer.alloc(0);
  let isWelcome = false;
  let end = 0;
  for await (const bytes of socket) {
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

function message(type, body) {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
