import { cursorOf } from '../../src/codecs/diffdelta/cursor.ts';
import { hashOfText, inServedOrder } from '../../src/codecs/diffdelta/encode.ts';
import { validateFeed } from '../../src/codecs/diffdelta/validate.ts';
import {
  BUCKETS,
  type DiffDeltaFeed,
  type DiffDeltaHead,
  type DiffDeltaItem,
} from '../../src/codecs/diffdelta/wire.ts';
import type { WrittenFile } from './diffdelta-replay.mjs';

/** What is wrong with the files of a history, by kind. */
export interface Wrong {
  /** `changed` and the cursors of a head, a feed or an entry say different things. */
  changed: number;
  /** A cursor that is not that of the items, or that was there before. */
  cursor: number;
  /** Previous cursor, hash, time or archive that is not that of the file before. */
  chain: number;
  invalid: number;
  unsorted: number;
}

export function nothingWrong(): Wrong {
  return { changed: 0, cursor: 0, chain: 0, invalid: 0, unsorted: 0 };
}

/** Looks at every file of a history: heads, feeds, archives, entries of sources. */
export function judgeFiles(files: readonly WrittenFile[], wrong: Wrong): void {
  const before = new Map<string, DiffDeltaFeed>();
  const seen = new Set<string>();
  const archives = new Set<string>();
  for (const { name, latestText, headText, archivePath } of files) {
    const feed = JSON.parse(latestText) as DiffDeltaFeed;
    const head = JSON.parse(headText) as DiffDeltaHead;
    for (const each of [head, feed, ...Object.values(feed.sources)]) {
      if (each.changed !== (each.cursor !== each.prev_cursor)) wrong.changed += 1;
    }
    for (const entry of Object.values(feed.sources)) {
      if (entry.changed !== 'delta_counts' in entry || (entry.status !== 'ok' && entry.changed)) wrong.changed += 1;
    }
    if (head.cursor !== feed.cursor || head.changed !== feed.changed) wrong.changed += 1;
    if (feed.cursor !== null && feed.cursor !== cursorOf(feed)) wrong.cursor += 1;
    if (validateFeed(feed).length > 0 || hashOfText(latestText) !== feed.hash) wrong.invalid += 1;
    if (!isSorted(feed)) wrong.unsorted += 1;

    const last = before.get(name);
    const isNew = feed.cursor !== (last?.cursor ?? null);
    if (isNew && seen.has(`${name} ${feed.cursor}`)) wrong.cursor += 1;
    if (isNew !== (archivePath !== undefined) || archives.has(archivePath ?? '')) wrong.chain += 1;
    if (feed.prev_cursor !== (isNew ? (last?.cursor ?? null) : feed.changed ? last?.prev_cursor : feed.cursor)) {
      wrong.chain += 1;
    }
    if (feed.prev_hash !== (last?.hash ?? null) || feed.generated_at <= (last?.generated_at ?? '')) wrong.chain += 1;
    if (isNew && feed.prev_archive_url !== last?.archive_url) wrong.chain += 1;
    seen.add(`${name} ${feed.cursor}`);
    if (archivePath !== undefined) archives.add(archivePath);
    before.set(name, feed);
  }
}

function isSorted({ buckets, sources_included: included }: DiffDeltaFeed): boolean {
  const ids = included.map((id) => Buffer.from(id));
  const isInOrder = (items: readonly DiffDeltaItem[]) => {
    const ordered = inServedOrder(items);
    return items.every((item, at) => item === ordered[at]);
  };
  return (
    BUCKETS.every((name) => isInOrder(buckets[name])) &&
    ids.every((id, at) => at === 0 || Buffer.compare(ids[at - 1] ?? id, id) < 0)
  );
}
