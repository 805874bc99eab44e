import type { Retention } from '../hub/config/retention.ts';
import { type SizeSample, type StorageStatus, storageStatus, withSample } from '../hub/health/storage-growth.ts';
import type { HubStore } from '../hub/store/hub-store.ts';
import { measureFolder } from '../io/files/folder-size.ts';

/** The fact of a hub that holds how large its data folder was, day by day. */
const SIZES = 'sizes';
/** The fact that holds what it keeps. */
const RETENTION = 'retention';

/** Writes down how large the data folder is, once a day. */
export async function recordSize(folder: string, store: Pick<HubStore, 'fact' | 'putFact'>): Promise<void> {
  const samples = await samplesOf(store);
  const more = withSample(samples, { atMs: Date.now(), bytes: (await measureFolder(folder)).bytes });
  if (more !== samples) await store.putFact(SIZES, JSON.stringify(more));
}

/** Writes down what the hub keeps, for who looks at its folder. */
export async function recordRetention(retention: Retention, store: Pick<HubStore, 'fact' | 'putFact'>): Promise<void> {
  const text = JSON.stringify(retention);
  if (text !== ((await store.fact(RETENTION)) ?? '{}')) await store.putFact(RETENTION, text);
}

/** What the data folder takes, how fast it grows, and when its disk is full. */
export async function readStorage(folder: string, store: Pick<HubStore, 'fact'>): Promise<StorageStatus> {
  const status = storageStatus(await samplesOf(store), { atMs: Date.now(), ...(await measureFolder(folder)) });
  return { ...status, retention: JSON.parse((await store.fact(RETENTION)) ?? '{}') as Retention };
}

async function samplesOf(store: Pick<HubStore, 'fact'>): Promise<readonly SizeSample[]> {
  return JSON.parse((await store.fact(SIZES)) ?? '[]') as SizeSample[];
}
