/** What stands between the name of a page and that of its site. */
const TITLE_PARTS = / [|–—·•»›:-]+ /;

export function titleParts(title: string): readonly string[] {
  return title.split(TITLE_PARTS);
}

/**
 * The parts of titles that the pages of a run share: the name of the site, its version.
 *
 * Most pages are called by their heading, so that such a part is news on the few that have none.
 */
export class SiteTitles {
  readonly #counts = new Map<string, number>();

  /** The title element of a page, whole. */
  note(title: string): void {
    for (const part of new Set(titleParts(title))) this.#counts.set(part, (this.#counts.get(part) ?? 0) + 1);
  }

  shared(isShared: (count: number) => boolean): ReadonlySet<string> {
    return new Set([...this.#counts].filter(([, count]) => isShared(count)).map(([part]) => part));
  }
}

interface Titles {
  readonly before: string;
  readonly after: string;
}

/** Whether a page is called otherwise only by what its site is called. */
export function isRetitledBySite(titles: Titles, site: ReadonlySet<string>): boolean {
  if (site.size === 0 || titles.before === titles.after) return false;
  const { before, after } = ownTitles(titles, site);
  return before === after;
}

/**
 * What a page was and is called without the parts of its site.
 *
 * Where those were other ones, they stood in the same place, or as many stood elsewhere in the title.
 */
export function ownTitles({ before, after }: Titles, site: ReadonlySet<string>): Titles {
  const [was, is] = [titleParts(before), titleParts(after)];
  const own = is.filter((part) => !site.has(part));
  const others = was.filter((part) => !own.includes(part));
  const isMoved =
    own.length > 0 && own.length + others.length === was.length && others.length <= is.length - own.length;
  const isSites = (part: string, place: number) =>
    site.has(part) || (isMoved ? others.includes(part) : was.length === is.length && site.has(is[place] ?? ''));
  return { before: was.filter((part, place) => !isSites(part, place)).join(' | '), after: own.join(' | ') };
}
