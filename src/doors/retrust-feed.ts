import { retrustSource } from '../dialects/agent-feed/read/retrust.ts';
import type { RetrustRouteParts } from '../hub/routes/retrust-route.ts';
import type { HubStore } from '../hub/store/hub-store.ts';

/** An operator's decision to trust the feed of a source again. */
export function retrustFeed(store: Pick<HubStore, 'storage'>): RetrustRouteParts['retrust'] {
  return (source, options) => retrustSource(source, { store, now: Date.now }, options);
}
