import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface SentMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The whole message: headers, an empty line, text. */
  readonly raw: string;
}

export interface TestSmtpServer extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly SentMail[];
  /** Connections so far. */
  readonly connections: number;
}

/** A real SMTP server on loopback. `refuse` returns the words with which a mail is refused; with `user` a password is required. */
export async function startSmtpServer(
  options: { refuse?: () => string | undefined; user?: { name: string; password: string }; port?: number } = {},
): Promise<TestSmtpServer> {
  const mails: SentMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: options.user === undefined,
    disabledCommands: options.user === undefined ? ['STARTTLS', 'AUTH'] : [],
    logger: false,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onAuth({ username, password }, _session, done) {
      const isRight = username === options.user?.name && password === options.user?.password;
      done(isRight ? null : new Error('535 no'), isRight ? { user: username ?? '' } : undefined);
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const words = options.refuse?.();
        if (words !== undefined) {
          done(Object.assign(new Error(words), { responseCode: 451 }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(pieces).toString(),
        });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    mails,
    get connections() {
      return connections;
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Accepts connections and never sends anything. */
export async function startSilentServer(): Promise<{ port: number; sockets: Set<Socket> } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
