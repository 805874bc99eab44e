/**
 * The name of a section if several headings of a page have the same id or slug.
 *
 *     example            the first one keeps the base
 *     put~example        later ones: the parent's anchor, then the base
 *     put~example~~2     a count where that is taken too
 *
 * The base can be read back from any of them, even from an anchor in a feed.
 */
export function baseOf(anchor: string): string {
  if (!anchor.includes('~')) return anchor;
  const counted = /^(.+)~~\d+$/.exec(anchor)?.[1] ?? anchor;
  return counted.slice(counted.lastIndexOf('~') + 1) || anchor;
}

/** The anchor names already used on one page. */
export class AnchorNames {
  readonly #taken: Set<string>;
  readonly #counts = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  isFree(anchor: string): boolean {
    return !this.#taken.has(anchor);
  }

  take(anchor: string): void {
    this.#taken.add(anchor);
  }

  /** The first free name for `base`. The caller must take it. */
  nameFor(base: string, parent: string | undefined): string {
    if (this.isFree(base)) return base;
    const path = parent === undefined ? base : `${parent}~${base}`;
    if (this.isFree(path)) return path;
    for (let count = this.#counts.get(path) ?? 2; ; count += 1) {
      const counted = `${path}~~${count}`;
      if (!this.isFree(counted)) continue;
      this.#counts.set(path, count + 1);
      return counted;
    }
  }
}
