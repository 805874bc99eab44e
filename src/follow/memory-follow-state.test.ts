import { describeFollowState } from './follow-state.contract.ts';
import { MemoryFollowState } from './memory-follow-state.ts';

describeFollowState('memory', async () => new MemoryFollowState());
