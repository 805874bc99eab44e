import type { FollowState } from './follow-state.ts';

/** Several feeds of one host are several sources. */
export async function freeSourceId(wanted: string, store: Pick<FollowState, 'isTaken'>): Promise<string> {
  let id = wanted;
  for (let count = 2; await store.isTaken(id); count += 1) id = `${wanted}_${count}`;
  return id;
}
