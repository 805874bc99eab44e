import { attribute, elementText, type HtmlElement, type HtmlNode } from './html-tree.ts';
import type { SectionReader } from './section-reader.ts';

/** How documentation tools call their notes and warnings, in the languages that they are set up for most. */
const CALL =
  /^(?:note|notes|tip|hint|info|information|important|warning|caution|danger|attention|error|success|example|question|failure|bug|abstract|todo|see also|hinweis|tipp|wichtig|achtung|warnung|vorsicht|gefahr|beispiel|siehe auch|remarque|astuce|conseil|avertissement|exemple|voir aussi|nota|consejo|advertencia|importante|precaución|ejemplo|dica|aviso|atenção|atención|suggerimento|attenzione|примечание|совет|внимание|предупреждение|注意|注記|备注|注释|提示|警告|重要|ヒント|メモ|참고|팁|경고|주의)\s*[:!：]?$/i;
/** Longer titles are none, and what follows one on a whole page is no note. */
const MAX_TITLE_TEXT = 20;
const MAX_CALL_TEXT = 5000;
const TITLES = new Set(['p', 'div', 'header']);

export interface CallTitle {
  readonly text: string;
  /** Absent where only the label of the whole says it. */
  readonly element: HtmlElement | undefined;
}

/** The title of a note, tip or warning that an element makes up, known by its first words: classes belong to the theme. */
export function titleOfCall(reader: SectionReader, element: HtmlElement): CallTitle | undefined {
  const whole = reader.measures.get(element);
  if (whole === undefined || whole.text > MAX_CALL_TEXT || whole.firstHeading !== undefined) return undefined;
  const first = element.children.find((child) => typeof child !== 'string' || child.trim() !== '');
  if (isElement(first) && TITLES.has(first.name) && reader.measures.get(first)?.text !== whole.text) {
    const text = callIn(reader, first);
    if (text !== undefined) return { text, element: first };
  }
  const label = element.name === 'aside' ? attribute(element, 'aria-label')?.trim() : undefined;
  return label !== undefined && CALL.test(label) ? { text: label, element: undefined } : undefined;
}

/** The word for a note where an element holds nothing else. */
export function callIn(reader: SectionReader, element: HtmlElement): string | undefined {
  const ink = reader.measures.get(element)?.text ?? 0;
  if (ink === 0 || ink > MAX_TITLE_TEXT) return undefined;
  const text = elementText(element).replace(/\s+/g, ' ').trim();
  return CALL.test(text) ? text : undefined;
}

function isElement(node: HtmlNode | undefined): node is HtmlElement {
  return node !== undefined && typeof node !== 'string';
}
