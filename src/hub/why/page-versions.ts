import { decodePageRecord } from '../../log/pages-file.ts';
import type { Change } from '../../model/change.ts';
import type { HubStore } from '../store/hub-store.ts';
import type { PageVersions } from './explain-change.ts';
import { isSameMoment } from './wanted-change.ts';

/** The changes around one in the log, oldest first, with itself: at most `most` on each side. */
export async function changesAround(
  { seq }: Change,
  most: number,
  store: Pick<HubStore, 'changes'>,
): Promise<readonly Change[]> {
  const around: Change[] = [];
  const after = Math.max(0, seq - most - 1);
  for await (const change of store.changes({ after, limit: seq - after + most })) around.push(change);
  return around;
}

/** What the store still has of the page before and after a change. `around`: the changes of one look at one page are adjacent in the log. */
export async function pageVersions(
  change: Change,
  around: readonly Change[],
  store: Pick<HubStore, 'snapshot' | 'pageOf'>,
): Promise<PageVersions> {
  const { source, url, provenance } = change;
  const { before, after } = provenance;
  const texts = await Promise.all([before, after].map((name) => snapshotText(name, store)));
  const page = await store.pageOf(source, url);
  const isNewest = page !== undefined && after !== undefined && page.snapshot === after;
  return {
    ...(texts[0] !== undefined && { before: texts[0] }),
    ...(texts[1] !== undefined && { after: texts[1] }),
    ...(isNewest && { anchors: decodePageRecord(page.record).sections.map(({ anchor }) => anchor) }),
    isAlone: !around.some((near) => near.seq !== change.seq && isSameMoment(near, change)),
  };
}

export async function snapshotText(name: unknown, store: Pick<HubStore, 'snapshot'>): Promise<string | undefined> {
  return typeof name === 'string' ? store.snapshot(name) : undefined;
}
