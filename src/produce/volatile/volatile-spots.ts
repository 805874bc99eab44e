import type { TwoLooks } from '../../diff/left-changes.ts';
import type { PageChange } from '../../diff/page-change.ts';
import type { OwnedLine } from '../../extract/owned-lines.ts';
import { decodePageSpots, type PageRecord } from '../../log/pages-file.ts';
import type { PageOutline } from '../../model/page.ts';
import { type Spot, WHOLE_PAGE } from '../../model/spot.ts';
import { isForgotten, isHeldBack, isStill, type LookMoment, spotAfter } from './judge-spot.ts';
import { LookedChanges } from './looked-changes.ts';
import { linesOfPage, withoutLines } from './page-lines.ts';
import { SharedSpots } from './shared-spots.ts';
import { isNamelessLoss, type SpotEdit, spotEdits } from './spot-edits.ts';
import { hasOtherNumbers } from './template-key.ts';

/** A page at two looks. */
export interface LookedPage {
  readonly before: PageOutline;
  readonly after: PageOutline;
  /** The current lines. Called only if lines were added or removed. */
  readonly owned: () => readonly OwnedLine[];
  readonly atMs: number;
}

/** The result of a look for the spots of a page. */
export interface SpotsNews {
  readonly spots: readonly Spot[];
  /** How many changes are held back. */
  readonly held: number;
  /** Both versions without what is held back; their difference is reported. Absent if nothing is held back. */
  readonly rest?: TwoLooks;
}

/** The maximum number of stored spots of a page. */
const MAX_SPOTS = 8;
/** The only change of a page, at a spot that was unknown before. */
interface FirstChange {
  readonly edit: SpotEdit;
  readonly look: LookMoment;
}

/**
 * Places on pages that change repeatedly without an edit: related links, counters, advertisements, texts that are tried out.
 *
 * One run over the pages of a source. Each place is judged by what the records of all pages store about it.
 */
export class VolatileSpots {
  readonly #pages: ReadonlyMap<string, PageRecord>;
  readonly #look: number;
  #shared: SharedSpots | undefined;
  readonly #changes = new LookedChanges();
  readonly #firstChanges = new Map<string, FirstChange>();

  constructor(pages: ReadonlyMap<string, PageRecord>, look: number) {
    this.#pages = pages;
    this.#look = look;
  }

