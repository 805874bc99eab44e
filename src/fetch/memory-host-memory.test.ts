import { describeHostMemory } from './host-memory.contract.ts';
import { MemoryHostMemory } from './memory-host-memory.ts';

describeHostMemory(async () => new MemoryHostMemory());
