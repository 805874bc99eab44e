import { parseTime } from '../../codecs/primitives/time.ts';
import type { PageChange } from '../../diff/page-change.ts';
import { httpDateMs } from '../../fetch/response-headers.ts';
import { changesAtFall, possibleChanges, type TakenPage } from '../../follow/fall-changes.ts';
import type { FollowState } from '../../follow/follow-state.ts';
import { isSomebodyElses } from '../../follow/new-owner.ts';
import type { ToldSite } from '../../follow/told-site.ts';
import { decodePageVisit } from '../../log/pages-file.ts';
import type { PageReading, SiteChange, SiteComparison } from '../../produce/site-source.ts';
import type { SiteRetelling } from './visit-site.ts';

export interface FallReadingOptions {
  readonly source: string;
  /** What was reported about the pages so far. */
  readonly told: ToldSite;
  readonly state: Pick<FollowState, 'checksumsOf'>;
  /** The time up to which the feed has reported everything. */
  readonly fromMs: number | undefined;
  /** Called with the reported pages that can be read, if none of them is what it was. If it throws, the reading ends. */
  readonly onOther?: (urls: readonly string[]) => void;
}

const MODIFIED = /<meta\b[^>]*\bproperty=["']?article:modified_time["']?[^>]*\bcontent=["']([^"']{4,40})["']/i;

/** The first reading of pages that replace their feed: collects everything that could be reported of each page, and decides when all pages are known. */
export class FallReading implements SiteRetelling {
  readonly #options: FallReadingOptions;
  readonly #found = new Map<string, TakenPage>();
  readonly #facts = new Map<string, Pick<SiteChange, 'claimedTime' | 'pageChecksum'>>();
  /** It found nothing to report, and would have found an edit. */
  isStill = false;
  /** It reported an edit that the feed had not. */
  isSure = false;

  constructor(options: FallReadingOptions) {
    this.#options = options;
  }

  onPage(reading: PageReading): PageReading {
    const { page } = reading;
    const [{ claimedTime } = {}] = reading.changes;
    const found = { ...page, dateMs: dateOf(reading) };
    this.#found.set(page.url, found);
    this.#facts.set(page.url, { pageChecksum: page.checksum, ...(claimedTime !== undefined && { claimedTime }) });
    return { ...reading, finer: possibleChanges(found, this.#options.told).map(this.#withFacts) };
  }

  async settle({ pages }: SiteComparison): Promise<readonly SiteChange[]> {
    const { source, told, state, fromMs } = this.#options;
    const found = [...this.#found.values()].filter(({ url }) => pages.has(url));
    told.addChecksums(
      await state.checksumsOf(
        source,
        found.map(({ url }) => url),
      ),
    );
    if (isSomebodyElses(found, told)) this.#options.onOther?.(found.map(({ url }) => url));
    const { changes, isSure } = changesAtFall(found, told, fromMs);
    this.isSure = isSure;
    this.isStill = isSure && changes.length === 0;
    return changes.map(this.#withFacts);
  }

  readonly #withFacts = (change: PageChange): SiteChange => ({ ...change, ...this.#facts.get(change.url) });
}

/** The date that the page itself gives, else its sitemap, else its server, which may only know when the site was built. */
function dateOf({ html, record, changes }: PageReading): number | undefined {
  const [, own = ''] = MODIFIED.exec(html) ?? [];
  const { lastModified } = decodePageVisit(record);
  const ofServer = lastModified === undefined ? undefined : httpDateMs(lastModified);
  return parseTime(own) ?? parseTime(changes[0]?.claimedTime ?? '') ?? ofServer;
}
