import { MemorySyncState } from './memory-sync-state.ts';
import { describeSyncState } from './sync-state.contract.ts';

describeSyncState('memory', async () => {
  const state = new MemorySyncState();
  return { open: async () => state };
});
