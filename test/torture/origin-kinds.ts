import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, constants as zlib } from 'node:zlib';
import { drip, headOf, pour, type RawRequest, respond } from './origin-server.ts';

/** What an origin answers when a page is asked for. */
export interface OriginKind {
  readonly name: string;
  /** The error that the HTTP client ends with; undefined when this is a good answer. */
  readonly error?: string;
  /** Fills memory: these are not to be met all at once. */
  readonly heavy?: boolean;
  readonly answer: (served: Served) => void;
}

export interface Served {
  readonly socket: Socket;
  readonly request: RawRequest;
  readonly page: Buffer;
  readonly deadlineMs: number;
  /** A URL that must never be reached. */
  readonly forbidden: string;
}

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const BOMB_BYTES = 64 * 1024 * 1024;

export const GOOD_ORIGINS: readonly OriginKind[] = [
  { name: 'plain', answer: ({ socket, page }) => respond(socket, { headers: HTML, body: page }) },
  { name: 'gzip', answer: encoded('gzip', gzipSync) },
  { name: 'brotli', answer: encoded('br', brotliCompressSync) },
  { name: 'deflate', answer: encoded('deflate', deflateSync) },
  { name: 'raw deflate', answer: encoded('deflate', deflateRawSync) },
  { name: 'identity', answer: encoded('identity', (page) => page) },
  { name: 'empty content-encoding', answer: encoded('', (page) => page) },
  { name: 'chunked', answer: ({ socket, page }) => socket.write(chunked(page)) },
  {
    name: 'slow but finishing',
    answer({ socket, page, deadlineMs }) {
      socket.write(headOf(200, { ...HTML, 'content-length': `${page.length}` }));
      drip(socket, slices(page, 5), deadlineMs / 15);
    },
  },
  {
    name: 'until close',
    answer: ({ socket, page }) => socket.end(Buffer.concat([head({ connection: 'close' }), page])),
  },
  {
    name: 'to the byte, then closed',
    answer: ({ socket, page }) =>
      socket.end(Buffer.concat([head({ 'content-length': `${page.length}`, connection: 'close' }), page])),
  },
  { name: 'chunked with a trailer', answer: ({ socket, page }) => socket.write(withTrailer(chunked(page))) },
  {
    name: 'redirect to a good page',
    answer({ socket, request, page }) {
      if (request.path === '/moved') respond(socket, { headers: HTML, body: page });
      else redirect(socket, '/moved');
    },
  },
];

