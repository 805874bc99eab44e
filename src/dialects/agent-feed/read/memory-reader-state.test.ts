import { MemoryReaderState } from './memory-reader-state.ts';
import { describeReaderState } from './reader-state.contract.ts';

describeReaderState('memory', async () => new MemoryReaderState());
