import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import aws4 from 'aws4';
import S3rver from 's3rver';
import { listenOnFreshPort } from './fresh-port.ts';

export const S3_KEY = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
export const BUCKET = 'feeds';

export interface S3Server extends AsyncDisposable {
  readonly url: string;
  /** Every request, like `PUT /feeds/head.json 200`. */
  readonly log: readonly string[];
  /** Called before a request is forwarded. A returned status is answered instead. */
  intercept: (asked: { readonly method: string; readonly path: string }) => number | undefined;
}

/**
 * s3rver with one bucket, behind a proxy that adds what S3 does: it checks signatures (with aws4), and refuses a PUT with `If-None-Match: *` if the object
 * exists.
 */
export async function startS3Server(directory: string): Promise<S3Server> {
  const configureBuckets = [{ name: BUCKET }];
  const store = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
  const { port } = await store.run();
  const log: string[] = [];
  const server: { intercept: S3Server['intercept'] } = { intercept: () => undefined };
  const isThere = (path: string) => existsSync(`${join(directory, decodeURIComponent(path))}._S3rver_object`);
  const door = createServer((asked, answer) => {
    const { method = '', url = '' } = asked;
    const path = url.split('?')[0] ?? '';
    const isTaken = method === 'PUT' && asked.headers['if-none-match'] === '*' && isThere(path);
    const status = server.intercept({ method, path }) ?? (isTaken ? 412 : undefined);
    const note = (said: number) => log.push(`${method} ${path} ${said}`);
    const isForged = !isSigned(asked);
    if (status === undefined && !isForged) return handOn(asked, answer, { port, note });
    note(status ?? 403);
    asked.resume();
    asked.on('end', () => answer.writeHead(status ?? 403).end(isForged ? FORGED : ''));
  });
  const own = await listenOnFreshPort(door);
  return Object.assign(server, {
    url: `http://127.0.0.1:${own}/`,
    log,
    async [Symbol.asyncDispose]() {
      door.closeAllConnections();
      await new Promise((resolve) => door.close(resolve));
      await store.close();
    },
  });
}

const FORGED = '<?xml version="1.0"?><Error><Code>SignatureDoesNotMatch</Code><Message>wrong-secret</Message></Error>';

/** Whether the signer has the key. Unsigned requests are public here. */
function isSigned({ method, url: path, headers }: IncomingMessage): boolean {
  const { authorization } = headers;
  const [, id, , region, names = ''] =
    /Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+),/.exec(authorization ?? '') ?? [];
  if (authorization === undefined || id !== S3_KEY.accessKeyId) return true;
  const signed = Object.fromEntries(names.split(';').map((name) => [name, headers[name]]));
  const again = aws4.sign({ service: 's3', region, method, path, headers: signed }, S3_KEY).headers;
  return (again.Authorization ?? again.authorization) === authorization;
}

/** As received, including the signed host. */
function handOn(
  asked: IncomingMessage,
  answer: ServerResponse,
  { port, note }: { readonly port: number; readonly note: (status: number) => void },
): void {
  const { method, url: path, headers } = asked;
  const onward = request({ host: '127.0.0.1', port, method, path, headers }, (came) => {
    note(came.statusCode ?? 0);
    answer.writeHead(came.statusCode ?? 500, came.headers);
    came.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  asked.pipe(onward);
}