  /** Whether a volatile spot of the page has become still, so that its text may have to be reported: that needs the page itself. */
  isDue(record: PageRecord): boolean {
    return decodePageSpots(record).some((spot) => isStill(spot, this.#look));
  }

  /** Judges what changed on a page. */
  take({ before, after, owned, atMs }: LookedPage): SpotsNews {
    const known = before.spots ?? [];
    const [linesBefore, linesAfter] = [linesOfPage(before), linesOfPage(after)];
    if (linesBefore === undefined || linesAfter === undefined) return { spots: [], held: 0 };
    const look = { look: this.#look, atMs };
    const shared = this.#shared ?? new SharedSpots(this.#pages, this.#look);
    this.#shared = shared;
    const found = spotEdits({ before: linesBefore, after: linesAfter, owned: owned(), known });
    const edits = found.map((edit) => named(edit, known, shared));
    for (const edit of edits) shared.noteTexts(after.url, edit);
    const judged = edits.map((edit): Judged => {
      const isVolatile = isHeldBack(edit, shared.of(edit.key), this.#look);
      return { edit, isVolatile, isHeld: isVolatile || shared.isTurn(edit) };
    });
    for (const { edit, isVolatile } of judged) {
      shared.noteChange(after.url, edit, isVolatile);
      this.#changes.take(after.url, edit);
    }
    const held = judged.filter(({ isHeld }) => isHeld).map(({ edit }) => edit);
    const spots = this.#remembered(known, judged, look);
    if (held.length === 0) {
      this.#noteFirst(after.url, edits, { ...look, lines: linesAfter.length });
      return { spots, held: 0 };
    }
    const went = new Set(held.flatMap(({ removed }) => removed));
    const came = new Set(held.flatMap(({ added }) => added));
    const rest = { before: withoutLines(before, linesBefore, went), after: withoutLines(after, linesAfter, came) };
    return { spots, held: held.length, rest };
  }

  /** The changes to report for spots that became still with another text than the reported one. */
  stillChanges(page: PageOutline, spots: readonly Spot[]): readonly PageChange[] {
    const late = spots.filter((spot) => isStill(spot, this.#look) && spot.lines !== spot.told);
    const changes = new Map<string | undefined, PageChange>();
    for (const { anchor } of late) {
      const section = page.sections.find((one) => one.anchor === anchor);
      const { url, title } = page;
      const of = section === undefined ? { checksum: page.checksum } : { anchor, checksum: section.checksum };
      changes.set(section?.anchor, { action: 'update', url, title, ...of, note: 'text-edit' });
    }
    return changes.get(undefined) === undefined ? [...changes.values()] : [...changes.values()].slice(0, 1);
  }

  /** The spots of a page after its report: a change reports all that its section says now. */
  settled(spots: readonly Spot[], told: readonly PageChange[]): readonly Spot[] {
    const isTold = ({ anchor, key }: Spot) =>
      told.some((change) => change.anchor === undefined || (change.anchor === anchor && key !== WHOLE_PAGE));
    return spots.flatMap((spot): Spot[] => {
      if (isForgotten(spot, this.#look)) return [];
      const is = isStill(spot, this.#look) ? 'still' : spot.is;
      return [{ ...spot, is, told: is === 'still' || isTold(spot) ? spot.lines : spot.told }];
    });
  }

  /**
   * Of the pages to report, those on which a volatile block changed for the first time: on most pages at once, while it was found to be volatile on
   * another page, or without its name if others have it.
   */
  *atOnce(told: ReadonlySet<string>): Iterable<{ readonly url: string; readonly spot: Spot }> {
    for (const [url, { edit, look }] of this.#firstChanges) {
      if (!told.has(url)) continue;
      const named = { ...edit, key: this.#changes.keyOf(edit) };
      const shared = this.#shared?.of(named.key);
      const isVolatile = named.key === edit.key ? shared?.isHeld === true : isHeldBack(named, shared, this.#look);
      if (isVolatile || this.#changes.isAtOnce(named.key, this.#pages.size))
        yield { url, spot: spotAfter(named, true, look) };
    }
  }

  /** After all pages are looked at: text that disappeared without a name, and the block that it belonged to. */
  nameLosses(): Iterable<{ readonly url: string; readonly from: string; readonly to: string }> {
    return this.#changes.nameLosses();
  }

  #remembered(known: readonly Spot[], judged: readonly Judged[], look: LookMoment): readonly Spot[] {
    const changed = judged.map(({ edit, isHeld }) => spotAfter(edit, isHeld, look));
    const touched = new Set(judged.map(({ edit }) => edit.known));
    const others = known.filter((spot) => !touched.has(spot) && !isForgotten(spot, look.look));
    const all = [...changed, ...others];
    return [...all.filter(({ is }) => is !== 'seen'), ...all.filter(({ is }) => is === 'seen')].slice(0, MAX_SPOTS);
  }

  #noteFirst(url: string, edits: readonly SpotEdit[], look: LookMoment & { readonly lines: number }): void {
    const [edit, ...others] = edits;
    if (edit === undefined || others.length > 0) return;
    if (maySpread(edit, look.lines) || isNamelessLoss(edit)) this.#firstChanges.set(url, { edit, look });
  }
}

interface Judged {
  readonly edit: SpotEdit;
  readonly isVolatile: boolean;
  /** Also if a text is replaced by another one while the same two replace each other in the opposite direction elsewhere. */
  readonly isHeld: boolean;
}

/** The removed text under the name of the block that has it on another page. */
function named(edit: SpotEdit, known: readonly Spot[], shared: SharedSpots): SpotEdit {
  const key = isNamelessLoss(edit) ? shared.blockThatSaid(edit.before) : undefined;
  return key === undefined || known.some((spot) => spot.key === key) ? edit : { ...edit, key };
}

/**
 * A named block, or a line that differs only in its numbers, beside more text that does not change. What an author writes on several pages is
 * neither. If pages are little more than their figures, the figures are their content.
 */
function maySpread({ key, known, isGrowth, removed, added }: SpotEdit, lines: number): boolean {
  if (known !== undefined || key === WHOLE_PAGE || (isGrowth && removed.length === 0)) return false;
  if (!key.startsWith('~')) return true;
  return hasOtherNumbers(key) && removed.length > 0 && added.length * SMALL_PART <= lines;
}

/** The page has at least this many times as many lines. */
const SMALL_PART = 12;
