import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { problem } from '../../hub/http/problem.ts';
import type { HubResponse } from '../../hub/http/route.ts';

const METHOD_AND_TARGET = /^[A-Z-]{1,20} [^\r\n]*/;

/** Answers what Node's parser refuses: there is no request to answer, only a connection, which ends with it. */
export function answerClientError(error: Error, socket: Duplex, urlCharacters: number): void {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  endWithProblem(socket, refusalOf(error, code, urlCharacters));
}

/** For connections that no response belongs to. */
export function endWithProblem(socket: Duplex, { status, headers, body }: HubResponse): void {
  const text = typeof body === 'string' ? body : '';
  const lines = Object.entries({
    ...headers,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  // What the client may still send is not waited for.
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`, () => socket.destroy());
}

function refusalOf(error: Error, code: unknown, urlCharacters: number): HubResponse {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return problem({ status: 408, detail: 'The request did not arrive in time.' });
  }
  if (code !== 'HPE_HEADER_OVERFLOW') return problem({ status: 400, detail: 'This is not HTTP as RFC 9112 has it.' });
  if (requestLineOf(error).length > urlCharacters) return problem({ status: 414, detail: tooLong(urlCharacters) });
  return problem({ status: 431, detail: 'The headers are larger than this server reads.' });
}

export function tooLong(urlCharacters: number): string {
  return `The URL is longer than ${urlCharacters} characters.`;
}

/** Of the last received bytes, if they begin a request. */
function requestLineOf(error: Error): string {
  const packet = 'rawPacket' in error ? error.rawPacket : undefined;
  return packet instanceof Uint8Array
    ? (METHOD_AND_TARGET.exec(Buffer.from(packet).toString('latin1'))?.[0] ?? '')
    : '';
}
