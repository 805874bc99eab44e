import { expect, test } from 'vitest';
import { SlowReaders } from './slow-readers.ts';

/** A connection with answers waiting in it, of which its client takes what it is told to. */
class FakeSocket {
  bytesWritten = 1_000_000;
  writableLength = 1_000_000;
  isEnded = false;

  take(bytes: number): void {
    this.writableLength -= bytes;
  }

  destroy(): void {
    this.isEnded = true;
  }
}

/** Looks every second for a minute, and lets the client take its bytes before each look. */
function after(minute: (socket: FakeSocket, second: number) => void): FakeSocket {
  const readers = new SlowReaders({ stallMs: 30_000, minBytesPerSecond: 1000 });
  const socket = new FakeSocket();
  for (let second = 0; second <= 61; second++) {
    minute(socket, second);
    if (!socket.isEnded) readers.look([socket], second * 1000);
  }
  return socket;
}

test.each([
  ['takes nothing', () => {}, true],
  ['takes a byte from time to time', (socket: FakeSocket) => socket.take(1), true],
  ['takes as much as is asked of it', (socket: FakeSocket) => socket.take(1000), false],
  [
    'takes much at once, half a minute apart',
    (socket: FakeSocket, at: number) => socket.take(at % 30 === 29 ? 60_000 : 0),
    false,
  ],
  ['takes all of it', (socket: FakeSocket) => socket.take(socket.writableLength), false],
  [
    'takes all, and begins anew',
    (socket: FakeSocket, at: number) => socket.take(at === 20 ? socket.writableLength : 0),
    false,
  ],
])('a client that %s', (_, minute, isEnded) => {
  expect(after(minute).isEnded).toBe(isEnded);
});