/** None of these may pass for a page, nor for the loss of one. */
export const BROKEN_ORIGINS: readonly OriginKind[] = [
  { name: 'hang', error: 'DeadlineError', answer: () => {} },
  {
    name: 'slow headers',
    error: 'DeadlineError',
    answer: ({ socket, page, deadlineMs }) => drip(socket, slices(whole(page), 500), deadlineMs / 20),
  },
  {
    name: 'slow body',
    error: 'DeadlineError',
    answer({ socket, page, deadlineMs }) {
      socket.write(headOf(200, { ...HTML, 'content-length': `${page.length}` }));
      drip(socket, slices(page, 200), deadlineMs / 20);
    },
  },
  {
    name: 'redirect with a body that hangs',
    error: 'DeadlineError',
    answer: ({ socket }) => socket.write(headOf(302, { location: '/', 'content-length': '100' })),
  },
  {
    name: 'truncated by length',
    error: 'TruncatedBodyError',
    answer: ({ socket, page }) =>
      cut(socket, Buffer.concat([head({ 'content-length': `${page.length}` }), half(page)])),
  },
  {
    name: 'truncated by chunk',
    error: 'TruncatedBodyError',
    answer: ({ socket, page }) => cut(socket, chunked(page).subarray(0, -200)),
  },
  {
    name: 'truncated before the last chunk, clean end',
    error: 'TruncatedBodyError',
    answer: ({ socket, page }) => socket.end(chunked(page, { connection: 'close' }).subarray(0, -'0\r\n\r\n'.length)),
  },
  {
    name: 'reset',
    error: 'TruncatedBodyError',
    answer: (served) =>
      reset(served, Buffer.concat([head({ 'content-length': `${served.page.length}` }), half(served.page)])),
  },
  {
    name: 'reset of a body without a length',
    error: 'TruncatedBodyError',
    answer: (served) => reset(served, Buffer.concat([head({ connection: 'close' }), half(served.page)])),
  },
  {
    name: 'garbage',
    error: 'BadResponseError',
    answer: ({ socket }) => socket.write(Buffer.alloc(4096, 'SSH-2.0-OpenSSH\r\n')),
  },
  {
    name: 'duplicate lengths',
    error: 'BadResponseError',
    answer: lengths((page) => `content-length: ${page.length}\r\ncontent-length: ${Math.floor(page.length / 2)}`),
  },
  {
    name: 'conflicting lengths',
    error: 'BadResponseError',
    answer: lengths((page) => `content-length: ${Math.floor(page.length / 2)}, ${page.length}`),
  },
  {
    name: 'TE + CL',
    error: 'BadResponseError',
    answer: ({ socket, page }) => socket.write(chunked(page, { 'content-length': `${Math.floor(page.length / 2)}` })),
  },
  {
    name: 'huge header',
    error: 'BadResponseError',
    answer: ({ socket, page }) =>
      respond(socket, { headers: { ...HTML, 'x-huge': 'x'.repeat(1024 * 1024) }, body: page }),
  },
  {
    name: 'many headers',
    error: 'BadResponseError',
    answer: ({ socket, page }) => respond(socket, { headers: { ...HTML, ...manyHeaders(20_000) }, body: page }),
  },
  {
    name: 'corrupt gzip',
    error: 'BodyEncodingError',
    answer: encoded('gzip', (page) => flipped(gzipSync(page))),
  },
  {
    name: 'corrupt brotli',
    error: 'BodyEncodingError',
    answer: encoded('br', () => Buffer.from('this was never brotli, whatever the header says')),
  },
  { name: 'truncated gzip', error: 'TruncatedBodyError', answer: encoded('gzip', (page) => half(gzipSync(page))) },
  {
    name: 'gzip without its check sum',
    error: 'TruncatedBodyError',
    answer: encoded('gzip', (page) => gzipSync(page).subarray(0, -8)),
  },
  {
    name: 'truncated brotli',
    error: 'TruncatedBodyError',
    answer: encoded('br', (page) => half(brotliCompressSync(page))),
  },
  {
    name: 'under-length',
    error: 'TruncatedBodyError',
    answer: ({ socket, page }) =>
      socket.end(Buffer.concat([head({ 'content-length': `${page.length}`, connection: 'close' }), half(page)])),
  },
  { name: 'over-length', error: 'BadResponseError', answer: overLength({}) },
  { name: 'over-length, then closed', error: 'BadResponseError', answer: overLength({ connection: 'close' }) },
  { name: 'empty gzip', error: 'TruncatedBodyError', answer: encoded('gzip', () => Buffer.alloc(0)) },
  {
    name: 'endless',
    error: 'BodyTooLargeError',
    heavy: true,
    answer({ socket, page }) {
      socket.write(Buffer.concat([head({ connection: 'close' }), page]));
      pour(socket, Buffer.alloc(16 * 1024, '<p>and on</p> '));
    },
  },
  {
    name: 'announced too large',
    error: 'BodyTooLargeError',
    answer: ({ socket, page }) => socket.write(Buffer.concat([head({ 'content-length': '99999999999' }), page])),
  },
  { name: 'gzip bomb', error: 'BodyTooLargeError', heavy: true, answer: encoded('gzip', once(gzipBomb)) },
  { name: 'brotli bomb', error: 'BodyTooLargeError', heavy: true, answer: encoded('br', once(brotliBomb)) },
  {
    name: 'encoding chain',
    error: 'BodyEncodingError',
    answer: encoded('gzip, gzip', (page) => gzipSync(gzipSync(page))),
  },
  {
    name: 'encoding chain in two headers',
    error: 'BodyEncodingError',
    answer({ socket, page }) {
      const body = gzipSync(gzipSync(page));
      const twice = { 'content-encoding': 'gzip', 'Content-Encoding': 'gzip' };
      respond(socket, { headers: { ...HTML, ...twice }, body });
    },
  },
  { name: 'redirect loop', error: 'RedirectRefusedError', answer: ({ socket }) => redirect(socket, '/page') },
  {
    name: 'redirect to file:',
    error: 'RedirectRefusedError',
    answer: ({ socket }) => redirect(socket, 'file:///etc/hostname'),
  },
  {
    name: 'redirect to data:',
    error: 'RedirectRefusedError',
    answer: ({ socket }) => redirect(socket, 'data:text/html,<h1>Said</h1><p>by nobody</p>'),
  },
  {
    name: 'redirect to a private address',
    error: 'AddressRefusedError',
    answer: ({ socket, forbidden }) => redirect(socket, forbidden),
  },
  {
    name: 'redirect with a password',
    error: 'RedirectRefusedError',
    answer: ({ socket, request }) => redirect(socket, `http://user:secret@${request.headers.host}/page`),
  },
  {
    name: 'invalid UTF-8',
    error: 'BodyEncodingError',
    answer: ({ socket, page }) => {
      const body = Buffer.from(page);
      body[Math.floor(body.length / 2)] = 0xff;
      respond(socket, { headers: HTML, body });
    },
  },
];

