import { leftChanges, type TwoLooks } from '../diff/left-changes.ts';
import { splitMarks } from '../extract/line-marks.ts';
import { decodePageRecord, type PageRecord } from '../log/pages-file.ts';
import type { Page, PageOutline, SectionOutline } from '../model/page.ts';
import type { SiteChange } from './site-source.ts';
import { isRetitledBySite, ownTitles, SiteTitles, titleParts } from './site-titles.ts';

/** A line that is on this many pages and on more than this share of the site belongs to the frame. */
const FRAME_PAGES = 5;
const FRAME_SHARE = 0.5;

/** A page that differs from its known state. */
export interface TurnedPage {
  /** As it was, and as it is now. */
  readonly known: PageRecord;
  readonly record: PageRecord;
  /** Not kept. */
  readonly page: Page;
  /** As found without any knowledge of the site. */
  readonly changes: readonly SiteChange[];
  /** The changes of its sections, if `changes` reports the page as a whole. */
  readonly finer: readonly SiteChange[];
  /** Both versions without their volatile parts, if there are any. */
  readonly rest?: TwoLooks | undefined;
}

interface Turned extends Omit<TurnedPage, 'page'> {
  readonly marks: Marks;
  readonly titles: { readonly before: string; readonly after: string };
}

export interface FrameNews {
  /** Pages on which the frame changed. */
  readonly pages: number;
  readonly changes: SiteChange[];
}

/**
 * What the pages of a site share: its name in titles, a version, banners, boxes, external links.
 *
 * A line that appears or disappears on many pages in one run belongs to the frame. Each of these pages is compared again without it. Only the
 * remaining changes are reported.
 */
export class SiteFrame {
  readonly #turned = new Map<string, Turned>();
  readonly #counts = new Map<string, number>();
  readonly #titles = new SiteTitles();

  note({ page, known, record, changes, finer, rest }: TurnedPage): void {
    this.#titles.note(page.fullTitle ?? page.title);
    if (changes.length === 0 || known.extractor !== record.extractor) return;
    const { before: was, after: is } = rest ?? { before: decodePageRecord(known), after: page };
    const [before, after] = [marksOf(was), marksOf(is)];
    if (before === undefined || after === undefined) return;
    const marks = new Set([...minus(before, after, '-'), ...minus(after, before, '+')]);
    const titles = { before: was.title, after: is.title };
    this.#turned.set(record.url, { known, record, changes, finer, rest, marks, titles });
    for (const mark of marks) this.#counts.set(mark, (this.#counts.get(mark) ?? 0) + 1);
  }

  /** `changes` of a site with this many pages, without those of the frame. */
  settle(changes: readonly SiteChange[], pages: number): FrameNews {
    const isShared = (count: number) => count >= FRAME_PAGES && count > pages * FRAME_SHARE;
    const frame = new Set([...this.#counts].filter(([, count]) => isShared(count)).map(([mark]) => mark));
    const site = this.#titles.shared(isShared);
    const isFramed = ({ marks, titles }: Turned) =>
      [...marks].some((mark) => frame.has(mark)) || isRetitledBySite(titles, site);
    const framed = new Map(
      Array.from(this.#turned).flatMap(([url, page]) =>
        isFramed(page) ? [[url, withoutFrame(page, frame, site)] as const] : [],
      ),
    );
    const told = new Set<string>();
    const settled = changes.flatMap((change) => {
      const left = framed.get(change.url);
      if (left === undefined) return [change];
      if (told.has(change.url)) return [];
      told.add(change.url);
      return left;
    });
    return { pages: framed.size, changes: settled };
  }
}

function withoutFrame(page: Turned, frame: Marks, site: Marks): readonly SiteChange[] {
  const { known, record, rest = { before: decodePageRecord(known), after: decodePageRecord(record) } } = page;
  const titles = ownTitles(page.titles, site);
  const before = { ...rest.before, title: titles.before };
  const after = { ...rest.after, title: titles.after };
  // A line that others have lost and this page has not still belongs to this page.
  const shared = new Set([...page.marks].filter((mark) => frame.has(mark)));
  return leftChanges({ before: neutral(before, shared, '-'), after: neutral(after, shared, '+') }, page);
}

/** The page without the lines of the frame on its side of the change. */
function neutral(page: PageOutline, frame: ReadonlySet<string>, side: Side): PageOutline {
  const own = (marks: readonly string[]) => marks.filter((mark) => !frame.has(side + mark));
  const title = titleParts(page.title).filter((part) => !frame.has(`${side}${TITLE}${part}`));
  const sections = page.sections.flatMap((section): SectionOutline[] => {
    const [heading = '', ...text] = splitMarks(section.lines ?? '');
    const [name, body] = [own([heading]).join(), own(text).join()];
    return name + body === '' ? [] : [{ ...section, checksum: `${name} ${body}`, body }];
  });
  return { ...page, title: title.join(), preamble: own(splitMarks(page.preambleLines ?? '')).join(), sections };
}

type Side = '-' | '+';
type Marks = ReadonlySet<string>;

/** No mark of a line begins with this character. */
const TITLE = '=';

/** Undefined if an earlier version wrote the record. */
function marksOf({ title, preambleLines, sections }: PageOutline): Marks | undefined {
  if (preambleLines === undefined) return undefined;
  const lines = [preambleLines, ...sections.map((section) => section.lines ?? '')].flatMap(splitMarks);
  return new Set([...lines, ...titleParts(title).map((part) => TITLE + part)]);
}

function minus(marks: ReadonlySet<string>, others: ReadonlySet<string>, side: Side): string[] {
  return [...marks].filter((mark) => !others.has(mark)).map((mark) => side + mark);
}
