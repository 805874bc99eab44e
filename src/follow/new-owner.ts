import { boundaryOf } from '../codecs/aicf/boundary.ts';
import type { TakenPage } from './fall-changes.ts';
import type { ToldSite } from './told-site.ts';

/** Of fewer pages nothing follows: a small site is soon written anew. */
const LEAST_KNOWN = 3;

/**
 * Whether a site whose feed is gone is somebody else's: of the pages that were told, none that can be read is what it was, by its title and by
 * any of its checksums.
 */
export function isSomebodyElses(pages: readonly TakenPage[], told: ToldSite): boolean {
  if (told.liveCount < LEAST_KNOWN) return false;
  const known = pages.filter(({ url }) => told.page(url) !== undefined);
  return known.length > 0 && known.every((page) => isWhollyOther(page, told));
}

function isWhollyOther({ url, title, checksum, sections }: TakenPage, told: ToldSite): boolean {
  const { title: before } = told.page(url) ?? {};
  if (before === undefined || plain(before) === plain(title)) return false;
  const checksums = told.checksumsOf(url);
  if (checksums.get(url) === checksum) return false;
  return sections.every((section) => checksums.get(boundaryOf({ url, anchor: section.anchor })) !== section.checksum);
}

function plain(title: string): string {
  return title.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}
