import { formatTime, parseTime } from '../codecs/primitives/time.ts';
import { type PageRecord, type PagesFile, withoutTexts, withPageFile } from '../log/pages-file.ts';
import type { Change, ChangeDraft } from '../model/change.ts';
import { sourceIdOf } from '../model/source.ts';
import type { DetailCollector } from './collect-details.ts';
import type { SiteChange } from './site-source.ts';

/** The results of a comparison as drafts for the log. None is older than `earliestMs`, even if the clock was set back. */
export function foundDrafts(
  changes: readonly SiteChange[],
  {
    site,
    extractor,
    details,
    earliestMs,
    nowMs,
  }: {
    readonly site: URL;
    /** The extractor that read the pages. */
    readonly extractor: string;
    readonly details: DetailCollector;
    readonly earliestMs: number;
    readonly nowMs: number;
  },
): readonly ChangeDraft[] {
  const source = sourceIdOf(site);
  const time = earliestMs > nowMs ? { time: formatTime(earliestMs) } : {};
  return changes.map((change) => {
    const { pageChecksum, published, ...facts } = change;
    return {
      ...facts,
      source,
      ...details.of(change),
      provenance: {
        by: 'compare',
        extractor,
        pageChecksum,
        ...(published !== undefined && { published }),
      },
      ...time,
    };
  });
}

/** The newest modification time of all files before a publish. */
export function latestFileMs(pages: ReadonlyMap<string, PageRecord>): number {
  let latest = 0;
  for (const { modifiedMs = 0 } of pages.values()) latest = Math.max(latest, modifiedMs);
  return latest;
}

/** Pages without the texts of their sections. Pages that are unchanged in a textless file already have none. */
export function textlessPages(
  pages: ReadonlyMap<string, PageRecord>,
  before: Pick<PagesFile, 'pages' | 'isTextless'>,
): ReadonlyMap<string, PageRecord> {
  const isBare = (record: PageRecord) => before.isTextless === true && before.pages.get(record.url) === record;
  return new Map(Array.from(pages, ([url, record]) => [url, isBare(record) ? record : withoutTexts(record)]));
}

/** Gives files with new bytes the time of this publish: the time of its changes, if it found any. */
export function stamped(
  pages: ReadonlyMap<string, PageRecord>,
  changes: readonly Change[],
  nowMs: number,
): ReadonlyMap<string, PageRecord> {
  const modifiedMs = Math.max(parseTime(changes.at(-1)?.time ?? '') ?? 0, nowMs);
  const stamp = (record: PageRecord) =>
    record.modifiedMs === undefined && record.file !== '' ? withPageFile(record, { modifiedMs }) : record;
  return new Map(Array.from(pages, ([url, record]) => [url, stamp(record)]));
}
