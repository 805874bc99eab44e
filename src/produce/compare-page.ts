import { diffPages, diffSections, updateOfPage } from '../diff/diff-pages.ts';
import type { PageChange } from '../diff/page-change.ts';
import { rebaseline } from '../diff/rebaseline.ts';
import { anchorKeys } from '../extract/anchor-keys.ts';
import { declaredDate } from '../extract/declared-date.ts';
import { excerptOf } from '../extract/excerpt.ts';
import { extractPage } from '../extract/extract-page.ts';
import { keepAnchors } from '../extract/keep-anchors.ts';
import { NO_RULES } from '../extract/rules/reading-rules.ts';
import { steadyAnchors } from '../extract/steady-anchors.ts';
import { decodePageRecord, type PageRecord } from '../log/pages-file.ts';
import type { Page, PageOutline, Section } from '../model/page.ts';
import { encodeSectionsNote } from '../model/sections-note.ts';
import { rulesReading, type SiteRules, UNRULED, wasLeftOut } from './site-rules.ts';

/** A text up to this length is stored, to show the old text when it changes. */
const SHORT_TEXT = 300;
/** Longer Markdown is skipped: it is hardly ever that short as text. */
const SHORT_MARKDOWN = 2000;

/** Reads the page by these rules, and keeps the former names of its sections. */
export function readPage(html: string, url: string, known: PageRecord | undefined, rules = NO_RULES): Page {
  const page = extractPage(html, url, rules);
  const { sections, ...named } = known === undefined ? page : withFormerNames(page, decodePageRecord(known));
  return { ...named, sections: sections.map(withText) };
}

function withFormerNames(page: Page, before: PageOutline): Page {
  return keepAnchors(steadyAnchors(page, before), before);
}

/** The publication date that a new page states; empty for a known page, whose date was already reported. */
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

/** A page as it was just read. */
export interface FreshPage {
  readonly page: Page;
  readonly html: string;
  /** The hash of the bytes that it was read from. */
  readonly file: string;
}

/** What changed on one page, and which of its anchors are keys. */
export function comparePage(
  known: PageRecord | undefined,
  fresh: FreshPage,
  rules: SiteRules = UNRULED,
): readonly PageChange[] {
  return withAnchorKinds(changesOfPage(known, fresh, rules), fresh);
}

/** Marks the changes whose anchors are keys. */
export function withAnchorKinds(
  changes: readonly PageChange[],
  { page, html }: Pick<FreshPage, 'page' | 'html'>,
): readonly PageChange[] {
  const anchors = changes.flatMap(({ anchor }) => anchor ?? []);
  if (anchors.length === 0) return changes;
  const keys = anchorKeys(page, html, anchors);
  return changes.map((change) => (keys.has(change.anchor ?? '') ? { ...change, anchorIs: 'key' } : change));
}

function changesOfPage(
  known: PageRecord | undefined,
  { page, html, file }: FreshPage,
  rules: SiteRules,
): readonly PageChange[] {
  if (known === undefined) return wasLeftOut(page.url, rules) ? [] : diffPages(undefined, page);
  const before = decodePageRecord(known);
  // Repaired from the log: only the fingerprint of the whole page is known, not its sections.
  if (known.file === '') {
    if (known.extractor === page.extractor && before.checksum === page.checksum) return [];
    return [{ action: 'update', url: page.url, checksum: page.checksum, title: page.title, note: 're-read' }];
  }
  if (known.extractor !== page.extractor) {
    const bytesChanged = known.file !== file;
    const former = bytesChanged ? rulesReading(known.extractor, rules) : undefined;
    const asBefore = former === undefined ? undefined : readPage(html, page.url, known, former);
    return rebaseline({ before, after: page, bytesChanged, asBefore });
  }
  return diffPages(before, page);
}

/** One update of the page instead of several of its sections: parts that were missing at the first reading are not edits. */
export function completedPage(page: Page, changes: readonly PageChange[]): readonly PageChange[] {
  if (changes.length < 2) return changes;
  const anchorsOf = (wanted: PageChange['action']) =>
    changes.flatMap(({ action, anchor }) => (action === wanted && anchor !== undefined ? [anchor] : []));
  const names = { changed: anchorsOf('update'), added: anchorsOf('create'), removed: [] };
  return [updateOfPage(page, ['completed', encodeSectionsNote(names) ?? []].flat())];
}

/** The changes of the sections of a page, if `changes` reports the page as a whole. */
export function finerChanges(
  known: PageRecord | undefined,
  page: Page,
  changes: readonly PageChange[],
): readonly PageChange[] {
  const [whole] = changes;
  if (known === undefined || known.file === '' || known.extractor !== page.extractor) return [];
  return whole?.action === 'update' && whole.anchor === undefined ? diffSections(decodePageRecord(known), page) : [];
}
