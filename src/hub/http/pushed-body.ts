/**
 * A body that is written whenever there is something to send, as long as its reader stays: an event stream.
 *
 * It needs no promise and no separate buffer: one piece is written to the sinks of all readers. The connection ends with the body.
 */
export interface PushedBody {
  /** Called once, when the head is sent and a client waits for the body; never for HEAD. */
  begin(sink: BodySink): BodyWriter;
}

/** The target of a pushed body. Writing to a closed sink does nothing. */
export interface BodySink {
  /** Bytes that were written and have not left this process yet. */
  readonly waitingBytes: number;
  /** False: wait until `drained` is called. Anything written before that waits in memory. */
  write(piece: BodyPiece): boolean;
  /** The body is complete; the connection ends when all of it is sent. */
  end(): void;
  /** Ends the connection at once, in the middle of the body. */
  cut(): void;
}

/** The writer of a pushed body. */
export interface BodyWriter {
  /** Everything that waited is sent, after a `write` that returned false. */
  drained(): void;
  /** Called once, when the reader is gone. */
  closed(): void;
}

const LINE_END = '\r\n';

/** Bytes for many readers, framed once for the chunked transfer coding (RFC 9112 §7.1). */
export class BodyPiece {
  readonly #chunk: Uint8Array;
  readonly #start: number;

  constructor(text: string) {
    const length = Buffer.byteLength(text);
    if (length === 0) throw new Error('An empty chunk would end the body.');
    const head = length.toString(16) + LINE_END;
    this.#start = head.length;
    this.#chunk = Buffer.from(head + text + LINE_END);
  }

  get length(): number {
    return this.#chunk.length;
  }

  /** As one chunk. */
  get chunk(): Uint8Array {
    return this.#chunk;
  }

  /** Without framing, for HTTP/1.0. */
  get bytes(): Uint8Array {
    return this.#chunk.subarray(this.#start, this.#chunk.length - LINE_END.length);
  }
}

/** The same body, cut when something is over. `whenOver` returns a function that cancels this. */
export function cutWhen(body: PushedBody, whenOver: (cut: () => void) => () => void): PushedBody {
  return {
    begin(sink) {
      const forget = whenOver(() => sink.cut());
      const writer = body.begin(sink);
      return {
        drained: () => writer.drained(),
        closed() {
          forget();
          writer.closed();
        },
      };
    },
  };
}

export const LAST_CHUNK = `0${LINE_END}${LINE_END}`;

export function isPushed(body: unknown): body is PushedBody {
  return typeof body === 'object' && body !== null && 'begin' in body;
}
