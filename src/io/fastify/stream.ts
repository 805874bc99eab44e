import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { HubResponse } from '../../hub/http/route.ts';

/** A body of unknown origin on its way to a client. */
export class FastifyStream {
  readonly #raw: ServerResponse;
  readonly #body: AsyncIterable<Uint8Array>;
  readonly #chunks: AsyncIterator<Uint8Array>;
  #sent = 0;

  constructor(raw: ServerResponse, body: AsyncIterable<Uint8Array>) {
    this.#raw = raw;
    this.#body = body;
    this.#chunks = body[Symbol.asyncIterator]();
  }

  /** The head waits for the first bytes: a body that fails before them is still an answer that can be refused. */
  async send(status: number, head: (string | number)[], declared: number | undefined): Promise<void> {
    const raw = this.#raw;
    if (raw.req.method === 'HEAD') {
      dropBody(this.#body);
      raw.writeHead(status, head);
      raw.end();
      return;
    }
    let next = await this.#chunks.next();
    try {
      if (raw.destroyed) return;
      raw.writeHead(status, head);
      while (next.done !== true) {
        this.#sent += next.value.byteLength;
        if (declared !== undefined && this.#sent > declared) throw new Error(`More than ${declared} bytes in a body.`);
        if (!raw.write(next.value)) await this.#drained();
        if (raw.destroyed) return;
        next = await this.#chunks.next();
      }
      if (declared !== undefined && this.#sent !== declared) {
        throw new Error(`${this.#sent} bytes in a body of ${declared}.`);
      }
      raw.end();
    } catch (error) {
      if (raw.headersSent) cut(raw);
      throw error;
    } finally {
      if (next.done !== true) await this.#chunks.return?.();
    }
  }

  /** Also resolves when the connection ends, which happens to clients that are too slow. */
  async #drained(): Promise<void> {
    const raw = this.#raw;
    if (raw.destroyed) return;
    const over = new AbortController();
    try {
      await Promise.race([once(raw, 'drain', over), once(raw, 'close', over)]);
    } finally {
      over.abort();
    }
  }
}

/** If neither a length nor chunks mark the end of the body (HTTP/1.0), a normal end would look like success, so it is a reset. */
function cut(raw: ServerResponse): void {
  if (raw.chunkedEncoding || raw.req.httpVersion !== '1.0') raw.socket?.destroy();
  else raw.socket?.resetAndDestroy();
}

/** For a body that nobody gets. A stream of Node's may hold a file; of a generator nothing has run. */
export function dropBody(body: HubResponse['body']): void {
  if (body instanceof Readable) body.destroy();
}
