/**
 * A body that is written when there is something to say, for as long as its reader stays: a stream of events.
 *
 * It costs no promise and no buffer of its own: whoever has something to say writes one piece to as many sinks as there are readers. The
 * connection ends with it.
 */
export interface PushedBody {
  /** Called once, when the head is sent and a client waits for the body; never for HEAD. */
  begin(sink: BodySink): BodyWriter;
}

/** Where a pushed body goes. Writing to a sink that is closed does nothing. */
export interface BodySink {
  /** What was written and not taken from this process yet. */
  readonly waitingBytes: number;
  /** False: wait until `drained` is called. What is written before that waits in memory. */
  write(piece: BodyPiece): boolean;
  /** The body is whole; the connection ends when all of it is taken. */
  end(): void;
  /** Ends the connection at once, in the middle of the body. */
  cut(): void;
}

/** Who writes a pushed body. */
export interface BodyWriter {
  /** All that waited is taken, after a `write` that was false. */
  drained(): void;
  /** Called once: nobody reads any more. */
  closed(): void;
}

const LINE_END = '\r\n';

/** Bytes that are written to many, framed once for the transfer in chunks (RFC 9112 §7.1). */
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

  /** As they are, for HTTP/1.0. */
  get bytes(): Uint8Array {
    return this.#chunk.subarray(this.#start, this.#chunk.length - LINE_END.length);
  }
}

/** The same body, cut when something is over. `whenOver` gives what forgets to do that. */
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
