import { resolveCharacters } from './html-entities.ts';

/** Elements at which a word ends. */
const BREAKS =
  /^(?:address|article|aside|blockquote|br|caption|center|dd|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|img|li|main|nav|ol|option|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul|video)$/i;
/** Elements whose contents are not text of the page. */
const HIDDEN = /^(?:script|style|template|noscript|iframe|object|svg|math)$/i;
/** Tags that authors use in titles. Anything else that looks like a tag there is text. */
const TITLE_TAGS =
  /<\/?(?:a|b|big|br|cite|code|em|font|i|img|mark|q|s|small|span|strike|strong|sub|sup|tt|u|wbr)(?:\s[^<>]*)?\/?>/gi;
const TAG_NAME = /[A-Za-z][^\s/>]{0,40}/y;

/** The text of HTML on one line, without tags, comments and scripts. Takes time linear in the length. */
export function textOfHtml(html: string): string {
  const lastEnd = html.lastIndexOf('>');
  let text = '';
  let at = 0;
  while (at < html.length) {
    const mark = html.indexOf('<', at);
    // Without an end it is not markup: "x <y" is text.
    if (mark === -1 || lastEnd < mark) break;
    text += html.slice(at, mark);
    const end = endOfMarkup(html, mark);
    if (end === mark) text += '<';
    else if (breaksWord(html, mark)) text += ' ';
    at = Math.max(end, mark + 1);
  }
  return collapse(resolveCharacters(text + html.slice(at)));
}

/** The text of a title. There `<T>` may be literal text, but `&amp;#8217;` is an escape that was encoded twice. */
export function plainTitle(title: string): string {
  return collapse(resolveCharacters(title.replace(TITLE_TAGS, '')));
}

export function collapse(text: string): string {
  return text.replace(/[\s\u00a0]+/g, ' ').trim();
}

/** Whether a word ends where an element of this name begins or ends. */
export function isBreak(name: string): boolean {
  return BREAKS.test(name);
}

export function isHidden(name: string): boolean {
  return HIDDEN.test(name);
}

/** The end of the markup at this position, or the position itself if no markup begins there. Unclosed markup extends to the end. */
function endOfMarkup(html: string, mark: number): number {
  if (html.startsWith('<!--', mark)) return after(html, '-->', mark + 4);
  const next = html.charCodeAt(mark + 1);
  if (next === 0x21 || next === 0x3f) return after(html, '>', mark + 1);
  const name = nameAt(html, mark + (next === 0x2f ? 2 : 1));
  if (name === undefined) return mark;
  const end = endOfTag(html, mark + 1);
  if (next === 0x2f || !isHidden(name) || html.charCodeAt(end - 2) === 0x2f) return end;
  const closing = new RegExp(`</${name}\\b`, 'gi');
  closing.lastIndex = end;
  const close = closing.exec(html);
  return close === null ? html.length : endOfTag(html, close.index + 1);
}

/** A `>` in a quoted value does not end a tag. */
function endOfTag(html: string, start: number): number {
  let quote = 0;
  for (let at = start; at < html.length; at++) {
    const unit = html.charCodeAt(at);
    if (quote !== 0) {
      if (unit === quote) quote = 0;
    } else if (unit === 0x3e) {
      return at + 1;
    } else if ((unit === 0x22 || unit === 0x27) && html.charCodeAt(at - 1) === 0x3d) {
      quote = unit;
    }
  }
  return html.length;
}

function breaksWord(html: string, mark: number): boolean {
  const name = nameAt(html, mark + (html.charCodeAt(mark + 1) === 0x2f ? 2 : 1));
  return name !== undefined && isBreak(name);
}

function nameAt(html: string, at: number): string | undefined {
  TAG_NAME.lastIndex = at;
  return TAG_NAME.exec(html)?.[0];
}

function after(html: string, end: string, from: number): number {
  const at = html.indexOf(end, from);
  return at === -1 ? html.length : at + end.length;
}
