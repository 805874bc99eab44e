import { scanHtml } from '../scan-html.ts';
import { TextWalker } from './text-walker.ts';

/** All texts in a page's source, by visibility. */
export interface PageTexts {
  /** What people see, including furniture. Code is in backticks, quotations are after `>`. */
  readonly text: string;
  /** What people do not see: hidden elements, comments, templates, and what is shown without scripts. */
  readonly concealed: string;
  /** Texts about the page and its parts: descriptions, alternative texts, JSON-LD. */
  readonly metadata: string;
}

/** A page that shows less and hides more than this is rendered by a script: people see what it hides. */
const SCANT_TEXT = 200;
const PLENTY_HIDDEN = 600;

export function pageTexts(html: string): PageTexts {
  const walker = readWith(html);
  const text = walker.shown.text();
  const hidden = walker.hidden.text();
  const isDrawn = text.length < SCANT_TEXT && hidden.length > PLENTY_HIDDEN;
  for (const sheet of walker.sheets) walker.metadata.takeSheet(sheet);
  return {
    text: isDrawn ? `${text}\n\n${hidden}` : text,
    concealed: isDrawn ? walker.unseen.text() : `${hidden}\n\n${walker.unseen.text()}`.trim(),
    metadata: walker.metadata.text(),
  };
}

/** Most styles come before the elements they apply to. Otherwise the page is read again once all styles are known. */
function readWith(html: string, sheets?: readonly string[]): TextWalker {
  const walker = new TextWalker(html, sheets);
  scanHtml(html, walker);
  walker.end();
  return walker.isOutdated ? readWith(html, walker.sheets) : walker;
}
