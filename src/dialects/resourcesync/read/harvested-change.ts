import { percentDecoded } from '../../../codecs/primitives/percent-decoded.ts';
import type { ReadEntry } from '../../../codecs/resourcesync/read-entry.ts';
import { shownText } from '../../../digest/shown-text.ts';
import { isOnSite } from '../../../fetch/same-site.ts';
import { changeKey } from './change-key.ts';
import type { HarvestedChange } from './harvested.ts';

const MAX_SECTIONS = 50;
const MAX_TITLE = 300;
const LESS_THAN_A_DAY = /^\d{4}(?:-\d\d)?$/;
const NO_SECTIONS: readonly string[] = [];

/** The change in an entry of a Change List. Undefined if the entry does not say what changed, or when. */
export function harvestedChange(
  { loc, md, links }: ReadEntry,
  collection: string,
  sites: readonly URL[],
): HarvestedChange | undefined {
  const { change, datetime } = md;
  if (change === undefined || datetime === undefined) return undefined;
  const title = md.title === undefined ? '' : shownText(md.title, MAX_TITLE);
  return {
    key: changeKey(collection, loc, change, datetime),
    loc,
    change,
    datetimeMs: datetime.startMs,
    endMs: datetime.endMs,
    ...(LESS_THAN_A_DAY.test(datetime.text) && { datetime: datetime.text }),
    ...(title !== '' && { title }),
    sections: sectionsOf(loc, links),
    isOwn: isOnSite(loc, sites),
  };
}

/** The anchors in links with the relation `section`, which lead to parts of the page itself. */
function sectionsOf(loc: string, links: ReadEntry['links']): readonly string[] {
  if (!links.some(({ rel }) => rel === 'section')) return NO_SECTIONS;
  const page = withoutHash(loc);
  const anchors = links.flatMap(({ rel, href }) => {
    const { hash } = rel === 'section' ? new URL(href) : { hash: '' };
    return hash.length > 1 && withoutHash(href) === page ? [percentDecoded(hash.slice(1))] : [];
  });
  return [...new Set(anchors)].slice(0, MAX_SECTIONS);
}

function withoutHash(text: string): string {
  const url = new URL(text);
  url.hash = '';
  return url.href;
}
