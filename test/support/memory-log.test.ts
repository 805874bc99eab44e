import { describeLog } from '../../src/log/log.contract.ts';
import { MemoryLog, MemoryPlace } from './memory-log.ts';

describeLog('a log in memory', async () => {
  const place = new MemoryPlace();
  return { open: async (world) => new MemoryLog({ place, ...world }) };
});
