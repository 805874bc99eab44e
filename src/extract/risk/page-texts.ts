import { scanHtml } from '../scan-html.ts';
import { TextWalker } from './text-walker.ts';

/** All that a page's source says to whoever reads it, by who sees it. */
export interface PageTexts {
  /** What people see, furniture included. Code stands in backticks, quotations behind `>`. */
  readonly text: string;
  /** What the source holds and people do not see: hidden elements, comments, templates, what is shown without scripts. */
  readonly concealed: string;
  /** What is said of the page and its parts: descriptions, alternative texts, JSON-LD. */
  readonly metadata: string;
}

/** A page that shows less than this and hides more than that is drawn by a script: what it hides is what people see. */
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

/** Most styles stand before what they are about. A page where they do not is read again once all are known. */
function readWith(html: string, sheets?: readonly string[]): TextWalker {
  const walker = new TextWalker(html, sheets);
  scanHtml(html, walker);
  walker.end();
  return walker.isOutdated ? readWith(html, walker.sheets) : walker;
}
