import type { HubStore } from '../hub/store/hub-store.ts';

/** The newest moment on record in a hub: of a change or a check. */
export async function lastKnownMs(store: Pick<HubStore, 'lastChange' | 'sources'>): Promise<number | undefined> {
  const change = await store.lastChange();
  const moments = change === undefined ? [] : [Date.parse(change.time)];
  for (const { health } of await store.sources())
    if (health.lastCheckMs !== undefined) moments.push(health.lastCheckMs);
  return moments.reduce<number | undefined>((newest, moment) => Math.max(newest ?? moment, moment), undefined);
}