function encoded(encoding: string, encode: (page: Buffer) => Uint8Array): OriginKind['answer'] {
  return ({ socket, page }) =>
    respond(socket, { headers: { ...HTML, 'content-encoding': encoding }, body: encode(page) });
}

function lengths(lines: (page: Buffer) => string): OriginKind['answer'] {
  return ({ socket, page }) =>
    socket.write(
      Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n${lines(page)}\r\n\r\n`), page]),
    );
}

/** The whole page, of which a half is announced. */
function overLength(headers: Readonly<Record<string, string>>): OriginKind['answer'] {
  return ({ socket, page }) =>
    socket.write(Buffer.concat([head({ ...headers, 'content-length': `${half(page).length}` }), page]));
}

function redirect(socket: Socket, location: string): void {
  respond(socket, { status: 302, headers: { location } });
}

function head(headers: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(headOf(200, { ...HTML, ...headers }));
}

function whole(page: Buffer): Buffer {
  return Buffer.concat([head({ 'content-length': `${page.length}` }), page]);
}

function chunked(page: Buffer, headers: Readonly<Record<string, string>> = {}): Buffer {
  const chunks = [...slices(page, 4)].flatMap((piece) => [`${piece.length.toString(16)}\r\n`, piece, '\r\n']);
  const parts = [head({ ...headers, 'transfer-encoding': 'chunked' }), ...chunks, '0\r\n\r\n'];
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

function withTrailer(chunks: Buffer): Buffer {
  return Buffer.concat([chunks.subarray(0, -'\r\n'.length), Buffer.from('x-checked: yes\r\n\r\n')]);
}

/** Says that it ends, in the midst of the body. */
function cut(socket: Socket, bytes: Uint8Array): void {
  socket.end(bytes);
}

/**
 * RST instead of FIN; `resetAndDestroy` alone would send FIN first. The reader is given time to take the bytes: when it
 * finds them and the RST at one look, Node tells of an end, and a body without a length has nothing to contradict it.
 */
function reset({ socket, deadlineMs }: Served, bytes: Uint8Array): void {
  socket.write(bytes);
  setTimeout(() => Object.assign(socket, { resetAndClosing: true }).destroy(), deadlineMs / 3);
}

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}

function flipped(bytes: Buffer): Buffer {
  for (let at = 20; at < bytes.length - 8; at += 7) bytes[at] = ~(bytes[at] ?? 0) & 0xff;
  return bytes;
}

function* slices(bytes: Buffer, count: number): Generator<Buffer> {
  const size = Math.ceil(bytes.length / count);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function manyHeaders(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'value']));
}

function gzipBomb(page: Buffer): Buffer {
  return gzipSync(Buffer.concat([page, Buffer.alloc(BOMB_BYTES, ' ')]));
}

function brotliBomb(page: Buffer): Buffer {
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 2 };
  return brotliCompressSync(Buffer.concat([page, Buffer.alloc(BOMB_BYTES, ' ')]), { params });
}

/** Bombs take a while to make. */
function once(make: (page: Buffer) => Buffer): (page: Buffer) => Buffer {
  let made: Buffer | undefined;
  return (page) => {
    made ??= make(page);
    return made;
  };
}
