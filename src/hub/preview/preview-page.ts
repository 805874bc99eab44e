import { readSiteLinks } from '../../crawl/site-links.ts';
import { type PageBlock, pageBlocks } from '../../extract/blocks/page-blocks.ts';
import { extractPage } from '../../extract/extract-page.ts';
import { type NoticeKind, noticeOf } from '../../extract/notice-page.ts';
import type { ReadingRules } from '../../extract/rules/reading-rules.ts';
import type { Page } from '../../model/page.ts';
import type { GlancedPage, GlanceFailure } from './glance-at-site.ts';

/** A page as it will be read. */
export interface PreviewedPage {
  readonly url: string;
  readonly title?: string;
  /** Why it is not read. */
  readonly failure?: GlanceFailure;
  /** What a person should know of it, in sentences. */
  readonly remarks: readonly string[];
  /** The text before the first heading, as Markdown. */
  readonly opening: string;
  readonly sections: readonly PreviewedSection[];
  /** How many more there are. */
  readonly moreSections: number;
  readonly blocks: readonly PageBlock[];
  readonly moreBlocks: number;
}

export interface PreviewedSection {
  readonly anchor: string;
  readonly heading: string;
  readonly level: number;
  /** Markdown, without the line of the heading. */
  readonly text: string;
}

const MAX_SECTIONS = 30;
const MAX_TEXT = 1500;
const LARGE = 'It is too large to be shown here. It is read all the same when it is watched.';
const NOTHING = { remarks: [], opening: '', sections: [], moreSections: 0, blocks: [], moreBlocks: 0 };

const NOTICES: Readonly<Record<NoticeKind, string>> = {
  challenge: 'It asks whether its reader is a person. What stands behind that cannot be read.',
  error: 'It reports an error of the site.',
  login: 'It asks its reader to sign in. What stands behind that cannot be read.',
  maintenance: 'It says that the site is being worked on.',
  'not-found': 'It says that there is no such page.',
  stub: 'It says nearly nothing, and asks not to be listed.',
};

export function previewPage(looked: GlancedPage, rules: ReadingRules): PreviewedPage {
  const url = looked.url.href;
  if (looked.kind === 'failed') return { ...NOTHING, url, failure: looked.failure };
  if (looked.kind === 'large') return { ...NOTHING, url, remarks: [LARGE] };
  const { mediaType, text } = looked;
  if (mediaType !== 'text/html' && mediaType !== 'application/xhtml+xml') {
    return { ...NOTHING, url, failure: { code: 'NotAPageError', message: `It is ${mediaType}, not HTML.` } };
  }
  const page = extractPage(text, url, rules);
  const { blocks, more: moreBlocks } = pageBlocks(text, url, rules);
  return {
    url,
    title: page.title,
    remarks: remarksOn(page, text, { rules, mayIndex: readSiteLinks(looked).mayIndex }),
    opening: cut(openingOf(page)),
    sections: page.sections.slice(0, MAX_SECTIONS).map(({ anchor, heading, level, markdown }) => ({
      anchor,
      heading,
      level,
      text: cut(markdown.replace(/^[^\n]*\n*/, '')),
    })),
    moreSections: Math.max(0, page.sections.length - MAX_SECTIONS),
    blocks,
    moreBlocks,
  };
}

interface PageFacts {
  readonly rules: ReadingRules;
  readonly mayIndex: boolean;
}

function remarksOn(page: Page, html: string, { rules, mayIndex }: PageFacts): readonly string[] {
  const remarks: string[] = [];
  const notice = noticeOf(page, html);
  if (!rules.accepts(page.url)) remarks.push('A rule leaves this page out.');
  if (!mayIndex) remarks.push('It asks not to be listed, so that it is not read.');
  if (notice !== undefined) remarks.push(NOTICES[notice]);
  if (page.isUnmatched) remarks.push('Nothing of it is what "only" names: it is read as usual.');
  if (page.markdown.trim() === '') remarks.push('Nothing of it can be read.');
  return remarks;
}

function openingOf({ markdown, sections: [first] }: Page): string {
  if (first === undefined) return markdown;
  const at = markdown.indexOf(first.markdown.slice(0, 200));
  return at === -1 ? '' : markdown.slice(0, at);
}

function cut(text: string): string {
  const whole = text.trim();
  return whole.length > MAX_TEXT ? `${whole.slice(0, MAX_TEXT).trimEnd()} …` : whole;
}
