import type { HubStore } from './store/hub-store.ts';

const FACT = 'epoch';

/** Which log a hub has: another one behind each backup that was restored. Undefined while none was. */
export async function logEpoch(store: Pick<HubStore, 'fact'>): Promise<string | undefined> {
  return await store.fact(FACT);
}

/** Says that the log goes on from a backup: what was published behind that may have had the same numbers. */
export async function beginEpoch(store: Pick<HubStore, 'putFact'>, epoch: string): Promise<void> {
  await store.putFact(FACT, epoch);
}
