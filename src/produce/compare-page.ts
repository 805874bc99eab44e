import { diffPages } from '../diff/diff-pages.ts';
import type { PageChange } from '../diff/page-change.ts';
import { rebaseline } from '../diff/rebaseline.ts';
import { declaredDate } from '../extract/declared-date.ts';
import { excerptOf } from '../extract/excerpt.ts';
import { extractPage } from '../extract/extract-page.ts';
import { keepAnchors } from '../extract/keep-anchors.ts';
import { decodePageRecord, type PageRecord } from '../log/pages-file.ts';
import type { Page, Section } from '../model/page.ts';

/** A text up to here is remembered, to show what it was when it changes. */
const SHORT_TEXT = 300;
/** Markdown beyond this is not looked at: hardly any of it is that short as text. */
const SHORT_MARKDOWN = 2000;

/** What the page says, with the names that its sections had before. */
export function readPage(html: string, url: string, known: PageRecord | undefined): Page {
  const page = extractPage(html, url);
  const { sections, ...named } = known === undefined ? page : keepAnchors(page, decodePageRecord(known));
  return { ...named, sections: sections.map(withText) };
}

/** When a page that is new says that it was published; nothing of one that is known, whose date is told already. */
export function declaredOf(html: string, known: PageRecord | undefined): { readonly published?: string } {
  const published = known === undefined ? declaredDate(html) : undefined;
  return published === undefined ? {} : { published };
}

function withText(section: Section): Section {
  if (section.markdown.length > SHORT_MARKDOWN) return section;
  const body = section.markdown.replace(/^#{1,6} [^\n]*(?:\n|$)/, '');
  const text = excerptOf(body) ?? '';
  return text.length > SHORT_TEXT ? section : { ...section, text };
}

/** What changed on one page; `file` is the hash of the bytes that it was read from. */
export function comparePage(known: PageRecord | undefined, page: Page, file: string): readonly PageChange[] {
  if (known === undefined) return diffPages(undefined, page);
  const before = decodePageRecord(known);
  // Mended from the log: the sections are not known, only what the page as a whole was.
  if (known.file === '') {
    if (known.extractor === page.extractor && before.checksum === page.checksum) return [];
    return [{ action: 'update', url: page.url, checksum: page.checksum, title: page.title, note: 're-read' }];
  }
  if (known.extractor !== page.extractor) return rebaseline({ before, after: page, bytesChanged: known.file !== file });
  return diffPages(before, page);
}
