import type { DiffDeltaFeed } from '../../../codecs/diffdelta/wire.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import type { Change } from '../../../model/change.ts';
import { itemsOf } from '../runs/make-feed.ts';
import { itemIdOf } from '../runs/run-items.ts';
import { wireTime } from '../runs/wire-time.ts';
import type { RunStore } from './run-store.ts';

/** An item as it is in the archive of its run. */
export interface FoundItem {
  /** The path of the archive, without a leading slash. */
  readonly path: string;
  /** Absent if the archive is too long to be read for it. */
  readonly text?: string;
}

/** A longer archive takes too long to decode. */
const MAX_ARCHIVE_BYTES = 512 * 1024;

/** The item that reports a change; undefined if its archive is no longer kept. */
export async function itemOfChange(
  change: Change,
  store: Pick<RunStore, 'item' | 'archivesAt' | 'archive'>,
): Promise<FoundItem | undefined> {
  const atMs = parseTime(change.time);
  if (atMs === undefined) return undefined;
  const paths = store.archivesAt(change.source, atMs);
  const id = itemIdOf(change);
  const known = store.item(change.source, id)?.item;
  const [only, ...others] = paths;
  // The last published version is remembered, so no archive has to be read for it.
  if (known?.provenance.fetched_at === wireTime(atMs) && only !== undefined && others.length === 0) {
    return { path: only, text: JSON.stringify(known) };
  }
  for (const path of paths) {
    const bytes = await store.archive(path);
    if (bytes === undefined) continue;
    if (bytes.length > MAX_ARCHIVE_BYTES) return { path };
    const { buckets } = JSON.parse(Buffer.from(bytes).toString()) as DiffDeltaFeed;
    const item = itemsOf(buckets).find((each) => each.id === id && each.source === change.source);
    if (item?.provenance.fetched_at === wireTime(atMs)) return { path, text: JSON.stringify(item) };
  }
  return undefined;
}
