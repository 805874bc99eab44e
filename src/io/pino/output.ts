import type { Writable } from 'node:stream';

export interface LogOutput {
  write(line: string): void;
}

/** How much may wait for a slow reader. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * Lines to a stream, without ever waiting for its reader: those that find too much waiting are dropped, and their number is said
 * when there is room again. Once the reader has gone, everything is dropped.
 */
export function logOutput(stream: Writable): LogOutput {
  let dropped = 0;
  let isGone = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A full disk may have room later; a pipe without a reader never has one again.
    if (error.code === 'EPIPE' || stream.destroyed) isGone = true;
  });
  return {
    write(line) {
      if (isGone) return;
      if (stream.writableLength > MAX_WAITING_BYTES) {
        dropped += 1;
        return;
      }
      if (dropped > 0) stream.write(droppedLine(dropped));
      dropped = 0;
      stream.write(line);
    },
  };
}

function droppedLine(count: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 'warn', time, count, msg: 'Lines of the log were dropped: nobody read them' })}\n`;
}
