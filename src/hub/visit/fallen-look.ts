import { RE_READ } from '../../follow/fall-changes.ts';
import type { LadderState } from '../../follow/ladder.ts';
import type { PageReading, SiteChange, SiteComparison } from '../../produce/site-source.ts';
import { pageTellings } from './auto-feed.ts';
import type { AutoVisit } from './auto-visit.ts';
import type { SiteRetelling } from './visit-site.ts';

/** A look at pages that replace their feed: reports what was found, except what the first reading of them could not know. */
export class FallenLook implements SiteRetelling {
  readonly #visit: AutoVisit;
  readonly #state: LadderState;

  constructor(visit: AutoVisit, state: LadderState) {
    this.#visit = visit;
    this.#state = state;
  }

  onPage(reading: PageReading): PageReading {
    if (!this.#state.isUnsure) return reading;
    const whole = reading.changes.slice(0, 1).map(asWhole);
    return { ...reading, finer: [...(reading.finer ?? []), ...whole] };
  }

  async settle({ changes }: SiteComparison): Promise<readonly SiteChange[]> {
    const { unread = [], isUnsure = false, falls } = this.#state;
    // Pages that the first reading could not read existed before.
    const isNew = ({ action, anchor, url }: SiteChange) =>
      action !== 'create' || anchor !== undefined || !unread.includes(url);
    const told = changes.filter(isNew);
    if (!isUnsure || told.length === 0) return told;
    const before = await pageTellings(this.#visit, falls.at(-1)?.atMs ?? 0);
    const raised = new Set<string>();
    return told.flatMap((change) => {
      if (change.anchor === undefined || before.has(change.url)) return [change];
      if (raised.has(change.url)) return [];
      raised.add(change.url);
      return [asWhole(change)];
    });
  }
}

function asWhole({ anchor: _, anchorIs: __, before: ___, ...change }: SiteChange): SiteChange {
  const { pageChecksum } = change;
  const { checksum: ____, ...page } = change;
  return { ...page, action: 'update', note: RE_READ, ...(pageChecksum !== undefined && { checksum: pageChecksum }) };
}
