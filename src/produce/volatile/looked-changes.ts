import { isNamelessLoss, type SpotEdit } from './spot-edits.ts';

/** A block that changed alone on this many pages at once, and on more than half of the site, is volatile at its first change. */
const PAGES_AT_ONCE = 3;

/** What changed at one look on all pages: shows which spots of different pages are one block of their template. */
export class LookedChanges {
  readonly #pages = new Map<string, Set<string>>();
  /** The block that changed at each place. */
  readonly #blocks = new Map<string, string>();
  readonly #losses: { readonly url: string; readonly edit: SpotEdit }[] = [];

  take(url: string, edit: SpotEdit): void {
    this.#count(edit.key, url);
    if (isNamelessLoss(edit)) this.#losses.push({ url, edit });
    else if (!/^[~=*]/.test(edit.key)) for (const place of edit.places) this.#blocks.set(place, edit.key);
  }

  /** After the last change: text that disappeared without a name counts as the block that changed at its place on another page. */
  *nameLosses(): Iterable<{ readonly url: string; readonly from: string; readonly to: string }> {
    for (const { url, edit } of this.#losses) {
      const key = this.keyOf(edit);
      if (key === edit.key) continue;
      this.#count(key, url);
      yield { url, from: edit.key, to: key };
    }
  }

  keyOf(edit: SpotEdit): string {
    if (!isNamelessLoss(edit)) return edit.key;
    const found = edit.places.map((place) => this.#blocks.get(place)).find((block) => block !== undefined);
    return found === undefined || edit.blocks.has(found) ? edit.key : found;
  }

  /** Whether it changed on so large a share of the pages that no author did it. */
  isAtOnce(key: string, pages: number): boolean {
    const count = this.#pages.get(key)?.size ?? 0;
    return count >= PAGES_AT_ONCE && count * 2 > pages;
  }

  #count(key: string, url: string): void {
    const pages = this.#pages.get(key);
    if (pages === undefined) this.#pages.set(key, new Set([url]));
    else pages.add(url);
  }
}
