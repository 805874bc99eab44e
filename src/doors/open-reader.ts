import type { Reader } from '../dialects/agent-feed/read/reader.ts';
import type { ReaderEvent } from '../dialects/agent-feed/read/reader-event.ts';
import type { ReaderState } from '../dialects/agent-feed/read/reader-state.ts';
import { availableCores } from '../io/node/os-cores.ts';
import { openGuarded } from './open-http.ts';
import type { ReaderOptions } from './reader-options.ts';

/** About the duration of a poll, unless an origin is slow. */
const LOCK_WAIT_MS = 5000;

export interface OpenReader {
  readonly reader: Reader;
  close(): Promise<void>;
}

/** The reader keeps the pauses that origins asked for in its own state, so its HTTP client needs no memory of them. */
export async function openReader(options: ReaderOptions, onEvent: (event: ReaderEvent) => void): Promise<OpenReader> {
  const { followMigration, acceptMulticodecKeys, insecure, now = Date.now } = options;
  const http = await openGuarded(options);
  try {
    const state = await openState(options);
    const { createReader } = await import('../dialects/agent-feed/read/create-reader.ts');
    const reader = createReader({
      http,
      state,
      now,
      cores: availableCores(),
      policy: {
        ...(followMigration !== undefined && { followMigration }),
        ...(acceptMulticodecKeys !== undefined && { acceptMulticodecKeys }),
        ...(insecure !== undefined && { insecureLoopback: insecure }),
      },
    });
    reader.onEvent(onEvent);
    return {
      reader,
      async close() {
        await reader[Symbol.asyncDispose]();
        await state[Symbol.asyncDispose]();
        await http[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await http[Symbol.asyncDispose]();
    throw error;
  }
}

async function openState(options: ReaderOptions): Promise<ReaderState> {
  const { state: file, lockWaitMs = LOCK_WAIT_MS, readOnly = false } = options;
  if (file === undefined) {
    const { MemoryReaderState } = await import('../dialects/agent-feed/read/memory-reader-state.ts');
    return new MemoryReaderState();
  }
  const { openSqliteReaderState, readSqliteReaderState } = await import('../io/sqlite/reader-state.ts');
  return readOnly ? await readSqliteReaderState({ file }) : await openSqliteReaderState({ file, waitMs: lockWaitMs });
}
