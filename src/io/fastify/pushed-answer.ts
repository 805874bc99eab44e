import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type BodyPiece,
  type BodySink,
  type BodyWriter,
  LAST_CHUNK,
  type PushedBody,
} from '../../hub/http/pushed-body.ts';
import type { AnswerHead } from './answer-heads.ts';

/** Sends the head at once and passes the connection to the writer of the body. */
export function pushAnswer(
  raw: ServerResponse,
  body: PushedBody,
  { status, head }: { status: number; head: AnswerHead },
) {
  const begin = () => {
    const { socket } = raw;
    if (socket === null || raw.destroyed) return;
    raw.writeHead(status, head);
    raw.flushHeaders();
    new SocketSink(socket, raw.chunkedEncoding).begin(body);
  };
  // Behind answers to earlier requests of the connection it has its turn later.
  if (raw.socket === null) raw.once('socket', begin);
  else begin();
}

/** Bypasses the response, which would frame the chunks again for each reader. */
class SocketSink implements BodySink {
  readonly #socket: Socket;
  readonly #isChunked: boolean;
  #writer: BodyWriter | undefined;
  #isDraining = false;

  constructor(socket: Socket, isChunked: boolean) {
    this.#socket = socket;
    this.#isChunked = isChunked;
  }

  begin(body: PushedBody): void {
    // Small pieces with long pauses: each leaves at once.
    this.#socket.setNoDelay(true);
    this.#socket.once('close', () => this.#close());
    this.#writer = body.begin(this);
  }

  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  write(piece: BodyPiece): boolean {
    const socket = this.#socket;
    if (!socket.writable) return true;
    const hasRoom = socket.write(this.#isChunked ? piece.chunk : piece.bytes);
    if (!hasRoom && !this.#isDraining) {
      this.#isDraining = true;
      socket.once('drain', () => this.#drain());
    }
    return hasRoom;
  }

  end(): void {
    const socket = this.#socket;
    if (!socket.writable) return;
    if (this.#isChunked) socket.write(LAST_CHUNK);
    socket.destroySoon();
  }

  cut(): void {
    this.#socket.destroy();
  }

  #drain(): void {
    this.#isDraining = false;
    this.#writer?.drained();
  }

  #close(): void {
    this.#writer?.closed();
    this.#writer = undefined;
  }
}
