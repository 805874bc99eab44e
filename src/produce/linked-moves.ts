import { groupBy } from '../codecs/primitives/group-by.ts';
import { decodePageRecord, type PageRecord } from '../log/pages-file.ts';
import type { SiteChange } from './site-source.ts';

export interface PagesAround {
  readonly before: ReadonlyMap<string, PageRecord>;
  readonly after: ReadonlyMap<string, PageRecord>;
  /** The new URLs of pages that are gone, by their public URLs. */
  readonly redirects?: ReadonlyMap<string, string>;
}

const MOVED_TO = 'moved-to=';

/**
 * Links the changes of moved pages in both directions: the create says `moved-from=<url>`, the delete `moved-to=<url>`.
 *
 * A page moved if its old URL leads to a new page, or if a new page has the same text as one that is gone and no other page, now or before, has that
 * text: identical pages are not confused.
 */
export function linkedMoves(changes: readonly SiteChange[], around: PagesAround): readonly SiteChange[] {
  const created = changes.filter(({ action, anchor }) => action === 'create' && anchor === undefined);
  const deleted = changes.filter(({ action, anchor }) => action === 'delete' && anchor === undefined);
  if (created.length === 0 || deleted.length === 0) return changes;
  const targets = new Map([...sameContent(created, deleted, around), ...redirected(created, deleted, around)]);
  const origins = new Map(Array.from(targets, ([from, to]) => [to, from]));
  return changes.map((change) => {
    if (change.anchor !== undefined || change.action === 'update') return change;
    const isGone = change.action === 'delete';
    const other = isGone ? targets.get(change.url) : origins.get(change.url);
    if (other === undefined || (isGone && origins.get(other) !== change.url)) return change;
    return isGone ? movedTo(change, other) : noted(change, `moved-from=${other}`);
  });
}

/** The deletion of a page that has moved to another URL. */
export function movedTo(deletion: SiteChange, url: string): SiteChange {
  return noted(deletion, `${MOVED_TO}${url}`);
}

/** The new URL of the page that a deletion names. */
export function newAddressOf({ action, note = '' }: SiteChange): string | undefined {
  const link = action === 'delete' ? note.split('; ').find((part) => part.startsWith(MOVED_TO)) : undefined;
  return link?.slice(MOVED_TO.length);
}

function noted(change: SiteChange, link: string): SiteChange {
  return { ...change, note: change.note === undefined ? link : `${change.note}; ${link}` };
}

function redirected(created: readonly SiteChange[], deleted: readonly SiteChange[], { redirects }: PagesAround) {
  const isNew = new Set(created.map(({ url }) => url));
  const leads = deleted.flatMap(({ url }): [string, string][] => {
    const target = redirects?.get(url);
    return target !== undefined && isNew.has(target) ? [[url, target]] : [];
  });
  const into = groupBy(leads, ([, target]) => target);
  return leads.filter(([, target]) => into.get(target)?.length === 1);
}

function sameContent(
  created: readonly SiteChange[],
  deleted: readonly SiteChange[],
  { before, after }: PagesAround,
): [string, string][] {
  const checksumOf = (record: PageRecord | undefined) =>
    record === undefined ? undefined : decodePageRecord(record).checksum;
  const newOnes = groupBy(created, ({ checksum }) => checksum);
  const goneOnes = groupBy(deleted, ({ url }) => checksumOf(before.get(url)));
  const pairs = new Map<string | undefined, [string, string]>();
  for (const [checksum, [gone, otherGone]] of goneOnes) {
    const [fresh, otherFresh] = newOnes.get(checksum) ?? [];
    if (checksum === undefined || gone === undefined || fresh === undefined) continue;
    if (otherGone === undefined && otherFresh === undefined) pairs.set(checksum, [gone.url, fresh.url]);
  }
  if (pairs.size === 0) return [];
  const isNew = new Set(created.map(({ url }) => url));
  for (const record of after.values()) if (!isNew.has(record.url)) pairs.delete(checksumOf(record));
  return [...pairs.values()];
}
