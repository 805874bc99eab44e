import type { StorageKind } from '../../reader.ts';
import { MemoryReaderState } from './memory-reader-state.ts';
import type { ReaderState } from './reader-state.ts';

/** Where the reader of agent-feeds keeps every entry that it verified. That is too much for a memory that is written as a whole. */
export const READER_STORAGE: StorageKind<ReaderState> = {
  name: 'agent-feed-reader',
  inMemory: () => new MemoryReaderState(),
  is: (value): value is ReaderState => typeof value === 'object' && value !== null && 'factsOf' in value,
};
