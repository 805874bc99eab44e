import { type DiffDeltaFeed, type DiffDeltaItem, GLOBAL_ID } from '../../src/codecs/diffdelta/wire.ts';
import { itemsOf } from '../../src/dialects/diffdelta/runs/make-feed.ts';
import type { WrittenFile } from './diffdelta-replay.mjs';
import type { Random } from './hub-random.ts';

/** A model of a reader of one feed: it looks at the cursor, and walks the archives over what it slept through. */
class Client {
  /** What it holds: source and id of each item, with the hash of its content. */
  readonly items = new Map<string, string>();
  #cursor: string | null = null;

  poll(latest: DiffDeltaFeed, archives: ReadonlyMap<string, DiffDeltaFeed>): void {
    if (latest.cursor === this.#cursor || latest.cursor === null) return;
    const missed: DiffDeltaFeed[] = [];
    for (
      let at = archives.get(latest.archive_url ?? '');
      at !== undefined;
      at = archives.get(at.prev_archive_url ?? '')
    ) {
      missed.unshift(at);
      if (at.prev_cursor === this.#cursor) break;
    }
    for (const feed of missed) this.#apply(feed);
    this.#cursor = latest.cursor;
  }

  #apply({ buckets }: DiffDeltaFeed): void {
    const key = ({ source, id }: DiffDeltaItem) => `${source} ${id}`;
    const gone = new Set(buckets.removed);
    for (const item of itemsOf(buckets)) {
      if (gone.has(item)) this.items.delete(key(item));
      else this.items.set(key(item), item.provenance.content_hash);
    }
  }
}

const SLEEPERS = 3;

/** How many clients that slept over any number of runs hold something else in the end than one that saw each. */
export function countMisled(files: readonly WrittenFile[], random: Random): number {
  let misled = 0;
  for (const name of new Set(files.map((file) => file.name))) {
    const archives = new Map<string, DiffDeltaFeed>();
    const awake = new Client();
    const sleepers = Array.from({ length: SLEEPERS }, (_, at) => ({
      client: new Client(),
      wakes: at === 0 ? 0 : random.fraction(),
    }));
    const written = files.filter((file) => file.name === name);
    for (const [at, { feed, archivePath, latestText }] of written.entries()) {
      if (archivePath !== undefined) archives.set(feed.archive_url ?? '', JSON.parse(latestText) as DiffDeltaFeed);
      awake.poll(feed, archives);
      for (const { client, wakes } of sleepers) {
        if (at === written.length - 1 || random.chance(wakes)) client.poll(feed, archives);
      }
    }
    for (const { client } of sleepers) if (!isSame(client.items, awake.items)) misled += 1;
    if (!isSame(awake.items, truthOf(files, name))) misled += 1;
  }
  return misled;
}

/** What is there in the end, from the runs of the sources themselves. */
function truthOf(files: readonly WrittenFile[], name: string): Map<string, string> {
  const truth = new Map<string, string>();
  for (const file of files) {
    if (file.name === GLOBAL_ID || (name !== GLOBAL_ID && file.name !== name)) continue;
    const { removed, ...others } = file.feed.buckets;
    for (const { source, id, provenance } of Object.values(others).flat())
      truth.set(`${source} ${id}`, provenance.content_hash);
    for (const { source, id } of removed) truth.delete(`${source} ${id}`);
  }
  return truth;
}

function isSame(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): boolean {
  return left.size === right.size && [...left].every(([key, hash]) => right.get(key) === hash);
}
