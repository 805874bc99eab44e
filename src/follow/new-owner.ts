import { boundaryOf } from '../codecs/aicf/boundary.ts';
import type { TakenPage } from './fall-changes.ts';
import type { ToldSite } from './told-site.ts';

/** Of fewer pages nothing follows: a small site is soon written anew. */
const LEAST_KNOWN = 3;
/** A word that is shorter stands in many titles by chance. */
const LEAST_TITLE = 3;
/** One page in so many may have a title that stands in its new one by chance, such as "Home". */
const CHANCE = 5;

/** What a page is beside what it was: `same` by its title or a text, `like` where one title holds the other. */
type Likeness = 'same' | 'like' | 'other';

/**
 * Whether a site whose feed is gone is somebody else's: of the pages that were told, none that can be read is what it was, by its title and by
 * any of its checksums.
 *
 * A feed for people names its items in its own way: where all pages have one title, or hold that of their item, titles say nothing.
 */
export function isSomebodyElses(pages: readonly TakenPage[], told: ToldSite): boolean {
  if (told.liveCount < LEAST_KNOWN) return false;
  const known = pages.filter(({ url }) => told.page(url) !== undefined);
  const titles = new Set(known.map(({ title }) => plain(title)));
  if (known.length > 1 && titles.size === 1) return false;
  return areOthers(known.map((page) => likenessToTold(page, told)));
}

function likenessToTold({ url, title, checksum, sections }: TakenPage, told: ToldSite): Likeness {
  const { title: before } = told.page(url) ?? {};
  const checksums = told.checksumsOf(url);
  const isText = sections.some(
    (section) => checksums.get(boundaryOf({ url, anchor: section.anchor })) === section.checksum,
  );
  if (before === undefined || isText || checksums.get(url) === checksum) return 'same';
  return likenessOfTitles(before, title);
}

/** What a page is held to be by. */
interface OwnedPage {
  readonly title: string;
  readonly checksum: string;
  readonly sections: readonly { readonly checksum: string }[];
}

/** One page of a site as it is known, and what a look at it found: undefined where it was not there. */
export interface KnownAndFound {
  readonly known: OwnedPage;
  readonly found: OwnedPage | undefined;
}

/**
 * Whether a site that is read by its pages is somebody else's: at least one address of it still answers, and no page that does has the title or
 * any text of what was there. `known` is how many pages there were: where most of them could not be looked at, nobody can say.
 *
 * Another theme, another host or certificate and pages that go leave the titles or the texts of others. So does a rewrite that goes page by page.
 */
export function isOtherSite(looked: readonly KnownAndFound[], known: number): boolean {
  if (known < LEAST_KNOWN || looked.length * 2 < known) return false;
  return areOthers(
    looked.flatMap(({ known: before, found }) => (found === undefined ? [] : [likenessOf(before, found)])),
  );
}

function likenessOf(before: OwnedPage, after: OwnedPage): Likeness {
  const texts = new Set(before.sections.map(({ checksum }) => checksum));
  const isText = after.sections.some(({ checksum }) => texts.has(checksum));
  return isText || before.checksum === after.checksum ? 'same' : likenessOfTitles(before.title, after.title);
}

function areOthers(pages: readonly Likeness[]): boolean {
  if (pages.length === 0 || pages.includes('same')) return false;
  return pages.filter((likeness) => likeness === 'like').length * CHANCE <= pages.length;
}

/** A page has the title of its site beside its own. */
function likenessOfTitles(one: string, other: string): Likeness {
  const [shorter = '', longer = ''] = [plain(one), plain(other)].sort((left, right) => left.length - right.length);
  if (shorter === longer) return 'same';
  return shorter.length >= LEAST_TITLE && longer.includes(shorter) ? 'like' : 'other';
}

function plain(title: string): string {
  return title.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}
