import { type IncomingMessage, ServerResponse } from 'node:http';

/** A response that can be given its head as a text, where Node has written the same one before. */
export class PreparedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Node's own field: the head before the body. If it is already set, Node uses it as it is. */
  declare _header: unknown;

  /** What was written for `writeHead`; undefined where this version of Node keeps it elsewhere. */
  get headText(): string | undefined {
    return typeof this._header === 'string' ? this._header : undefined;
  }

  /** Whether the connection is HTTP/1.1, and waits for the next request after this answer. */
  get staysOpen(): boolean {
    return this.shouldKeepAlive && this.req.httpVersion === '1.1';
  }

  /** Sends all of the answer. */
  endWith(status: number, headText: string, body: Uint8Array | undefined): void {
    this.statusCode = status;
    this._header = headText;
    this.end(body);
  }
}
