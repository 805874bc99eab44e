import { encodeAtomEntry } from '../../../codecs/atom/encode-entry.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { digestEntry } from '../../../digest/digest-entry.ts';
import { isOnSite } from '../../../fetch/same-site.ts';
import type { Metadata } from '../read/harvested.ts';
import type { FeedRun } from './feed-runs.ts';

export interface RunEntryOptions {
  readonly site: URL;
  /** The metadata of the collection. */
  readonly said: Metadata;
  /** The most pages that are named. */
  readonly maxListed: number | undefined;
}

/** The text of the entry for a run. The same run always gives the same text. */
export function harvestEntry(run: FeedRun, { site, said, maxListed }: RunEntryOptions): string {
  const { describes, changes, entryId, isFirst, time } = run;
  const foreign = new Set(changes.flatMap(({ url, provenance }) => (provenance.isForeign === true ? [url] : [])));
  const digest = digestEntry(changes, {
    id: entryId,
    updatedMs: parseTime(time) ?? Number.NaN,
    about: namesOf(describes, said, site).title,
    ...(isOnSite(describes, [site]) && { url: describes }),
    isFirst,
    ...(maxListed !== undefined && { maxPages: maxListed }),
    linkable: (url) => !foreign.has(url),
  });
  const entry = encodeAtomEntry(digest);
  if (!entry.ok) throw new Error(`The entry cannot be written: ${entry.issues[0].message}`);
  return entry.value;
}

/** The stated title and author, or else the address without its scheme and the host. */
export function namesOf(about: string, { title, author }: Metadata, site: URL): { title: string; author: string } {
  const address = about.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  return { title: title || address.slice(0, 200), author: author || site.host };
}
