import type { TextVersion } from '../../why/compare-texts.ts';
import type { PageVersions, TextDifference } from '../../why/explain-change.ts';
import { sectionLines } from '../../why/section-lines.ts';
import { textLines } from '../../why/text-lines.ts';
import { objectSchema } from '../view-schemas.ts';
import { SHOWN_DIFF_SCHEMA, type ShownDiff, shownDiff, wholeDiff } from './diff-rows.ts';
import { MAX_MARKDOWN } from './markdown-html.ts';

/** Two versions of a page or a section, and what differs between them. */
export interface TextFacts {
  readonly is: TextDifference['is'];
  /** Why nothing can be compared. */
  readonly because?: string;
  /** `page` is also used for a section whose lines cannot be located. */
  readonly scope: 'section' | 'page';
  readonly diff: ShownDiff;
  /** The Markdown of both, as far as a page shows it. Absent if there is none, or none is kept. */
  readonly before?: string;
  readonly after?: string;
  /** Only the beginning of one of them, or of both, is included. */
  readonly isCut?: true;
}

export const TEXT_FACTS_SCHEMA = objectSchema({
  is: { enum: ['edited', 'came', 'went', 'unknown'] },
  'because?': { type: 'string', description: 'Why the texts cannot be compared.' },
  scope: { enum: ['section', 'page'] },
  diff: SHOWN_DIFF_SCHEMA,
  'before?': { type: 'string', description: 'Markdown.' },
  'after?': { type: 'string', description: 'Markdown.' },
  'isCut?': { const: true, description: 'true: only the beginning of each text is included.' },
});

const NOTHING: ShownDiff = { hunks: [], linesLeft: 0 };

/** The Markdown of the page, or of the section that is meant. */
export interface BothTexts {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** The shown part of a difference between two texts. */
export function textFacts({ before, after }: BothTexts, difference: TextDifference): TextFacts {
  const isCut = (before?.length ?? 0) > MAX_MARKDOWN || (after?.length ?? 0) > MAX_MARKDOWN;
  const shared = {
    ...(before !== undefined && { before: before.slice(0, MAX_MARKDOWN) }),
    ...(after !== undefined && { after: after.slice(0, MAX_MARKDOWN) }),
    ...(isCut && ({ isCut } as const)),
  };
  switch (difference.is) {
    case 'unknown':
      return { is: 'unknown', because: difference.because, scope: 'page', diff: NOTHING, ...shared };
    case 'came':
      return { is: 'came', scope: 'page', diff: wholeDiff(after ?? '', 'new'), ...shared };
    case 'went':
      return { is: 'went', scope: 'page', diff: wholeDiff(before ?? '', 'old'), ...shared };
    case 'edited':
      return { is: 'edited', scope: difference.scope, diff: shownDiff(difference.hunks), ...shared };
  }
}

/** The lines of the section, if they can be located in one of both versions; else the pages. */
export function boundaryTexts(anchor: string | undefined, { before, after, anchors }: PageVersions): BothTexts {
  if (anchor === undefined) return { before, after };
  const was = before === undefined ? undefined : sectionText({ text: before, anchor });
  const is = after === undefined ? undefined : sectionText({ text: after, anchor, ...(anchors && { anchors }) });
  return was === undefined && is === undefined ? { before, after } : { before: was, after: is };
}

/** Undefined if no section is meant, or its lines cannot be located. */
export function sectionText({ text, anchor, anchors }: TextVersion): string | undefined {
  if (anchor === undefined) return undefined;
  const lines = textLines(text);
  const span = sectionLines(lines, anchor, anchors);
  return span && lines.slice(span.start, span.end).join('\n');
}
