import { isHubId } from '../model/hub-path.ts';
import type { HubStore } from './store/hub-store.ts';

const FACT = 'hub-id';

/** The name of a hub among hubs. It reveals nothing about its operator. */
export interface HubIdentity {
  readonly id: string;
  /** Writes down one that is new. */
  keep(): Promise<void>;
}

/** Made when the hub first starts, and kept with its log. */
export async function hubIdentity(store: Pick<HubStore, 'fact' | 'putFact'>, make: () => string): Promise<HubIdentity> {
  const known = await store.fact(FACT);
  if (isHubId(known)) return { id: known, keep: async () => {} };
  const id = make();
  return { id, keep: () => store.putFact(FACT, id) };
}
