import type { HubStore } from './store/hub-store.ts';

const FACT = 'epoch';

/** Identifies the log of a hub: different after each restored backup. Undefined if there was none. */
export async function logEpoch(store: Pick<HubStore, 'fact'>): Promise<string | undefined> {
  return await store.fact(FACT);
}

/** Marks that the log continues from a backup: later published changes may have had the same numbers. */
export async function beginEpoch(store: Pick<HubStore, 'putFact'>, epoch: string): Promise<void> {
  await store.putFact(FACT, epoch);
}
