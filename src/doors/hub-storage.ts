import type { Retention } from '../hub/config/retention.ts';
import { type SizeSample, type StorageStatus, storageStatus, withSample } from '../hub/health/storage-growth.ts';
import type { HubStore } from '../hub/store/hub-store.ts';
import { measureFolder } from '../io/files/folder-size.ts';

/** The name of the stored fact with the daily sizes of the data folder. */
const SIZES = 'sizes';
/** The name of the stored fact with the retention settings. */
const RETENTION = 'retention';

/** Records the size of the data folder once a day. */
export async function recordSize(folder: string, store: Pick<HubStore, 'fact' | 'putFact'>): Promise<void> {
  const samples = await samplesOf(store);
  const more = withSample(samples, { atMs: Date.now(), bytes: (await measureFolder(folder)).bytes });
  if (more !== samples) await store.putFact(SIZES, JSON.stringify(more));
}

/** Records the retention settings for readers of the folder. */
export async function recordRetention(retention: Retention, store: Pick<HubStore, 'fact' | 'putFact'>): Promise<void> {
  const text = JSON.stringify(retention);
  if (text !== ((await store.fact(RETENTION)) ?? '{}')) await store.putFact(RETENTION, text);
}

/** The size of the data folder, how fast it grows, and when its disk will be full. */
export async function readStorage(folder: string, store: Pick<HubStore, 'fact'>): Promise<StorageStatus> {
  const status = storageStatus(await samplesOf(store), { atMs: Date.now(), ...(await measureFolder(folder)) });
  return { ...status, retention: JSON.parse((await store.fact(RETENTION)) ?? '{}') as Retention };
}

async function samplesOf(store: Pick<HubStore, 'fact'>): Promise<readonly SizeSample[]> {
  return JSON.parse((await store.fact(SIZES)) ?? '[]') as SizeSample[];
}
