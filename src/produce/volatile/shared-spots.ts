import { splitMarks } from '../../extract/line-marks.ts';
import { decodePageSpots, type PageRecord } from '../../log/pages-file.ts';
import { type Spot, WHOLE_PAGE } from '../../model/spot.ts';
import { TITLE_KEY } from './block-keys.ts';
import { isForgotten, type SharedSpot } from './judge-spot.ts';
import { type SpotEdit, textMark } from './spot-edits.ts';

const NO_TEXT = textMark('');

/** What the pages of a site have in common: what is learned on one of them applies to the same spot on the others. */
export class SharedSpots {
  readonly #byKey = new Map<string, SpotCounts>();
  /** The pages on which each key changed. */
  readonly #pagesOf = new Map<string, Set<string>>();
  readonly #pageCount: number;
  /** `from>to`: marks of two texts of which the second replaced the first, on any page. */
  readonly #turns = new Set<string>();
  /** The first page that had a text, by block and mark of the text. */
  readonly #speakers = new Map<string, string>();
  /** Blocks that had the same text on two pages. */
  readonly #rotating = new Set<string>();
  /** The block that had a text, by its mark. */
  readonly #blocks = new Map<string, string>();

  constructor(pages: ReadonlyMap<string, PageRecord>, look: number) {
    this.#pageCount = pages.size;
    const byKey = new Map<string, Spot[]>();
    for (const record of pages.values()) {
      // The whole of a page is not a spot of another.
      for (const spot of decodePageSpots(record)) {
        if (spot.key === WHOLE_PAGE || isForgotten(spot, look)) continue;
        this.#notePage(record.url, spot.key);
        this.#noteTexts(record.url, spot.key, [...splitMarks(spot.texts), textMark(spot.lines)]);
        const others = byKey.get(spot.key);
        if (others === undefined) byKey.set(spot.key, [spot]);
        else others.push(spot);
      }
    }
    for (const [key, spots] of byKey) this.#byKey.set(key, sharedOf(spots, pages.size, look));
  }

  /** What is known about a spot on all pages, including those already looked at in this look. */
  of(key: string): SharedSpot | undefined {
    const shared = this.#byKey.get(key);
    if (shared === undefined) return undefined;
    const isCommonNow = (this.#pagesOf.get(key)?.size ?? 0) * 2 > this.#pageCount;
    return { ...shared, isRotating: this.#rotating.has(key), isCommonNow };
  }

  /** Whether the two texts replace each other elsewhere in the opposite direction. */
  isTurn({ before, after }: SpotEdit): boolean {
    return this.#turns.has(`${textMark(after)}>${textMark(before)}`);
  }

  /** The block that had this text on another page. */
  blockThatSaid(text: string): string | undefined {
    return this.#blocks.get(textMark(text));
  }

  /** Records the texts of a change before it is judged. */
  noteTexts(url: string, { key, before, after }: SpotEdit): void {
    this.#noteSaid(url, key, [textMark(before), textMark(after)]);
  }

  /** Records a change of this look after it is judged. */
  noteChange(url: string, { key, before, after }: SpotEdit, isHeld: boolean): void {
    this.#notePage(url, key);
    this.#turns.add(`${textMark(before)}>${textMark(after)}`);
    const shared = this.#byKey.get(key) ?? { isHeld: false, isCommon: false, changed: 0, changedNow: 0, looks: 0 };
    this.#byKey.set(key, {
      ...shared,
      isHeld: shared.isHeld || (isHeld && isNamed(key)),
      changedNow: shared.changedNow + 1,
    });
  }

  #notePage(url: string, key: string): void {
    const pages = this.#pagesOf.get(key);
    if (pages === undefined) this.#pagesOf.set(key, new Set([url]));
    else pages.add(url);
  }

  #noteTexts(url: string, key: string, marks: readonly string[]): void {
    for (const [at, mark] of marks.slice(1).entries()) this.#turns.add(`${marks[at]}>${mark}`);
    this.#noteSaid(url, key, marks);
  }

  #noteSaid(url: string, key: string, marks: readonly string[]): void {
    if (!isNamed(key)) return;
    for (const mark of marks) {
      if (mark === NO_TEXT) continue;
      this.#blocks.set(mark, key);
      const said = `${key} ${mark}`;
      const speaker = this.#speakers.get(said);
      if (speaker === undefined) this.#speakers.set(said, url);
      else if (speaker !== url) this.#rotating.add(key);
    }
  }
}

/** Whether the key names a block, which is the same one on other pages. */
function isNamed(key: string): boolean {
  return !key.startsWith('~') && key !== TITLE_KEY && key !== WHOLE_PAGE;
}

type SpotCounts = Omit<SharedSpot, 'isRotating' | 'isCommonNow'>;

function sharedOf(spots: readonly Spot[], pages: number, look: number): SpotCounts {
  return {
    isHeld: spots.some(({ is }) => is === 'held'),
    isCommon: spots.length * 2 > pages,
    changed: spots.reduce((sum, { changed }) => sum + changed, 0),
    changedNow: 0,
    looks: spots.reduce((sum, { first }) => sum + look - first, 0),
  };
}
