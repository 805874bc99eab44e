/**
 * The pipe between us and the browser: JSON messages, each followed by a NUL.
 *
 * What comes out of it is written by the page as much as by the browser: a line on the console arrives here whole,
 * however long. So nobody's messages are dropped unread, and those that are read have a limit.
 *
 * Protocol: https://chromedevtools.github.io/devtools-protocol/
 */

import type { Readable, Writable } from 'node:stream';
import type { ConnectOverCDPTransport } from 'playwright-core';

export interface PipeEnds {
  readonly write: Writable;
  readonly read: Readable;
  /** Called when the browser says more than is listened to, or something that is not understood. */
  readonly onBroken: (reason: string) => void;
}

export interface BrowserPipe extends ConnectOverCDPTransport {
  /** Asks the browser to end by itself. */
  askToClose(): void;
}

/** Fits a page of 10 MB, even if each of its characters is escaped. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;

/** What pages can say at length, and nobody here wants to know. */
const UNHEARD =
  /^\{"method":"(?:Runtime\.consoleAPICalled|Runtime\.exceptionThrown|Log\.entryAdded|Audits\.issueAdded)"/;
const HEAD_LENGTH = 64;

/** Playwright counts up from 1, so nobody waits for an answer to this. */
const CLOSE_ID = -1;

export function createBrowserPipe({ write, read, onBroken }: PipeEnds): BrowserPipe {
  const pipe: BrowserPipe = {
    send: (message) => void write.write(`${JSON.stringify(message)}\0`),
    close() {},
    askToClose: () => void write.write(`{"id":${CLOSE_ID},"method":"Browser.close"}\0`),
  };
  const deliver = (text: string) => {
    setImmediate(() => {
      try {
        const message: unknown = JSON.parse(text);
        if (isObject(message) && !('id' in message && message.id === CLOSE_ID)) pipe.onmessage?.(message);
      } catch (error) {
        onBroken(`the browser's words are not understood (${error instanceof Error ? error.message : error})`);
      }
    });
  };
  const messages = createMessageReader({ deliver, onBroken });
  read.on('data', (chunk: Buffer) => messages.take(chunk));
  read.on('close', () => pipe.onclose?.());
  // A broken pipe shows as the end of the browser, which is watched elsewhere.
  read.on('error', () => {});
  write.on('error', () => {});
  return pipe;
}

interface MessageReaderOptions {
  readonly deliver: (text: string) => void;
  readonly onBroken: (reason: string) => void;
}

export function createMessageReader({ deliver, onBroken }: MessageReaderOptions): { take(chunk: Buffer): void } {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let head = '';
  let totalBytes = 0;
  let broken = false;

  const add = (piece: Buffer) => {
    if (head.length < HEAD_LENGTH) head += piece.toString('latin1', 0, HEAD_LENGTH - head.length);
    if (UNHEARD.test(head)) return;
    pieces.push(piece);
    bytes += piece.length;
    totalBytes += piece.length;
    broken = bytes > MAX_MESSAGE_BYTES || totalBytes > MAX_TOTAL_BYTES;
    if (broken) onBroken('the browser had too much to say about it');
  };
  const finish = () => {
    if (!UNHEARD.test(head)) deliver(Buffer.concat(pieces).toString());
    pieces = [];
    bytes = 0;
    head = '';
  };
  return {
    take(chunk) {
      for (let start = 0; !broken; ) {
        const end = chunk.indexOf(0, start);
        add(chunk.subarray(start, end === -1 ? chunk.length : end));
        if (end === -1) return;
        if (!broken) finish();
        start = end + 1;
      }
    },
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
