import { boundaryOf } from '../codecs/aicf/boundary.ts';
import type { TakenPage } from './fall-changes.ts';
import type { ToldSite } from './told-site.ts';

/** With fewer pages nothing follows: a small site is easily rewritten. */
const LEAST_KNOWN = 3;
/** A shorter word occurs in many titles by chance. */
const LEAST_TITLE = 3;
/** One page in this many may have a title that occurs in its new one by chance, such as "Home". */
const CHANCE = 5;

/** How a page compares with its former state: `same` by its title or a text, `like` if one title contains the other. */
type Likeness = 'same' | 'like' | 'other';

/**
 * Whether a site whose feed is gone belongs to somebody else: of the reported pages, none that can be read matches its former title or any of its
 * checksums.
 *
 * A feed for people names its items in its own way: if all pages have one title, or contain that of their item, titles prove nothing.
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

/** The facts by which a page is recognized. */
interface OwnedPage {
  readonly title: string;
  readonly checksum: string;
  readonly sections: readonly { readonly checksum: string }[];
}

/** A known page of a site, and what a look at it found: undefined if it did not exist. */
export interface KnownAndFound {
  readonly known: OwnedPage;
  readonly found: OwnedPage | undefined;
}

/**
 * Whether a site that is read by its pages belongs to somebody else: at least one of its URLs still answers, and no page that does has its former
 * title or any of its former text. `known` is the number of pages: if most of them could not be looked at, the answer is no.
 *
 * A new theme, host or certificate, and removed pages, leave the titles or texts of other pages. So does a rewrite page by page.
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

/** A page has the title of its site in addition to its own. */
function likenessOfTitles(one: string, other: string): Likeness {
  const [shorter = '', longer = ''] = [plain(one), plain(other)].sort((left, right) => left.length - right.length);
  if (shorter === longer) return 'same';
  return shorter.length >= LEAST_TITLE && longer.includes(shorter) ? 'like' : 'other';
}

function plain(title: string): string {
  return title.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}
