import { describeStoredChanges } from './hub-store-changes.contract.ts';
import { describeCommits } from './hub-store-commits.contract.ts';
import type { HubStorePlace, HubStoreTrial, HubStoreWorld } from './hub-store-fixtures.contract.ts';
import { describeKeeping } from './hub-store-keeping.contract.ts';
import { describeReaderMemory } from './hub-store-memory.contract.ts';
import { describeStoredSources } from './hub-store-sources.contract.ts';

/** What every `HubStore` promises. `makePlace` gives a new, empty place each time. */
export function describeHubStore(
  name: string,
  makePlace: () => Promise<HubStorePlace>,
  { hasOwnClock = false }: Pick<HubStoreTrial, 'hasOwnClock'> = {},
): void {
  const openNew = async (world?: HubStoreWorld) => (await makePlace()).open(world);
  const trial = { name, makePlace, openNew, hasOwnClock };
  describeStoredSources(trial);
  describeCommits(trial);
  describeStoredChanges(trial);
  describeKeeping(trial);
  describeReaderMemory(trial);
}
