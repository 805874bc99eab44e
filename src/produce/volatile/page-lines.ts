import { splitMarks } from '../../extract/line-marks.ts';
import type { PageOutline, SectionOutline } from '../../model/page.ts';

/** A line of a page, or its title. */
export interface PageLine {
  /** A short fingerprint of its text. */
  readonly mark: string;
  readonly part: 'title' | 'heading' | 'text';
  /** The section that contains it; absent before the first heading. */
  readonly anchor?: string;
}

/** All lines of a page in order, the title first. Undefined if an earlier version made the record, without marks. */
export function linesOfPage({ title, preambleLines, sections }: PageOutline): readonly PageLine[] | undefined {
  if (preambleLines === undefined) return undefined;
  const lines: PageLine[] = [{ mark: `=${title}`, part: 'title' }];
  for (const mark of splitMarks(preambleLines)) lines.push({ mark, part: 'text' });
  for (const { anchor, lines: ofSection } of sections) {
    if (ofSection === undefined) return undefined;
    for (const [at, mark] of splitMarks(ofSection).entries()) {
      lines.push({ mark, part: at === 0 ? 'heading' : 'text', anchor });
    }
  }
  return lines;
}

/**
 * The page without these lines. A section without its heading belongs to the one before it. Its fingerprints are made of marks: they compare only
 * with those of another such page.
 */
export function withoutLines(page: PageOutline, lines: readonly PageLine[], left: ReadonlySet<number>): PageOutline {
  const named = new Map(page.sections.map((section) => [section.anchor, section]));
  const preamble: string[] = [];
  const sections: { readonly section: SectionOutline; readonly marks: string[] }[] = [];
  for (const [at, { mark, part, anchor }] of lines.entries()) {
    if (part === 'title' || left.has(at)) continue;
    const section = part === 'heading' ? named.get(anchor ?? '') : undefined;
    if (section === undefined) (sections.at(-1)?.marks ?? preamble).push(mark);
    else sections.push({ section, marks: [mark] });
  }
  return {
    ...page,
    title: left.has(0) ? '' : page.title,
    preamble: preamble.join(''),
    preambleLines: preamble.join(''),
    sections: sections.map(({ section, marks }) => {
      const [heading = '', ...text] = marks;
      const body = text.length === 0 ? section.body : text.join('');
      return { ...section, checksum: `${heading} ${text.join('')}`, body, lines: marks.join('') };
    }),
  };
}
