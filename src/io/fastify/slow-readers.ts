/** What is looked at of a connection. */
export interface ReaderSocket {
  /** Bytes of answers that the client has not taken yet. */
  readonly writableLength: number;
  /** Including all bytes before. */
  readonly bytesWritten: number;
  destroy(): void;
}

export interface SlowReaderLimits {
  /** How long a client may take to show some progress. */
  readonly stallMs: number;
  /** On average over that time. */
  readonly minBytesPerSecond: number;
}

interface Watched {
  readonly sinceMs: number;
  readonly takenBytes: number;
}

/** Ends the connections of clients that take their answers too slowly, whatever kind of answer it is and however it is asked for. */
export class SlowReaders {
  readonly #limits: SlowReaderLimits;
  readonly #watched = new WeakMap<ReaderSocket, Watched>();

  constructor(limits: SlowReaderLimits) {
    this.#limits = limits;
  }

  /** Looks at the open connections; returns how many were ended. */
  look(sockets: Iterable<ReaderSocket>, nowMs: number): number {
    let ended = 0;
    for (const socket of sockets) {
      if (!this.#isTooSlow(socket, nowMs)) continue;
      socket.destroy();
      ended++;
    }
    return ended;
  }

  #isTooSlow(socket: ReaderSocket, nowMs: number): boolean {
    const { stallMs, minBytesPerSecond } = this.#limits;
    if (socket.writableLength === 0) {
      this.#watched.delete(socket);
      return false;
    }
    const takenBytes = socket.bytesWritten - socket.writableLength;
    const before = this.#watched.get(socket);
    if (before !== undefined && nowMs - before.sinceMs < stallMs) return false;
    this.#watched.set(socket, { sinceMs: nowMs, takenBytes });
    if (before === undefined) return false;
    const seconds = (nowMs - before.sinceMs) / 1000;
    return takenBytes - before.takenBytes < minBytesPerSecond * seconds;
  }
}
