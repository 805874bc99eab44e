import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/**
 * Finds bytes that come after the announced end of an answer. undici takes such an answer for whole; but when a server
 * announces less than it sends, what was read is a piece of a page.
 */
export interface SurplusWatch {
  /** The same connector, with each connection that it makes under watch. */
  readonly around: (connect: buildConnector.connector) => buildConnector.connector;
  /** How often an origin was found to send too much. Which of its answers it was is not known. */
  readonly timesSeen: (url: URL) => number;
}

export function createSurplusWatch(): SurplusWatch {
  const seen = new Map<string, number>();
  const count = (origin: string) => seen.set(origin, (seen.get(origin) ?? 0) + 1);
  return {
    around: (connect) => (target, callback) =>
      connect(target, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        const { origin } = new URL(`${target.protocol}//${target.host ?? target.hostname}`);
        callback(
          null,
          watched(socket, () => count(origin)),
        );
      }),
    timesSeen: ({ origin }) => seen.get(origin) ?? 0,
  };
}

/** What undici says of bytes that come while nothing is asked; the code it gives to a connection that ends, too. */
const UNASKED = 'bad response';

/**
 * On a connection that stays open, undici meets the surplus as an answer to nothing and breaks the connection. One that is
 * to close is destroyed at the end of the answer, and what the parser did not need is then given back to the socket.
 */
function watched<S extends Socket>(socket: S, onSurplus: () => void): S {
  const unshift = socket.unshift.bind(socket);
  socket.unshift = (bytes, encoding) => {
    if (socket.destroyed && bytes.length > 0) onSurplus();
    unshift(bytes, encoding);
  };
  return socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'UND_ERR_SOCKET' && error.message === UNASKED) onSurplus();
  });
}
