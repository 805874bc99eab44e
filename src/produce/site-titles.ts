/** Separates the name of a page from that of its site. */
const TITLE_PARTS = / [|–—·•»›:-]+ /;

export function titleParts(title: string): readonly string[] {
  return title.split(TITLE_PARTS);
}

/**
 * The parts of titles that the pages of a run share: the name of the site, its version.
 *
 * Most pages take their title from their heading, so such a part would look like news on the few pages without one.
 */
export class SiteTitles {
  readonly #counts = new Map<string, number>();

  /** Counts the parts of the complete title element of a page. */
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

/** Whether only the site's part of the title of a page changed. */
export function isRetitledBySite(titles: Titles, site: ReadonlySet<string>): boolean {
  if (site.size === 0 || titles.before === titles.after) return false;
  const { before, after } = ownTitles(titles, site);
  return before === after;
}

/**
 * The old and the new title of a page without the parts of its site.
 *
 * If those parts differed before, they were in the same place, or as many were elsewhere in the title.
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
